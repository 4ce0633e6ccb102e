import { assistant, type Message, type ToolCallPart, toolResult, user } from "@palimpsest/core"
import type { StepPrompt } from "@palimpsest/core/engine"
import { Effect, Result } from "effect"
import { assert, describe, it } from "vitest"
import {
  calls,
  faultsOf,
  honest,
  inputs,
  open,
  result,
  run,
  sentRows,
  sentTexts,
  summariserOf,
  talk,
  used,
} from "./Kit.ts"

const limitOf = (prompt: StepPrompt): number => prompt.decisions.at(-1)?.limits.limit ?? 0

/** A response with signed thinking that calls one tool. */
const thought = (id: string): Message => {
  const call: ToolCallPart = { type: "tool-call", id, name: "read", arguments: "{}" }
  return {
    role: "assistant",
    format: "anthropic",
    parts: [{ type: "reasoning", text: `I read ${id}.`, signature: "c2ln" }, call],
  }
}

const lines = (tokens: number): string =>
  Array.from({ length: tokens / 10 }, (_, i) => `line ${i} of a file, and its text`).join("\n")

describe("single parts that are too large", () => {
  it.each([
    ["SIZE-01: one result of more than two windows", 128_000, 300_000],
    ["SIZE-02: one result of nearly the whole window, in a short chat", 128_000, 122_000],
    ["SIZE-02: one result of half the window", 128_000, 64_000],
  ])("%s is sent as its head and tail, and is whole in the store", async (_, window, tokens) => {
    const model = summariserOf(honest)
    await run(
      Effect.gen(function* () {
        const step = yield* open(window)
        const text = lines(tokens)
        yield* step.append(inputs([user("Go"), calls("c1"), toolResult("c1", text)]))
        const prompt = yield* step.prompt
        assert.isAtMost(prompt.tokens.total, limitOf(prompt))
        const [, , sent] = sentTexts(prompt)
        const shown = JSON.stringify(prompt.slots[2]?.message)
        assert.isString(sent)
        assert.include(shown, "line 0 of a file")
        assert.include(shown, `line ${tokens / 10 - 1} of a file`)
        assert.isBelow(shown.length, text.length / 2)
        assert.deepStrictEqual((yield* step.recall("m3"))?.message, toolResult("c1", text))
        assert.lengthOf(faultsOf(prompt), 0)
      }),
      { summariser: model.layer },
    )
    assert.lengthOf(model.asked, 0)
  })

  it("SIZE-03: a user message that is too long by itself is a typed error, before anything is paid", async () => {
    const model = summariserOf(honest)
    await run(
      Effect.gen(function* () {
        const step = yield* open(64_000)
        yield* step.append(inputs([...talk(3, 500), user("x".repeat(1_300_000))]))
        for (const asked of [step.prompt, step.compact(), step.prompt]) {
          const made = yield* Effect.result(asked)
          if (Result.isSuccess(made)) return assert.fail("it was sent")
          assert.strictEqual(made.failure._tag, "CannotFitError")
          assert.include(made.failure.biggest[0]?.part, "user message")
          assert.isAbove(made.failure.needed, made.failure.limit)
        }
      }),
      { summariser: model.layer },
    )
    assert.lengthOf(model.asked, 0)
  })

  it("SIZE-08: one tool loop that fills the view is shortened in place, pairs and thinking whole", async () => {
    const model = summariserOf(honest)
    await run(
      Effect.gen(function* () {
        const step = yield* open(16_000)
        const loop = Array.from({ length: 60 }, (_, i) => [thought(`c${i}`), result(`c${i}`, 250)]).flat()
        yield* step.append(inputs([user("Go"), ...loop]))
        const prompt = yield* step.prompt
        assert.isAtMost(prompt.tokens.total, limitOf(prompt))
        assert.lengthOf(faultsOf(prompt), 0)
        assert.include(sentTexts(prompt), "Go")
        const responses = prompt.slots.filter(({ message }) => message.role === "assistant")
        assert.isAbove(responses.length, 0)
        for (const { message } of responses)
          assert.deepInclude(message.parts[0], { type: "reasoning", signature: "c2ln" })
      }),
      { summariser: model.layer },
    )
  })

  it("SIZE-09: the budget is that of the whole prompt, the current turn in it", async () => {
    const model = summariserOf(honest)
    await run(
      Effect.gen(function* () {
        const step = yield* open(10_000, { budget: { window: 10_000, reserve: 0, margin: 0 } })
        const turn = Array.from({ length: 30 }, (_, i) => used(`c${i}`, 1_000)).flat()
        yield* step.append(inputs([...talk(4, 480), user("Go"), ...turn]))
        const made = yield* Effect.result(step.prompt)
        if (Result.isFailure(made)) return assert.strictEqual(made.failure._tag, "CannotFitError")
        assert.isAtMost(made.success.tokens.total, 10_000)
        assert.include(sentTexts(made.success), "Go")
      }),
      { summariser: model.layer },
    )
  })
})

