import { decodeJson, decodeText, encodeJson, encodeText } from "@palimpsest/adapter-pg"
import fc from "fast-check"
import { assert, describe, it } from "vitest"

/** Any UTF-16, with much of what needs care. */
const anyText = fc
  .array(
    fc.oneof(
      fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
      fc.constantFrom(
        "\u0000",
        "\u001a",
        "\u001a0000",
        "\\",
        "\\u0000",
        "\ud83d",
        "\ude00",
        "d83d",
        '"',
        "😀",
      ),
    ),
    { maxLength: 30 },
  )
  .map((units) => units.join(""))

const isStorable = (text: string): boolean => !/\0|\p{Cs}/u.test(text)

describe("text in a column", () => {
  it("any text can be stored, and comes back", () => {
    fc.assert(
      fc.property(anyText, (text) => isStorable(encodeText(text)) && decodeText(encodeText(text)) === text),
      { numRuns: 2000 },
    )
  })

  it("two texts are never stored alike", () => {
    fc.assert(
      fc.property(anyText, anyText, (a, b) => (a === b) === (encodeText(a) === encodeText(b))),
      { numRuns: 2000 },
    )
  })

  it("ordinary text stays readable as it is", () => {
    for (const text of ["", "plain", "päöü 日本 😀", "\\u0000 'x' \"y\" $1 \n\t"])
      assert.strictEqual(encodeText(text), text)
  })
})

describe("JSON in a column", () => {
  it("any JSON comes back, is JSON as stored, and its strings hold text as it is stored", () => {
    fc.assert(
      fc.property(anyText, anyText, (key, text) => {
        const json = JSON.stringify({ [`k${key}`]: [text] })
        const stored = encodeJson(json)
        const [name, list] =
          Object.entries(JSON.parse(stored) as Record<string, ReadonlyArray<string>>)[0] ?? []
        return (
          isStorable(stored) &&
          decodeJson(stored) === json &&
          name === encodeText(`k${key}`) &&
          list?.[0] === encodeText(text)
        )
      }),
      { numRuns: 2000 },
    )
  })
})
