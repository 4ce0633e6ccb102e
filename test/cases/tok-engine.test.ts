import { assistant, type MediaPart, type Message, toolResult, user } from "@palimpsest/core"
import type { StepPrompt } from "@palimpsest/core/engine"
import { Effect } from "effect"
import { assert, describe, it } from "vitest"
import { calls, honest, inputs, open, run, sentTexts, summariserOf, talk, words } from "./Kit.ts"

const MODEL = { model: "m" }

const media = (prompt: StepPrompt): ReadonlyArray<MediaPart> =>
  prompt.slots.flatMap(({ message }) =>
    message.parts.flatMap((part) => (part.type === "media" ? [part] : [])),
  )

const picture = (text: string, length: number): Message => ({
  role: "user",
  parts: [
    { type: "text", text },
    { type: "media", mediaType: "image/png", data: `data:image/png;base64,${"A".repeat(length)}` },
  ],
})

/** Asks, is answered with this usage, and asks again. */
const askedTwice = (
  window: number,
  messages: ReadonlyArray<Message>,
  usage: (estimated: number) => unknown,
) => {
  const model = summariserOf(honest)
  return run(
    Effect.gen(function* () {
      const step = yield* open(window, MODEL)
      yield* step.append(inputs(messages))
      const first = yield* step.prompt
      yield* step.append([{ id: "answer", message: assistant("done"), usage: usage(first.tokens.total) }])
      yield* step.append([{ id: "next", message: user("Next") }])
      return { first, second: yield* step.prompt, asked: model.asked.length }
    }),
    { summariser: model.layer },
  ).then((made) => ({ ...made, asked: model.asked.length }))
}

