import {
  assistant,
  countMessage,
  countSystem,
  defaultAccounting,
  estimateCounter,
  fitTokens,
  isWellFormed,
  safeCounter,
  type TokenCounter,
  toolResult,
  user,
} from "@palimpsest/core"
import { Engine, Tokens } from "@palimpsest/core/engine"
import { loadO200k } from "@palimpsest/core/o200k"
import { memoryStore } from "@palimpsest/core/testing"
import { Effect, Layer } from "effect"
import { assert, describe, it } from "vitest"
import { inputs, open, sentTexts, talk } from "./Kit.ts"

const o200k = await loadO200k()

const refusing: TokenCounter = {
  name: "refusing",
  count: (text) => {
    if (text.includes("<|endoftext|>")) throw new Error("special token")
    return text.length
  },
}

/** Milliseconds of processor time that a function takes: other processes do not count. */
const time = (run: () => void): number => {
  const start = process.cpuUsage()
  run()
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1000
}

/** Letters of an alphabet in a fixed disorder. */
const letters = (length: number, first: number, size: number): string => {
  let seed = 7
  return Array.from({ length }, () => {
    seed = (seed * 48271) % 2147483647
    return String.fromCharCode(first + (seed % size))
  }).join("")
}

describe("tokenizers on hostile text", () => {
  it("BPE-01 special tokens count as plain text wherever they stand", () => {
    const text = "a <|endoftext|> b <|im_start|>"
    const count = (message: Parameters<typeof countMessage>[0]): number =>
      countMessage(message, o200k, defaultAccounting)
    const counts = [
      count(user(text)),
      count(toolResult("c1", text)),
      count(assistant("", [{ id: "c1", name: "f", arguments: JSON.stringify({ text }) }])),
      countSystem(text, o200k, defaultAccounting),
    ]
    for (const tokens of counts) assert.isAbove(tokens, 12)
  })

  it("BPE-02 a counter that throws on a text is replaced by the estimate for that text only", () => {
    const counter = safeCounter(refusing)
    const quoted = "The paper says <|endoftext|> here."
    assert.strictEqual(counter.count(quoted), estimateCounter.count(quoted))
    assert.strictEqual(counter.count("plain"), 5)
  })

  it("BPE-02 a chat that quotes what its counter refuses goes on, and is compacted", async () => {
    const quoted = "The paper says <|endoftext|> here."
    const program = Effect.gen(function* () {
      const step = yield* open(4_000)
      yield* step.append(inputs([user("Read it"), assistant(quoted), ...talk(4, 150), user(quoted)]))
      return yield* step.compact()
    })
    const layer = Engine.layer.pipe(
      Layer.provide(Tokens.layerFrom(refusing)),
      Layer.provideMerge(memoryStore),
    )
    const prompt = await Effect.runPromise(Effect.provide(program, layer))
    assert.strictEqual(prompt.passes[0]?.kind, "summary")
    assert.strictEqual(sentTexts(prompt).at(-1), quoted)
  })

  it.each([
    ["BPE-03 one letter", "a".repeat(1_000_000)],
    ["BPE-03 random letters", letters(300_000, 97, 26)],
    ["BPE-03 ideographs without a break", letters(100_000, 0x4e00, 3000)],
    ["BPE-05 carets", "^".repeat(1_000_000)],
    ["BPE-05 spaces", " ".repeat(1_000_000)],
    ["BPE-05 slashes and line breaks", "/\n".repeat(500_000)],
  ])("%s: a long text is counted in linear time", (_, text) => {
    const part = o200k.count(text.slice(0, text.length / 10))
    let whole = 0
    assert.isBelow(
      time(() => {
        whole = o200k.count(text)
      }),
      8_000,
    )
    assert.closeTo(whole / part, 10, 0.5)
  })

  it("BPE-05 a text that fits a few tokens is found in a megabyte without a break", () => {
    const elapsed = time(() => fitTokens("^".repeat(1_000_000), 1000, o200k))
    assert.isBelow(elapsed, 4_000)
  })

  it("BPE-06 a cut by tokens is a start of its source, whole characters only", () => {
    const text = "héllo 🧠漢字👨‍👩‍👧"
    for (let max = 1; max <= 40; max++) {
      const result = fitTokens(text, max, o200k)
      assert.isTrue(text.startsWith(result) && isWellFormed(result) && !result.includes("\ufffd"))
      assert.isAtMost(o200k.count(result), max)
    }
    assert.strictEqual(fitTokens(text, 40, o200k), text)
  })

  it("BPE-07 a replacement mark of the source is kept", () => {
    const text = "\ufffd漢"
    const first = o200k.count("\ufffd")
    assert.isAbove(o200k.count(text), first)
    assert.strictEqual(fitTokens(text, first, o200k), "\ufffd")
  })
})
