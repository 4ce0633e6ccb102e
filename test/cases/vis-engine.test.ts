import { modelSummariser } from "@palimpsest/adapter-llm"
import { assistant, type MessageRow, textOf, user } from "@palimpsest/core"
import { SummariserError } from "@palimpsest/core/engine"
import { Deferred, Effect, Exit, Fiber, Layer, Stream } from "effect"
import { LanguageModel } from "effect/ai"
import fc from "fast-check"
import { assert, describe, it } from "vitest"
import {
  allRows,
  faultsOf,
  honest,
  inputs,
  open,
  run,
  sentRows,
  sentTexts,
  summariserOf,
  talk,
  used,
  words,
} from "./Kit.ts"

const said = Effect.map(allRows(), (rows) => rows.filter((row): row is MessageRow => row.kind === "message"))

describe("what a user sees of a pass", () => {
  it("VIS-01: the model's stream and the thread hold the answer, and nothing of the summary", async () => {
    const note = "Order 17 was shipped."
    const delta = { add: [{ kind: "fact", text: note, sources: ["m1"] }], resolve: [], drop: [] }
    const asked = { whole: 0, streams: 0 }
    const model = Layer.effect(
      LanguageModel.LanguageModel,
      LanguageModel.make({
        generateText: () =>
          Effect.sync(() => {
            asked.whole += 1
            return [{ type: "text", text: JSON.stringify(delta) }]
          }),
        streamText: () =>
          Stream.suspend(() => {
            asked.streams += 1
            return Stream.make(
              { type: "text-start", id: "1" } as const,
              { type: "text-delta", id: "1", delta: "The " } as const,
              { type: "text-delta", id: "1", delta: "answer" } as const,
              { type: "text-end", id: "1" } as const,
            )
          }),
      }),
    )
    const summariser = modelSummariser({ name: "small", window: 50_000 }).pipe(Layer.provide(model))
    const shown = await run(
      Effect.gen(function* () {
        const step = yield* open(4_000, { policy: { tailGroups: 1 } })
        yield* step.append(inputs([...talk(14, 150, "order 17"), user("And now?")]))
        const prompt = yield* step.prompt
        assert.strictEqual(
          prompt.passes[0]?.mark.kind === "summary" && prompt.passes[0].mark.pass.outcome,
          "model",
        )
        const main = yield* LanguageModel.LanguageModel
        const deltas = yield* Stream.runCollect(main.streamText({ prompt: sentTexts(prompt).join("\n") }))
        const text = deltas.map((part) => (part.type === "text-delta" ? part.delta : "")).join("")
        yield* step.append([{ id: "answer", message: assistant(text) }])
        yield* step.end
        const rows = yield* said
        assert.lengthOf(rows, 30)
        assert.isFalse(rows.some(({ message }) => textOf(message.parts).includes(note)))
        const slots = prompt.slots.filter(({ message }) => textOf(message.parts).includes(note))
        assert.deepStrictEqual(
          slots.map(({ part, message }) => [part, message.role === "user" && message.synthetic]),
          [["summary", true]],
        )
        return text
      }).pipe(Effect.provide(model)),
      { summariser },
    )
    assert.strictEqual(shown, "The answer")
    assert.deepStrictEqual(asked, { whole: 1, streams: 1 })
  })

  it("VIS-03: with no tail asked for, the newest words of the user are sent after the summary, verbatim", async () => {
    let passes = 0
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 8, max: 16 }),
        fc.integer({ min: 0, max: 5 }),
        fc.constantFrom(1, 150, 500),
        async (turns, chain, size) => {
          await run(
            Effect.gen(function* () {
              const newest = user(`The newest question ${words(size)}`)
              const policy = {
                tail: { tokens: 0, fraction: 0 },
                tailGroups: 0,
                head: { tokens: 0, fraction: 0 },
              }
              const step = yield* open(4_000, { policy })
              const traffic = Array.from({ length: chain }, (_, i) => used(`c${i}`, 60)).flat()
              yield* step.append(inputs([...talk(turns, 150), newest, ...traffic]))
              const prompt = yield* step.compact()
              passes += prompt.passes.length
              const at = prompt.slots.findIndex(({ part }) => part === "summary")
              assert.include(sentTexts(prompt).slice(at + 1), textOf(newest.parts))
              assert.deepStrictEqual(faultsOf(prompt), [])
            }),
          )
        },
      ),
      { numRuns: 25, seed: 20_261_202 },
    )
    assert.isAbove(passes, 15)
  })

  it("VIS-04: a pass that fails takes nothing away, and the next one reads all of it again", async () => {
    const down = new SummariserError({
      summariser: "fake",
      reason: "Unreachable",
      isRetryable: false,
      detail: "no",
    })
    let isDown = true
    const model = summariserOf((request) => (isDown ? Effect.fail(down) : honest(request)))
    const messages = inputs([...talk(14, 150), user("And now?")])
    await run(
      Effect.gen(function* () {
        const step = yield* open(4_000, { policy: { onFailure: "hold", tailGroups: 1 } })
        yield* step.append(messages)
        for (const attempt of [1, 2]) {
          const failed = yield* step.compact()
          assert.deepStrictEqual(failed.passes, [])
          assert.deepStrictEqual(
            failed.degraded.map(({ stage }) => stage),
            ["summarise"],
          )
          assert.deepStrictEqual(
            sentRows(failed),
            messages.map(({ id }) => id),
          )
          assert.lengthOf(yield* allRows(), messages.length)
          assert.lengthOf(model.asked, attempt)
        }
        const first = model.asked[0]
        assert.deepStrictEqual(model.asked[1], first)
        isDown = false
        const made = yield* step.compact()
        assert.strictEqual(made.passes[0]?.kind, "summary")
        assert.deepStrictEqual(model.asked.at(-1)?.rows, first?.rows)
        assert.deepStrictEqual(model.asked.at(-1)?.transcript, first?.transcript)
        assert.isAbove(first?.rows.length ?? 0, 10)
        assert.deepStrictEqual(
          (yield* said).map(({ id, message }) => ({ id, message })),
          messages,
        )
      }),
      { summariser: model.layer },
    )
  })

  it.each([
    [
      "rejects",
      () =>
        Effect.fail(
          new SummariserError({ summariser: "x", reason: "Failed", isRetryable: true, detail: "" }),
        ),
    ],
    [
      "throws what is no error",
      () => {
        throw "no"
      },
    ],
    ["dies", () => Effect.die(new TypeError("no"))],
    ["answers nothing", () => Effect.succeed(undefined as never)],
    ["never answers", () => Effect.never],
  ])("VIS-05: a summariser that %s costs the summary of a model, never the step", async (_, answer) => {
    const model = summariserOf(answer)
    await run(
      Effect.gen(function* () {
        const step = yield* open(4_000, { policy: { tailGroups: 1 }, summariserTimeout: 40 })
        yield* step.append(inputs([...talk(14, 150), user("And now?")]))
        const prompt = yield* step.compact()
        const mark = prompt.passes[0]?.mark
        assert.strictEqual(mark?.kind === "summary" && mark.pass.outcome, "extractive")
        assert.strictEqual(prompt.degraded[0]?.stage, "summarise")
        yield* step.append([{ message: assistant("Still here") }])
        yield* step.end
      }),
      { summariser: model.layer },
    )
    assert.isAbove(model.asked.length, 0)
  })

  it("VIS-05: an interrupt ends a step that waits for a summariser, and frees the thread for the next", async () => {
    const asked = Deferred.makeUnsafe<void>()
    const model = summariserOf((request, call) =>
      call === 1 ? Effect.andThen(Deferred.succeed(asked, undefined), Effect.never) : honest(request),
    )
    await run(
      Effect.gen(function* () {
        const step = yield* open(4_000, { policy: { tailGroups: 1 } })
        yield* step.append(inputs([...talk(14, 150), user("And now?")]))
        const pass = yield* Effect.forkChild(step.compact(), { startImmediately: true })
        yield* Deferred.await(asked)
        yield* Fiber.interrupt(pass)
        assert.isTrue(Exit.hasInterrupts(yield* Fiber.await(pass)))
        const next = yield* (yield* open(4_000, { policy: { tailGroups: 1 } })).compact()
        assert.strictEqual(next.passes[0]?.kind, "summary")
        assert.deepStrictEqual(next.degraded, [])
      }),
      { summariser: model.layer },
    )
  })
})