describe("passes by what was really counted", () => {
  it("TOK-01: cached tokens that are in the prompt already bring no pass nearer", async () => {
    const { second, asked } = await askedTwice(140_000, [...talk(40, 990), user("Q")], (estimated) => ({
      prompt_tokens: estimated,
      prompt_tokens_details: { cached_tokens: estimated - 100 },
      completion_tokens: 900,
    }))
    assert.strictEqual(second.calibration.factor, 1)
    assert.lengthOf(second.passes, 0)
    assert.strictEqual(asked, 0)
  })

  it("TOK-02: cached tokens beside the prompt count, and a pass that is due runs", async () => {
    const { first, second, asked } = await askedTwice(100_000, [...talk(48, 990), user("Q")], () => ({
      input: 200,
      output: 100,
      cacheRead: 98_000,
      cacheWrite: 0,
    }))
    assert.lengthOf(first.passes, 0)
    assert.strictEqual(second.passes[0]?.kind, "summary")
    assert.strictEqual(asked, 1)
  })

  it("TOK-03: a sum over a tool loop changes nothing, and is told", async () => {
    const { first, second } = await askedTwice(200_000, [...talk(30, 990), user("Q")], () => ({
      input_tokens: 900,
      cache_read_input_tokens: 12 * 150_000,
      output_tokens: 4_000,
    }))
    assert.deepStrictEqual(second.calibration, first.calibration)
    assert.lengthOf(second.passes, 0)
    assert.include(second.degraded[0]?.reason, "a sum over several requests")
  })

  it("TOK-06: a chat of one turn is not compacted, however long the encoding of its image", async () => {
    const model = summariserOf(honest)
    await run(
      Effect.gen(function* () {
        const step = yield* open(20_000)
        yield* step.append(inputs([picture("What is on it?", 1_600_000)]))
        for (const prompt of [yield* step.prompt, yield* step.compact()]) {
          assert.lengthOf(prompt.passes, 0)
          assert.strictEqual(media(prompt)[0]?.data.length, 1_600_022)
        }
      }),
      { summariser: model.layer },
    )
    assert.lengthOf(model.asked, 0)
  })

  it("TOK-07: encoded data in a text is cut before it is ever sent", () =>
    run(
      Effect.gen(function* () {
        const step = yield* open(32_000)
        const data = `data:text/plain;base64,${"QUJD".repeat(250_000)}`
        yield* step.append(inputs([user("Read it"), calls("c1"), toolResult("c1", data)]))
        const { tokens, decisions, slots } = yield* step.prompt
        assert.isBelow(tokens.total, decisions[0]?.limits.trigger ?? 0)
        assert.lengthOf(slots, 3)
        const whole = yield* step.recall("m3")
        assert.include(JSON.stringify(whole?.message), data)
      }),
    ))

  it("TOK-08: a first overflow leads to one pass and no loop", async () => {
    const model = summariserOf(honest)
    await run(
      Effect.gen(function* () {
        const step = yield* open(40_000, MODEL)
        const chat = Array.from({ length: 12 }, (_, i) => [
          picture(`Look ${i}`, 120_000),
          assistant(words(40)),
        ])
        yield* step.append(inputs([...chat.flat(), user("Next")]))
        const first = yield* step.prompt
        assert.lengthOf(first.passes, 0)
        yield* step.overflowed
        const second = yield* step.prompt
        assert.isAtLeast(second.passes.length, 1)
        assert.isBelow(second.tokens.total, first.tokens.total)
        assert.isBelow(media(second).length, media(first).length)
        const third = yield* step.prompt
        assert.lengthOf(third.passes, 0)
        assert.deepStrictEqual(sentTexts(third), sentTexts(second))
      }),
      { summariser: model.layer },
    )
    assert.isAtMost(model.asked.length, 1)
  })

  it("TOK-14: what was counted before a pass says nothing after it", async () => {
    const model = summariserOf(honest)
    await run(
      Effect.gen(function* () {
        const step = yield* open(100_000, MODEL)
        yield* step.append(inputs([...talk(48, 900), user("Q")]))
        yield* step.prompt
        yield* step.append([
          { id: "a", message: assistant("done"), usage: { input_tokens: 80_000, output_tokens: 9 } },
        ])
        yield* step.append([{ id: "b", message: user("Next") }])
        assert.strictEqual((yield* step.prompt).passes[0]?.kind, "summary")
        for (let i = 0; i < 3; i++) {
          const again = yield* step.prompt
          assert.lengthOf(again.passes, 0)
          assert.strictEqual(again.calibration.readings, 0)
        }
      }),
      { summariser: model.layer },
    )
    assert.lengthOf(model.asked, 1)
  })

  it("TOK-15: a big turn costs one pass, and the short one after it none", async () => {
    const model = summariserOf(honest)
    await run(
      Effect.gen(function* () {
        const step = yield* open(40_000, MODEL)
        yield* step.append(inputs([...talk(30, 600), user(words(3_000))]))
        const first = yield* step.prompt
        assert.lengthOf(first.passes, 1)
        const usage = { promptTokenCount: first.tokens.total, candidatesTokenCount: 5 }
        yield* step.append([{ id: "a", message: assistant("done"), usage }])
        yield* step.append([{ id: "b", message: user("Short") }])
        assert.lengthOf((yield* step.prompt).passes, 0)
      }),
      { summariser: model.layer },
    )
    assert.lengthOf(model.asked, 1)
  })

  it("TOK-16: a counter that only grows decides nothing", async () => {
    const { second, asked } = await askedTwice(200_000, [...talk(30, 990), user("Q")], () => ({
      input_tokens: 2_400_000,
      output_tokens: 90_000,
    }))
    assert.lengthOf(second.passes, 0)
    assert.strictEqual(second.calibration.readings, 0)
    assert.strictEqual(asked, 0)
  })

  it("TOK-19: a chat that has not begun is not compacted, and the prompt says where its trigger is", async () => {
    const model = summariserOf(honest)
    await run(
      Effect.gen(function* () {
        const step = yield* open(30_000, { system: words(12_000) })
        yield* step.append(inputs([user("Hello")]))
        for (const prompt of [yield* step.prompt, yield* step.compact()]) {
          assert.lengthOf(prompt.passes, 0)
          assert.isAbove(prompt.decisions[0]?.limits.trigger ?? 0, prompt.tokens.total)
        }
      }),
      { summariser: model.layer },
    )
    assert.lengthOf(model.asked, 0)
  })
})
