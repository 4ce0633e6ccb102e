import { hashedVector } from "@palimpsest/adapter-llm"
import fc from "fast-check"
import { assert, describe, it } from "vitest"

const SIZES = [1, 7, 256, 384, 512]
const dot = (a: ReadonlyArray<number>, b: ReadonlyArray<number>) =>
  a.reduce((sum, x, i) => sum + x * (b[i] ?? 0), 0)
const near = (a: string, b: string, dimensions = 384) =>
  dot(hashedVector(a, dimensions), hashedVector(b, dimensions))
const KNOWN = [-0.356734, 0.24697, 0.686027, 0.137205, 0.274411, 0, 0.054882, -0.493939]

const anyText = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({ unit: "grapheme" }),
  fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units)),
)

describe("hashedVector", () => {
  it("any text has a finite vector of the length one, the same each time", () => {
    fc.assert(
      fc.property(anyText, fc.constantFrom(...SIZES), (text, dimensions) => {
        const vector = hashedVector(text, dimensions)
        return (
          vector.length === dimensions &&
          vector.every(Number.isFinite) &&
          Math.abs(dot(vector, vector) - 1) < 1e-5 &&
          JSON.stringify(vector) === JSON.stringify(hashedVector(text, dimensions))
        )
      }),
      { numRuns: 2_000 },
    )
  })

  it("a known text has known numbers, in every process", () => {
    const vector = hashedVector("Привіт, world! 東京タワー", 8)
    assert.deepStrictEqual(
      vector.map((x) => Math.round(x * 1e6) / 1e6),
      KNOWN,
    )
  })

  it("the order of words changes next to nothing", () => {
    const words = fc.array(fc.stringMatching(/^[a-zа-яї]{1,12}$/), { minLength: 2, maxLength: 30 })
    fc.assert(
      fc.property(words, fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })), (list, chance) => {
        const keyed = list.map((word) => [chance.next().value, word] as const)
        const other = keyed.toSorted((a, b) => a[0] - b[0]).map(([, word]) => word)
        return near(list.join(" "), other.join(" ")) > 0.9999
      }),
    )
  })

  it.each(["", " \n\t", "!?… —", "\ud800", "👍"])(
    "without a letter or digit, %j points along the first axis",
    (text) => {
      assert.deepStrictEqual(hashedVector(text, 4), [1, 0, 0, 0])
    },
  )

  it.each([
    ["книга", "книги"],
    ["замовлення", "замовленням"],
    ["працівник", "працівниками"],
    ["оплатити рахунок", "оплачений рахунком"],
    ["відправлення", "відправленні"],
    ["користувач", "користувачами"],
    ["deployment", "deployments"],
    ["Lieferung", "Lieferungen"],
  ])("forms of a word are near each other: %s, %s", (a, b) => {
    for (const other of ["собака", "погода сьогодні", "database", "Wetter", "зелений чай"])
      assert.isAbove(near(a, b), near(a, other) + 0.15)
  })

  it.each([
    ["Café CRÈME", "cafe creme"],
    ["ＡＢＣ１２３", "abc123"],
    ["ﬁle", "file"],
    ["ÉCOLE", "e\u0301cole"],
    ["ΑΘΉΝΑ", "αθηνα"],
  ])("case, width, ligatures and accents do not count: %s, %s", (a, b) => assert.isAbove(near(a, b), 0.99))

  it.each([
    ["東京タワーに行きました", "東京タワーは高い", "昨日の会議の資料"],
    ["订单已经发货", "我的订单什么时候发货", "今天天气很好"],
    ["ฉันชอบกินข้าว", "เขากินข้าวแล้ว", "รถไฟมาสาย"],
    ["서울에서 만나요", "서울에 갔어요", "날씨가 좋다"],
  ])("scripts without spaces are compared: %s, %s", (a, b, other) =>
    assert.isAbove(near(a, b), near(a, other) + 0.1),
  )

  it("signs spread features evenly, and so do places", () => {
    const words = Array.from({ length: 4_000 }, (_, i) =>
      [...((i + 9) * 2_654_435_761).toString(36)].reverse().join(""),
    )
    const sums = words.reduce<ReadonlyArray<number>>(
      (sofar, word) => hashedVector(word, 64).map((x, i) => x + (sofar[i] ?? 0)),
      [],
    )
    // Each place has the sum of about 4,000 numbers of variance 1/64: five deviations are 40.
    assert.isBelow(Math.max(...sums.map(Math.abs)), 45)
    const unrelated = words.slice(0, 400).map((word, i) => Math.abs(near(word, words[3_000 + i] ?? "")))
    assert.isBelow(unrelated.reduce((sum, x) => sum + x, 0) / 400, 0.2)
  })

  it.each(["a", "ab c ", "書", "e\u0301", "\ud800", "ﷺ", "1 ", "ก"])(
    "a long run of %j takes linear time",
    (unit) => {
      const start = process.cpuUsage()
      hashedVector(unit.repeat(Math.ceil(300_000 / unit.length)), 384)
      assert.isBelow(process.cpuUsage(start).user / 1e6, 15)
    },
  )

  it("many different words take linear time", () => {
    const text = Array.from({ length: 40_000 }, (_, i) => (i * 2654435761).toString(36)).join(" ")
    const start = process.cpuUsage()
    hashedVector(text, 384)
    assert.isBelow(process.cpuUsage(start).user / 1e6, 15)
  })
})
