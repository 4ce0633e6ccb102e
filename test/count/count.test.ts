import { readFileSync } from "node:fs"
import {
  type Accounting,
  assistant,
  countMessage,
  countSystem,
  countTools,
  defaultAccounting,
  estimateCounter,
  type ImageRule,
  imageTokens,
  type Message,
  sliceForCounting,
  toolResult,
} from "@palimpsest/core"
import { loadO200k } from "@palimpsest/core/o200k"
import { countTokens } from "gpt-tokenizer/encoding/o200k_base"
import { assert, describe, it } from "vitest"

const o200k = await loadO200k()
const words = { name: "words", count: (text: string) => text.split(/\s+/).filter(Boolean).length }

const photo = (data: string, size: object = {}): Message => ({
  role: "user",
  parts: [
    { type: "text", text: "What is on this one?" },
    { type: "media", mediaType: "image/png", data, ...size },
  ],
})

const area: ImageRule = { kind: "anthropic-area", unknown: 1600 }
const patches: ImageRule = { kind: "anthropic-patches", most: 1600, unknown: 1500 }
const flat: ImageRule = { kind: "flat", unknown: 800 }

describe("images", () => {
  it.each([
    ["tiles, small", defaultAccounting.image, { width: 512, height: 512 }, 255],
    ["tiles, scaled to a short side of 768", defaultAccounting.image, { width: 2048, height: 4096 }, 1105],
    ["tiles, wide", defaultAccounting.image, { width: 9000, height: 100 }, 765],
    ["tiles, low detail", defaultAccounting.image, { width: 4096, height: 4096, detail: "low" as const }, 85],
    ["tiles, size unknown", defaultAccounting.image, {}, 1445],
    ["tiles, size nonsense", defaultAccounting.image, { width: 0, height: Number.NaN }, 1445],
    ["area", area, { width: 1000, height: 750 }, 1000],
    ["area, size unknown", area, { width: 10 }, 1600],
    ["patches", patches, { width: 1280, height: 720 }, 1196],
    ["patches, capped", patches, { width: 9000, height: 9000 }, 1600],
    ["flat", flat, { width: 1, height: 1 }, 800],
  ])("%s", (_, rule, size, tokens) => {
    assert.strictEqual(imageTokens(size, rule), tokens)
  })

  it("TOK-05 four million characters of encoding cost one image", () => {
    const big = countMessage(
      photo(`data:image/png;base64,${"A".repeat(4_000_000)}`),
      o200k,
      defaultAccounting,
    )
    assert.strictEqual(big, countMessage(photo("https://example.com/a.png"), o200k, defaultAccounting))
    assert.isBelow(big, 1500)
  })
})

describe("messages", () => {
  it("TOK-10 arguments, names, ids and reasoning count", () => {
    const json = JSON.stringify({ text: "lorem ipsum dolor ".repeat(2200) })
    const call = assistant("", [{ id: "call_1", name: "write_file", arguments: json }])
    assert.isAbove(countMessage(call, o200k, defaultAccounting), 6_000)
    assert.isAbove(countMessage(call, estimateCounter, defaultAccounting), 6_000)
    const thought: Message = { role: "assistant", parts: [{ type: "reasoning", text: "one two three" }] }
    assert.strictEqual(countMessage(thought, words, defaultAccounting), 3 + 1 + 3)
  })

  it("TOK-09 the system prompt and the tools count", () => {
    const parameters = { type: "object", properties: { city: { type: "string" } } }
    const tool = { name: "weather", description: "Tells the weather of a city.", parameters }
    assert.isAbove(countTools([tool], o200k, defaultAccounting), 25)
    assert.strictEqual(
      countTools([tool, tool], o200k, defaultAccounting),
      2 * countTools([tool], o200k, defaultAccounting),
    )
    assert.strictEqual(countSystem("Be kind.", words, defaultAccounting), 3 + 1 + 2)
    assert.strictEqual(countSystem("", words, defaultAccounting), 0)
  })

  it("prices each thing by its field", () => {
    const accounting: Accounting = {
      perMessage: 1e1,
      perName: 1e2,
      priming: 1e3,
      perCall: 1e4,
      perTool: 1e5,
      perFile: 1e6,
      image: { kind: "flat", unknown: 1e7 },
    }
    const count = (message: Message): number =>
      countMessage(message, { name: "zero", count: () => 0 }, accounting)
    const file = { type: "media", mediaType: "application/pdf", data: "x" } as const
    const image = { type: "media", mediaType: "image/png", data: "x" } as const
    assert.strictEqual(count({ role: "user", name: "ann", parts: [file, image] }), 11_000_110)
    assert.strictEqual(count(assistant("", [{ id: "a", name: "f", arguments: "" }])), 10_010)
    const [result] = toolResult("a", "x").parts
    const two: Message = { role: "tool", parts: result === undefined ? [] : [result, result] }
    assert.strictEqual(count(two), 20)
  })

  it("gives the total that the cookbook's recipe gives", () => {
    const system = "You are a helpful, pattern-following assistant."
    const total =
      defaultAccounting.priming +
      countSystem(system, o200k, defaultAccounting) +
      countMessage(
        { role: "user", name: "ann", parts: [{ type: "text", text: "Hello world" }] },
        o200k,
        defaultAccounting,
      )
    const texts = ["system", system, "user", "ann", "Hello world"]
    assert.strictEqual(total, 3 + 2 * 3 + 1 + texts.reduce((sum, text) => sum + countTokens(text), 0))
  })
})

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8")

const samples: ReadonlyArray<readonly [string, string]> = [
  ["code", read("packages/core/src/thread/Row.ts")],
  ["a licence", read("LICENSE")],
  ["JSON", read("package-lock.json").slice(0, 60_000)],
  ["Chinese", "今天天气很好，我们一起去公园散步吧。越来越多的公司开始使用大型语言模型来处理客户请求。"],
  ["Japanese", "今日は天気がいいので、公園に散歩に行きましょう。人工知能は世界を変えています。"],
  ["Ukrainian", "Сьогодні гарна погода, ходімо гуляти в парк. Штучний інтелект змінює світ навколо нас."],
  [
    "base64",
    Buffer.from(Uint8Array.from({ length: 6000 }, (_, i) => (i * i * 31 + i * 7) >> 3)).toString("base64"),
  ],
  [
    "hexadecimal",
    Buffer.from(Uint8Array.from({ length: 6000 }, (_, i) => (i * i * 31 + i * 7) >> 3)).toString("hex"),
  ],
  ["emoji", "👍🎉 ok 👨‍👩‍👧 🇺🇦 e\u0301"],
]

describe("o200k", () => {
  it.each(samples)("counts %s exactly as the tokenizer without a guard", (_, text) => {
    assert.strictEqual(sliceForCounting(text).length, 1)
    assert.strictEqual(o200k.count(text), countTokens(text))
  })

  it("stays fast when its memory of pieces is full", () => {
    o200k.count(Array.from({ length: 60_000 }, (_, i) => `q${i.toString(36)}zx`).join(" "))
    const start = process.cpuUsage()
    assert.strictEqual(o200k.count("a's".repeat(100_000)), 200_000)
    assert.isBelow(process.cpuUsage(start).user / 1000, 4_000)
  })
})

describe("estimateCounter", () => {
  it.each(samples)("is between 0.8 and 2 times the tokens of %s", (_, text) => {
    const ratio = estimateCounter.count(text) / o200k.count(text)
    assert.isAtLeast(ratio, 0.8)
    assert.isAtMost(ratio, 2)
  })
})
