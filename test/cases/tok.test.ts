import {
  type Accounting,
  assistant,
  calibrate,
  countMessage,
  defaultAccounting,
  estimateCounter,
  type Message,
  makeBudget,
  overflowReading,
  readUsage,
  toolResult,
  user,
} from "@palimpsest/core"
import { loadO200k } from "@palimpsest/core/o200k"
import { assert, describe, it } from "vitest"
import { look, result, settings, talk, threadOf, words } from "./Kit.ts"

const o200k = await loadO200k()

const measured = (usage: unknown, window?: number) => {
  const read = readUsage(usage, window === undefined ? {} : { window })
  return read._tag === "Measured" ? read : assert.fail(read._tag)
}

const picture = (length: number): Message => ({
  role: "user",
  parts: [
    { type: "text", text: "What is on this one?" },
    { type: "media", mediaType: "image/png", data: `data:image/png;base64,${"A".repeat(length)}` },
  ],
})

/** Characters of an alphabet in a fixed disorder. */
const noise = (length: number, alphabet: string): string => {
  let seed = 7
  return Array.from({ length }, () => {
    seed = (seed * 48271) % 2147483647
    return alphabet[seed % alphabet.length]
  }).join("")
}

const BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

describe("usage that providers report", () => {
  it("TOK-01: what was read from a cache is a part of the prompt, once", () => {
    const usage = {
      prompt_tokens: 40_000,
      prompt_tokens_details: { cached_tokens: 39_900 },
      completion_tokens: 900,
    }
    assert.deepInclude(measured(usage), { input: 40_000, cached: 39_900, context: 40_900 })
  })

  it("TOK-02: where the input is told without the cached part, that part is added", () => {
    const { context } = measured({ input: 200, output: 100, cacheRead: 98_000, cacheWrite: 0 })
    assert.strictEqual(context, 98_300)
    assert.isAbove(context, 100_000 - 16_000)
  })

  it("TOK-03: a sum over a tool loop is no reading of a prompt", () => {
    const usage = { input_tokens: 900, cache_read_input_tokens: 12 * 150_000, output_tokens: 4_000 }
    const read = readUsage(usage, { window: 200_000 })
    assert.deepInclude(read, { _tag: "Unusable", reason: "AboveWindow" })
  })

  it("TOK-16: a counter of the whole life of a chat is no reading of a prompt", () => {
    const read = readUsage({ total_tokens: 2_400_000 }, { window: 200_000 })
    assert.deepInclude(read, { _tag: "Unusable", reason: "AboveWindow" })
  })

  it("TOK-20: parts are used where there are parts, whatever the total says", () => {
    const { context } = measured({ input: 9_000, output: 1_000, reasoning: 500, total: 90_000 })
    assert.strictEqual(context, 10_500)
    assert.deepStrictEqual(readUsage({ total_tokens: 90_000 }), { _tag: "ContextOnly", context: 90_000 })
  })
})

