import { assistant, type Message, type Row, user } from "@palimpsest/core"
import { ThreadStore } from "@palimpsest/core/engine"
import { makeMemoryState } from "@palimpsest/core/testing"
import { Effect } from "effect"
import { assert, describe, it } from "vitest"
import { allRows, honest, inputs, KEY, open, run, summariserOf, talk, words } from "../cases/Kit.ts"

const usageOf = (tokens: number) => ({
  prompt_tokens: tokens,
  completion_tokens: 9,
  total_tokens: tokens + 9,
})

const MODEL = { model: "m" }

const readings = (rows: ReadonlyArray<Row>) =>
  rows.flatMap((row) => (row.kind === "message" && row.usage !== undefined ? [row.usage] : []))

const answer = (text: string, id: string, usage: unknown) => ({ id, message: assistant(text), usage })

describe("what a provider reports of a prompt", () => {
  it("stands on the answer of the prompt that it measured", () =>
    run(
      Effect.gen(function* () {
        const step = yield* open(20_000, {
          ...MODEL,
          tools: [{ name: "read", description: words(50), parameters: {} }],
        })
        yield* step.append(inputs([user(words(1_000))]))
        const prompt = yield* step.prompt
        yield* step.append([answer("done", "a1", usageOf(1_500))])
        yield* step.checkpoint
        const [reading, ...more] = readings(yield* allRows())
        assert.lengthOf(more, 0)
        assert.strictEqual(reading?.real, 1_500)
        assert.strictEqual(reading?.boundary, null)
        assert.isAbove(reading?.estimated ?? 0, prompt.tokens.total + 50)
        assert.deepInclude(reading, { model: "m", counter: "test/quarter" })
      }),
    ))

  const other: ReadonlyArray<readonly [string, string, ReadonlyArray<Message>, object, unknown]> = [
    ["no model is named", "no model is named", [], {}, usageOf(1_500)],
    ["a user message stands between", "right before the response", [user("Wait")], MODEL, usageOf(1_500)],
    ["it is a sum", "a sum over several requests", [], MODEL, usageOf(931_000)],
    ["the server does not count", "a prompt of no tokens", [], MODEL, usageOf(0)],
    ["it is a total", "how long the prompt was", [], MODEL, { total_tokens: 1_500 }],
    ["it is nonsense", "no number of tokens", [], MODEL, { prompt_tokens: Number.NaN }],
  ]

  it.each(other)("is no reading when %s, and the next prompt says so", (_, reason, between, options, usage) =>
    run(
      Effect.gen(function* () {
        const step = yield* open(20_000, options)
        yield* step.append(inputs([user(words(1_000))]))
        const before = yield* step.prompt
        yield* step.append([...between.map((message) => ({ message })), answer("done", "a1", usage)])
        yield* step.append([{ message: user("Next") }])
        const { calibration, degraded } = yield* step.prompt
        assert.deepStrictEqual(calibration, before.calibration)
        assert.deepStrictEqual(
          degraded.map(({ stage }) => stage),
          ["usage"],
        )
        assert.include(degraded[0]?.reason, reason)
        assert.lengthOf((yield* step.prompt).degraded, 0)
        yield* step.end
        assert.lengthOf(readings(yield* allRows()), 0)
      }),
    ),
  )

  it("on a message of the user, or when nothing was asked, is no reading", () =>
    run(
      Effect.gen(function* () {
        const step = yield* open(20_000, MODEL)
        yield* step.append([{ message: user(words(1_000)), usage: usageOf(900) }])
        yield* step.append([answer("done", "a1", usageOf(1_500))])
        const { degraded } = yield* step.prompt
        assert.lengthOf(degraded, 2)
        assert.include(degraded[0]?.reason, "no response")
        assert.include(degraded[1]?.reason, "no prompt of this step")
      }),
    ))

  it("is told once when an answer is appended twice", () =>
    run(
      Effect.gen(function* () {
        const step = yield* open(20_000, MODEL)
        yield* step.append(inputs([user(words(1_000))]))
        yield* step.prompt
        yield* step.append([answer("done", "a1", usageOf(1_500))])
        yield* step.append([answer("done", "a1", usageOf(1_800))])
        yield* step.end
        assert.deepStrictEqual(
          readings(yield* allRows()).map(({ real }) => real),
          [1_500],
        )
      }),
    ))

  it("corrects the next prompt, and that of the next process", async () => {
    const state = makeMemoryState()
    const program = Effect.gen(function* () {
      const step = yield* open(20_000, MODEL)
      yield* step.append(inputs([user(words(2_000))]))
      const first = yield* step.prompt
      yield* step.append([answer("done", "a1", usageOf(2 * first.tokens.total))])
      yield* step.end
      return first
    })
    const first = await run(program, { state })
    assert.deepStrictEqual(first.calibration, { factor: 1, readings: 0, ceiling: null })
    const again = (options: object) =>
      run(
        Effect.gen(function* () {
          const step = yield* open(20_000, options)
          return yield* step.prompt
        }),
        { state },
      )
    const next = await again(MODEL)
    assert.deepStrictEqual(next.calibration, { factor: 2, readings: 1, ceiling: null })
    const limitOf = (prompt: typeof next) => prompt.decisions.at(-1)?.limits.limit ?? 0
    assert.approximately(limitOf(next), limitOf(first) / 2, 1)
    for (const options of [{}, { model: "another" }])
      assert.strictEqual((await again(options)).calibration.readings, 0)
  })

  it("is void after a cut: the prompt is another text", async () => {
    const model = summariserOf(honest)
    await run(
      Effect.gen(function* () {
        const step = yield* open(20_000, MODEL)
        yield* step.append(inputs([...talk(9, 300), user("Next")]))
        yield* step.prompt
        yield* step.append([answer("done", "a1", usageOf(6_000))])
        yield* step.append([{ message: user("More") }])
        assert.strictEqual((yield* step.prompt).calibration.readings, 1)
        const after = yield* step.compact()
        assert.strictEqual(after.passes[0]?.kind, "summary")
        assert.deepStrictEqual(after.calibration, { factor: 1, readings: 0, ceiling: null })
      }),
      { summariser: model.layer },
    )
  })

  it("that a store damaged is no reading, and the message stays", async () => {
    const state = makeMemoryState()
    await run(
      Effect.gen(function* () {
        const step = yield* open(20_000, MODEL)
        yield* step.append(inputs([user(words(1_000))]))
        yield* step.prompt
        yield* step.append([answer("done", "a1", usageOf(1_500))])
        yield* step.end
      }),
      { state },
    )
    const chat = state.chat(KEY)
    chat.messages = chat.messages.map((row) => ({
      ...row,
      usage: row.usage === null ? null : '{"real":"many"}',
    }))
    await run(
      Effect.gen(function* () {
        const { rows, faults } = yield* (yield* ThreadStore).load(KEY)
        assert.lengthOf(rows, 2)
        assert.lengthOf(faults, 0)
        assert.lengthOf(readings(rows), 0)
      }),
      { state },
    )
  })
})
