import {
  assistant,
  type Message,
  type MessageRow,
  messagesOf,
  type SummaryRow,
  textOf,
  user,
} from "@palimpsest/core"
import type { Step, StepPrompt } from "@palimpsest/core/engine"
import { makeMemoryState } from "@palimpsest/core/testing"
import { Deferred, Effect, Fiber } from "effect"
import fc from "fast-check"
import { assert, describe, it } from "vitest"
import { allRows, honest, inputs, open, run, sentRows, sentTexts, summariserOf, talk } from "./Kit.ts"

const all = { concurrency: "unbounded" } as const
const newest = (prompt: StepPrompt): Message | undefined => messagesOf(prompt).at(-1)

const messageIds = Effect.map(allRows(), (rows) =>
  rows.filter((row): row is MessageRow => row.kind === "message").map((row) => row.id),
)
const summaries = Effect.map(allRows(), (rows) =>
  rows.filter((row): row is SummaryRow => row.kind === "summary"),
)

/** A summariser that says when it was asked, and answers when it is told to. */
const waiting = () => {
  const asked = Deferred.makeUnsafe<void>()
  const go = Deferred.makeUnsafe<void>()
  const model = summariserOf((request) =>
    Deferred.succeed(asked, undefined).pipe(
      Effect.andThen(Deferred.await(go)),
      Effect.andThen(honest(request)),
    ),
  )
  return { ...model, started: Deferred.await(asked), finish: Deferred.succeed(go, undefined) }
}

/** Compacts, and does something while the summariser is at work. */
const during = <E, R>(
  model: ReturnType<typeof waiting>,
  step: Step,
  meanwhile: Effect.Effect<unknown, E, R>,
) =>
  Effect.gen(function* () {
    const pass = yield* Effect.forkChild(step.compact(), { startImmediately: true })
    yield* model.started
    yield* meanwhile
    yield* model.finish
    return yield* Fiber.join(pass)
  })

/** A stored thread of fourteen exchanges, `m1` to `m28`. */
const old = inputs(talk(14, 150))
const fill = Effect.gen(function* () {
  const step = yield* open(100_000)
  yield* step.append(old)
  yield* step.end
})

describe("what happens while a pass runs", () => {
  it("RACE-01: what another process says meanwhile is the last message of the next prompt", async () => {
    const model = waiting()
    await run(
      Effect.gen(function* () {
        yield* fill
        const step = yield* open(4_000)
        const other = Effect.gen(function* () {
          const late = yield* open(4_000)
          yield* late.append([{ id: "u29", message: user("U29") }])
          yield* late.end
        })
        const made = yield* during(model, step, other)
        assert.strictEqual(made.passes[0]?.kind, "summary")
        const prompt = yield* (yield* open(4_000)).prompt
        assert.deepStrictEqual(newest(prompt), user("U29"))
        assert.strictEqual(prompt.slots.filter(({ row }) => row === "u29").length, 1)
        assert.strictEqual((yield* messageIds).at(-1), "u29")
      }),
      { summariser: model.layer },
    )
  })

  it("RACE-04: a message that waits in a queue of the host is there once, after the pass", async () => {
    const model = waiting()
    await run(
      Effect.gen(function* () {
        yield* fill
        const step = yield* open(4_000)
        const queue = inputs([user("U2, queued")], 29)
        const waits: Array<Fiber.Fiber<ReadonlyArray<string>, unknown>> = []
        // The same step: its methods run one after the other.
        const deliver = Effect.map(
          Effect.forkChild(step.append(queue), { startImmediately: true }),
          (fiber) => waits.push(fiber),
        )
        const made = yield* during(model, step, deliver)
        assert.notInclude(sentTexts(made), "U2, queued")
        assert.deepStrictEqual(yield* Fiber.joinAll(waits), [["m29"]])
        const next = yield* step.prompt
        assert.deepStrictEqual(
          sentTexts(next).filter((text) => text === "U2, queued"),
          ["U2, queued"],
        )
        assert.deepStrictEqual(newest(next), user("U2, queued"))
        yield* step.end
        assert.deepStrictEqual((yield* messageIds).slice(-2), ["m28", "m29"])
      }),
      { summariser: model.layer },
    )
  })
})