describe("windows that shrink, and loops that fill them", () => {
  it("SIZE-05: a thread of a big model is compacted before the first call of a small one", async () => {
    const model = summariserOf(honest)
    const wide = 200_000
    await run(
      Effect.gen(function* () {
        const policy = { trigger: { fraction: 0.9, tokens: 1_000_000 } }
        const first = yield* open(wide, { policy, model: "big" })
        yield* first.append(inputs([...talk(150, 990), user("Q")]))
        assert.isAbove((yield* first.prompt).tokens.total, 150_000)
        const usage = { input_tokens: 150_000, output_tokens: 5 }
        yield* first.append([{ id: "a", message: assistant("done"), usage }])
        yield* first.end
        const second = yield* open(32_000, { policy, model: "small" })
        yield* second.append([{ id: "b", message: user("Next") }])
        const prompt = yield* second.prompt
        assert.isAtLeast(prompt.passes.length, 1)
        assert.strictEqual(prompt.calibration.readings, 0)
        assert.isAtMost(prompt.tokens.total, 32_000 - 6_400)
        assert.strictEqual(sentTexts(prompt).at(-1), "Next")
      }),
      { summariser: model.layer },
    )
  })

  it("SIZE-06: the same history gives the same prompt, and sizes do not swing from call to call", async () => {
    const model = summariserOf(honest)
    await run(
      Effect.gen(function* () {
        const sizes: Array<number> = []
        let passes = 0
        for (let i = 0; i < 6; i++) {
          const step = yield* open(40_000)
          if (i === 0) yield* step.append(inputs([...talk(28, 990), user("Go")]))
          yield* step.append(inputs(used(`c${i}`, 40), 100 + 2 * i))
          const prompt = yield* step.prompt
          const again = yield* step.prompt
          assert.deepStrictEqual(sentTexts(again), sentTexts(prompt))
          passes += prompt.passes.length
          sizes.push(prompt.tokens.total)
          yield* step.end
        }
        assert.strictEqual(passes, 1)
        assert.deepStrictEqual(
          sizes,
          sizes.toSorted((a, b) => a - b),
        )
      }),
      { summariser: model.layer },
    )
  })

  it("SIZE-07: every call of a long tool loop is within the budget", async () => {
    const model = summariserOf(honest)
    await run(
      Effect.gen(function* () {
        const step = yield* open(100_000)
        yield* step.append(inputs([user("Go")]))
        for (let i = 0; i < 40; i++) {
          yield* step.append(inputs(used(`c${i}`, 5_000), 2 + 2 * i))
          const prompt = yield* step.prompt
          assert.isAtMost(prompt.tokens.total, limitOf(prompt))
          assert.isAtMost(limitOf(prompt), 100_000 - 16_000)
          assert.include(sentTexts(prompt), "Go")
          assert.include(sentRows(prompt), `m${3 + 2 * i}`)
          assert.lengthOf(faultsOf(prompt), 0)
        }
      }),
      { summariser: model.layer },
    )
  })
})
