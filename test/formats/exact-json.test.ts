/** JSON with exact numbers beside strings that look like them, and beside very long ones. */
import { readExact, writeExact } from "@palimpsest/core/formats"
import { anthropic } from "@palimpsest/core/formats/anthropic"
import { gemini } from "@palimpsest/core/formats/gemini"
import { openAiChat } from "@palimpsest/core/formats/openai-chat"
import { assert, describe, it } from "vitest"

describe("exact JSON", () => {
  it("takes no string for a number, however it is escaped", () => {
    const text = '{"a":"\\u0065xact:9","n":1.0}'
    assert.strictEqual(writeExact(readExact(text)), '{"a":"exact:9","n":1.0}')
  })
  it.each(["s", "n1", "", "n", '"', "\\", "\\\\", "exact:1"])(
    "keeps the string %j and the key beside it",
    (own) => {
      const text = `{${JSON.stringify(own)} : ${JSON.stringify(own)},"list":[${JSON.stringify(own)},1.50]}`
      assert.strictEqual(writeExact(readExact(text)), text.replace(" : ", ":"))
    },
  )
  it("reads a string of millions of escapes, and one made of marks, in linear time", () => {
    for (const long of ["\\n".repeat(4_000_000), `${"exact".repeat(200_000)}:`])
      assert.isObject(readExact(`{"a":"${long}","n":1.0}`))
  })
  it("writes a string of marks beside an exact number in linear time", () => {
    const value = { a: "exact".repeat(100_000), b: `n${"s".repeat(500_000)}`, n: readExact("1.50") }
    const start = performance.now()
    const text = writeExact(value)
    assert.isBelow(performance.now() - start, 2_000)
    assert.strictEqual(text, `{"a":"${value.a}","b":"${value.b}","n":1.50}`)
  })
})

const nest = (levels: number, below: (inner: unknown) => unknown): unknown => {
  let value: unknown = 1
  for (let level = 0; level < levels; level++) value = below(value)
  return value
}

describe("objects that stand in many places", () => {
  it("are refused in time where they would be written a million times", () => {
    const shared = nest(40, (x) => ({ a: x, b: x }))
    const start = performance.now()
    assert.isUndefined(writeExact(shared))
    for (const format of [anthropic, openAiChat, gemini]) {
      const request = {
        messages: [{ role: "user", content: "Hi", x: shared }],
        contents: [{ parts: [{ x: shared }] }],
      }
      assert.isFalse(format.decode(request).ok)
      assert.deepStrictEqual(format.validate(format.repair(request).request), [])
    }
    assert.isBelow(performance.now() - start, 2_000)
  })
  it("are written where they are few, and no tree is refused", () => {
    assert.strictEqual(writeExact(nest(2, (x) => [x, x])), "[[1,1],[1,1]]")
    assert.isString(writeExact(nest(15, (x) => ({ a: x, b: x }))))
    assert.isString(
      writeExact([Array.from({ length: 100_000 }, () => []), Array.from({ length: 1_200_000 }, () => 1)]),
    )
  })
  it("are refused where they hold themselves, or are nested deeper than 500 levels, beside many others", () => {
    const many: Array<unknown> = Array.from({ length: 100_000 }, () => [])
    assert.isUndefined(writeExact([many, nest(501, (x) => [x])]))
    assert.isString(writeExact([many, nest(499, (x) => [x])]))
    many.push(many)
    assert.isUndefined(writeExact(many))
  })
})