describe("passes at once, and in a row", () => {
  it("RACE-03: of two passes that are asked for at once in one process, the second finds nothing to do", async () => {
    const model = summariserOf((request) => Effect.delay(honest(request), "10 millis"))
    await run(
      Effect.gen(function* () {
        yield* fill
        const step = yield* open(4_000)
        const made = yield* Effect.all([step.compact(), step.compact()], all)
        assert.deepStrictEqual(
          made.map(({ passes }) => passes.length),
          [1, 0],
        )
        assert.deepStrictEqual(messagesOf(made[1]), messagesOf(made[0]))
        assert.lengthOf(yield* summaries, 1)
      }),
      { summariser: model.layer },
    )
    assert.lengthOf(model.asked, 1)
  })

  it("RACE-03: and of two steps, by whatever they are asked, both send one text for one request", async () => {
    const model = summariserOf((request) => Effect.delay(honest(request), "20 millis"))
    await run(
      Effect.gen(function* () {
        yield* fill
        const [manual, automatic] = [yield* open(4_000), yield* open(4_000)]
        const made = yield* Effect.all([manual.compact(), automatic.prompt], all)
        assert.deepStrictEqual(messagesOf(made[1]), messagesOf(made[0]))
        assert.deepStrictEqual(
          made.flatMap(({ degraded }) => degraded),
          [],
        )
        assert.lengthOf(yield* summaries, 1)
      }),
      { summariser: model.layer },
    )
    assert.lengthOf(model.asked, 1)
  })

  it("RACE-06: compacting twice is compacting once, for chats of any length", () =>
    fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 16 }),
        fc.integer({ min: 5, max: 250 }),
        async (turns, size) => {
          const model = summariserOf(honest)
          await run(
            Effect.gen(function* () {
              const step = yield* open(4_000)
              yield* step.append(inputs([...talk(turns, size), user("Next")]))
              const first = yield* step.compact()
              const paid = model.asked.length
              yield* step.end
              const before = yield* allRows()
              for (const again of [step, yield* open(4_000)]) {
                const second = yield* again.compact()
                assert.deepStrictEqual(second.passes, [])
                assert.deepStrictEqual(second.degraded, [])
                assert.deepStrictEqual(messagesOf(second), messagesOf(first))
              }
              assert.lengthOf(model.asked, paid)
              assert.deepStrictEqual(yield* allRows(), before)
            }),
            { summariser: model.layer },
          )
        },
      ),
      { numRuns: 25, seed: 20_261_202 },
    ))
})

describe("what is stored around a pass", () => {
  it("RACE-05: every reply is stored once, in order, wherever the passes fall", () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom("say", "say", "say", "compact", "checkpoint", "reopen"), { maxLength: 30 }),
        async (deeds) => {
          const said: Array<string> = []
          await run(
            Effect.gen(function* () {
              let step = yield* open(4_000)
              const say = (text: string) => {
                said.push(text)
                return step.append([{ id: text, message: assistant(`${text} ${"abc ".repeat(40)}`) }])
              }
              for (let i = 0; i < 100; i++) yield* say(`m${i}`)
              yield* step.compact()
              yield* say("a13")
              for (const [i, deed] of deeds.entries()) {
                if (deed === "say") yield* say(`d${i}`)
                else if (deed === "compact") yield* step.compact()
                else if (deed === "checkpoint") yield* step.checkpoint
                else {
                  yield* step.end
                  step = yield* open(4_000)
                }
              }
              yield* step.end
              assert.deepStrictEqual(yield* messageIds, said)
            }),
          )
        },
      ),
      { numRuns: 6, seed: 20_261_202 },
    ))

  it.each([
    ["with ids", inputs([...talk(10, 150), user("U11")])],
    ["without ids", [...talk(10, 150), user("U11")].map((message) => ({ message }))],
  ])(
    "RACE-07: a client that sends its whole old list, %s, gets the summary, and nothing twice",
    async (_, list) => {
      const state = makeMemoryState()
      const cut = await run(
        Effect.gen(function* () {
          const step = yield* open(4_000)
          yield* step.append(list)
          const prompt = yield* step.compact()
          yield* step.end
          return prompt.passes[0]?.mark.id ?? null
        }),
        { state },
      )
      assert.isString(cut)
      await run(
        Effect.gen(function* () {
          const before = yield* allRows()
          const step = yield* open(4_000)
          yield* step.append([...list, { message: assistant("A11") }])
          const prompt = yield* step.prompt
          assert.deepStrictEqual(
            prompt.slots.flatMap(({ part, row }) => (part === "summary" ? [row] : [])),
            [cut],
          )
          assert.strictEqual(new Set(sentRows(prompt)).size, sentRows(prompt).length)
          assert.notInclude(sentTexts(prompt), textOf(list[2]?.message.parts ?? []))
          assert.deepStrictEqual(newest(prompt), assistant("A11"))
          yield* step.end
          assert.deepStrictEqual((yield* allRows()).slice(0, before.length), before)
          assert.strictEqual((yield* (yield* open(4_000)).thread).cut?.id, cut)
          assert.lengthOf(yield* messageIds, list.length + 1)
        }),
        { state },
      )
    },
  )
})