describe("what is counted, and how", () => {
  it("TOK-05: the price of an image does not follow from the length of its encoding", () => {
    const big = picture(4_000_000)
    const count = (message: Message) => countMessage(message, o200k, defaultAccounting)
    assert.isBelow(count(big), 1_500)
    assert.strictEqual(count(big), count(picture(40)))
    assert.strictEqual(look(threadOf([big]), settings(80_000)).decision._tag, "Keep")
  })

  it("TOK-07: text without words is not undercounted", () => {
    for (const [length, alphabet] of [[100_000, BASE64] as const, [20_000, "0123456789abcdef"] as const]) {
      const text = noise(length, alphabet)
      assert.isAtLeast(estimateCounter.count(text), 0.8 * o200k.count(text))
    }
    const minified = noise(40_000, "(){};=>.,+!&|?:ntreovarfunctioi0129")
    assert.isAtLeast(estimateCounter.count(minified), 0.8 * o200k.count(minified))
  })

  it("TOK-08: the price of an image is a setting of the model, its encoding as text included", () => {
    const asText: Accounting = {
      ...defaultAccounting,
      image: { kind: "encoding", perThousand: 830, unknown: 1_500 },
    }
    const chat = Array.from({ length: 45 }, () => [picture(120_000), assistant("A cat.")]).flat()
    const thread = threadOf(chat.map((message) => ({ ...message })))
    const as = (accounting: Accounting) => {
      const options = { ...settings(200_000), accounting }
      const counted = thread.rows.map((row) =>
        row.kind === "message"
          ? { ...row, tokens: countMessage(row.message, options.counter, accounting) }
          : row,
      )
      return look({ ...thread, rows: counted }, options).decision
    }
    assert.strictEqual(as(defaultAccounting)._tag, "Keep")
    assert.isAbove(as(asText).parts.total, 4_000_000)
    assert.notStrictEqual(as(asText)._tag, "Keep")
  })

  it("TOK-08: an overflow is proof that the estimate was low", () => {
    const target = { model: "m", counter: "c", boundary: null }
    const refused = overflowReading({ ...target, estimated: 54_000 }, 200_000)
    const { factor, ceiling } = calibrate([refused], target)
    assert.strictEqual(ceiling, 54_000)
    assert.strictEqual(factor, 2.5)
  })

  it("TOK-09: system prompt, tools and messages are in one budget", () => {
    const messages = [user("Go"), assistant(words(990)), user("More"), assistant(words(1_000)), user("Next")]
    const options = {
      ...settings(8_000),
      budget: makeBudget({ window: 8_000, reserve: 1_000, tools: 4_000 }),
    }
    const { decision } = look(threadOf(messages, words(1_500)), options)
    assert.isAbove(decision.parts.total, decision.limits.limit)
    assert.include(["Summarize", "Prune", "Truncate", "CannotFit"], decision._tag)
    const bare = look(threadOf(messages, words(1_500)), settings(8_000))
    assert.strictEqual(bare.decision._tag, "Keep")
  })

  it("TOK-10: arguments of calls are counted as the text that they are", () => {
    const rows = Array.from({ length: 1_000 }, (_, id) => ({ id, sku: `A-${id * 37}`, qty: id % 9 }))
    const json = JSON.stringify({ rows })
    const call = assistant("", [{ id: "c1", name: "write", arguments: json }])
    assert.isAbove(json.length, 30_000)
    for (const counter of [o200k, estimateCounter])
      assert.isAtLeast(countMessage(call, counter, defaultAccounting), Math.min(8_000, o200k.count(json)))
  })

  it("TOK-11: a tail of ideographs is no larger than one of letters", () => {
    const han = noise(100, "今天天气很好我们一起去公园散步吧越来越多的公司开始使用大型语言模型")
    const text = (i: number) => `${String.fromCharCode(0x4e00 + i)}${han.slice(1)}`
    const messages = Array.from({ length: 60 }, (_, i) => (i % 2 === 0 ? user(text(i)) : assistant(text(i))))
    const options = {
      ...settings(16_000, { tail: { tokens: 1_000, fraction: 1 }, tailGroups: 0 }),
      counter: estimateCounter,
    }
    const thread = threadOf(messages)
    const rows = thread.rows.map((row) =>
      row.kind === "message"
        ? { ...row, tokens: countMessage(row.message, estimateCounter, defaultAccounting) }
        : row,
    )
    const { decision, window } = look({ ...thread, rows }, options, { manual: true })
    if (decision._tag !== "Summarize") return assert.fail(decision._tag)
    const covered = new Set([...decision.span, ...decision.head, ...decision.carry])
    const tail = window.entries.filter(({ row }) => !covered.has(row.id))
    const real = tail.reduce((sum, { row }) => sum + countMessage(row.message, o200k, defaultAccounting), 0)
    assert.isAbove(tail.length, 2)
    // The estimate is at least 0.8 of the tokens of any script: see the tests of counting.
    assert.isAtMost(real, 1_000 / 0.8)
  })

  it("TOK-13: what will be reduced is reduced first: old words stay, and nothing is dropped", () => {
    const first = assistant(`Let me see. ${words(180)}`, [{ id: "c1", name: "read", arguments: "{}" }])
    const messages = [user("Go"), first, result("c1", 3_000), ...talk(6, 150), user("Next")]
    const { decision, window } = look(threadOf(messages), settings(8_000))
    if (decision._tag !== "Prune") return assert.fail(decision._tag)
    assert.isFalse(decision.squeezed)
    assert.deepStrictEqual(
      decision.reductions.map(({ row }) => row),
      ["m3"],
    )
    assert.isAtMost(decision.parts.total - decision.gain, decision.limits.target)
    assert.lengthOf(window.entries, messages.length)
  })

  it("TOK-17: a reserve that nobody gave is a share of the window, and no window is no room", () => {
    const { limit } = makeBudget({ window: 16_384 })
    assert.isAtLeast(limit, 8_000)
    assert.isAtMost(limit, 15_000)
    for (const window of [Number.NaN, 0, -1, Number.POSITIVE_INFINITY]) {
      const options = { ...settings(1), budget: makeBudget({ window }) }
      const { decision } = look(threadOf([user("Go")]), options)
      assert.strictEqual(options.budget.limit, 0)
      assert.strictEqual(decision._tag, "CannotFit")
    }
  })

  it("TOK-18: what the reply may take is kept free of the prompt", () => {
    const options = { ...settings(128_000), budget: makeBudget({ window: 128_000, reserve: 32_000 }) }
    const chat = Array.from({ length: 35 }, (_, i) => [user(`Q${i}`), assistant(words(2_990))]).flat()
    const { decision } = look(threadOf([...chat, user("Next")]), options)
    assert.isAbove(decision.parts.total, 104_000)
    assert.isAtMost(decision.limits.limit + 32_000, 128_000)
    assert.strictEqual(decision._tag, "Summarize")
    assert.strictEqual(decision._tag === "Summarize" && decision.cause, "limit")
  })

  it("TOK-19: an overhead above the trigger moves the trigger: nothing is compacted that cannot help", () => {
    const options = { ...settings(30_000), budget: makeBudget({ window: 30_000, tools: 2_000 }) }
    for (const messages of [[], [user("Hello")], [user("Hello"), toolResult("c", "stray")]]) {
      const { decision } = look(threadOf(messages, words(16_000)), options)
      assert.strictEqual(decision._tag, "Keep")
      assert.isAbove(decision.limits.trigger, decision.parts.system)
    }
  })
})
