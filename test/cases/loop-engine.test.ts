import { assistant, type Delta, messagesOf, type NewItem, user } from "@palimpsest/core"
import { LongTermMemory, type SummaryRequest } from "@palimpsest/core/engine"
import { Effect, Layer } from "effect"
import { assert, describe, it } from "vitest"
import {
  allRows,
  honest,
  inputs,
  open,
  result,
  run,
  sentTexts,
  summariserOf,
  talk,
  used,
  words,
} from "./Kit.ts"

const fact = (text: string, request: SummaryRequest): NewItem => ({
  kind: "fact",
  text,
  sources: request.rows.slice(0, 1),
})

const says = (...add: ReadonlyArray<NewItem>): Effect.Effect<Delta> =>
  Effect.succeed({ add, resolve: [], drop: [] })

describe("passes that would go on for ever", () => {
  it("LOOP-01: a floor of nearly the whole window costs few passes over a long turn, or says what is too big", async () => {
    const model = summariserOf(honest)
    const ends = await run(
      Effect.gen(function* () {
        const step = yield* open(4_000, { system: words(2_900) })
        yield* step.append(inputs([user("Go")]))
        const ends: Array<string> = []
        for (let i = 0; i < 20; i++) {
          yield* step.append(inputs(used(`c${i}`, 40), 2 + 2 * i))
          const made = yield* Effect.result(step.prompt)
          if (made._tag === "Success") assert.isAtMost(made.success.tokens.total, 3_160)
          ends.push(made._tag === "Success" ? (made.success.decisions.at(-1)?._tag ?? "") : made.failure._tag)
        }
        return ends
      }),
      { summariser: model.layer },
    )
    assert.lengthOf(ends, 20)
    assert.isAtMost(model.asked.length, 3)
  })

  it("LOOP-02: a turn that lies whole in the tail is looked at each time, and tried never", async () => {
    const model = summariserOf(honest)
    const held = await run(
      Effect.gen(function* () {
        const policy = {
          target: 1,
          tail: { tokens: 100_000, fraction: 1 },
          tailGroups: 100,
          protectedTools: ["read"],
        }
        const step = yield* open(40_000, { policy })
        yield* step.append(inputs([user(words(14_500))]))
        let held = 0
        for (let i = 0; i < 30; i++) {
          const call = { id: `c${i}`, name: "read", arguments: "{}" }
          yield* step.append(inputs([assistant(words(250), [call]), result(call.id, 1)], 2 + 2 * i))
          const { decisions, passes, degraded } = yield* step.prompt
          assert.lengthOf(decisions, 1)
          assert.lengthOf(passes, 0)
          assert.lengthOf(degraded, 0)
          if (decisions[0]?._tag === "Hold") held += 1
        }
        return held
      }),
      { summariser: model.layer },
    )
    assert.isAbove(held, 5)
    assert.lengthOf(model.asked, 0)
  })

  it("LOOP-08: a candidate that is longer than its input is not asked for again while nothing grows", async () => {
    const model = summariserOf((request) => says(fact(`${request.transcript} and more`, request)))
    await run(
      Effect.gen(function* () {
        const step = yield* open(4_000, { policy: { onFailure: "hold" } })
        yield* step.append(inputs(talk(14, 150)))
        for (let i = 0; i < 3; i++) {
          yield* step.append(inputs([user(`More ${i}`)], 29 + i))
          const { coverage } = yield* step.prompt
          assert.lengthOf(coverage.verbatim, 29 + i)
        }
        assert.isTrue((yield* allRows()).every((row) => row.kind === "message"))
      }),
      { summariser: model.layer },
    )
    assert.lengthOf(model.asked, 2)
  })

  it("LOOP-09: before and after are measured alike, the system prompt in both", () =>
    run(
      Effect.gen(function* () {
        const step = yield* open(60_000, { system: words(20_000) })
        yield* step.append(inputs([...talk(20, 900), user("Next")]))
        const prompt = yield* step.compact()
        const mark = prompt.passes[0]?.mark
        assert.strictEqual(mark?.kind, "summary")
        if (mark?.kind !== "summary") return
        assert.strictEqual(mark.pass.before, prompt.decisions[0]?.parts.total)
        assert.strictEqual(mark.pass.after, prompt.tokens.total)
        const again = yield* step.compact()
        assert.lengthOf(again.passes, 0)
        assert.deepStrictEqual(messagesOf(again), messagesOf(prompt))
      }),
    ))

  it("LOOP-10: a summariser that repeats all it has seen never makes the summary grow past its cap", async () => {
    const model = summariserOf((request) =>
      says(
        ...request.previous.items.map(({ text }) => fact(text, request)),
        ...request.transcript
          .split("\n")
          .slice(0, -1)
          .map((line) => fact(line.replace(/^\[row \S+ \S+\] /, ""), request)),
      ),
    )
    const sizes = await run(
      Effect.gen(function* () {
        const step = yield* open(4_000)
        const sizes: Array<number> = []
        for (let pass = 0; pass < 5; pass++) {
          yield* step.append(inputs([...talk(9, 150, `pass ${pass}`), user(`Tail ${pass}`)], 1 + 19 * pass))
          const prompt = yield* step.compact()
          const mark = prompt.passes[0]?.mark
          const { limits } = prompt.decisions[0] ?? {}
          if (mark?.kind !== "summary" || limits === undefined) return assert.fail("no summary")
          assert.isAtMost(mark.tokens, limits.summary + limits.constraints + 100)
          assert.notInclude(mark.text, `Tail ${pass}`)
          assert.isBelow(prompt.tokens.total, limits.trigger)
          sizes.push(mark.tokens)
        }
        return sizes
      }),
      { summariser: model.layer },
    )
    assert.lengthOf(sizes, 5)
    assert.isTrue(model.asked.every(({ transcript }, pass) => !transcript.includes(`Tail ${pass}`)))
  })

  it("LOOP-11: a middle smaller than a summary is not read by a model, also when asked to", async () => {
    const model = summariserOf(honest)
    await run(
      Effect.gen(function* () {
        const policy = { tail: { tokens: 15_000, fraction: 1 }, target: 1 }
        const step = yield* open(40_000, { policy })
        yield* step.append(inputs([...talk(2, 70), user(words(14_000)), assistant("ok")]))
        const prompt = yield* step.compact()
        assert.lengthOf(prompt.passes, 0)
        assert.lengthOf(prompt.coverage.verbatim, 6)
      }),
      { summariser: model.layer },
    )
    assert.lengthOf(model.asked, 0)
  })

  it("LOOP-12: what is recalled is bounded, however much there is", async () => {
    const memories = Array.from({ length: 60 }, (_, i) => ({
      id: `${i}`,
      text: `${i} ${words(2_000)}`,
      origin: "notes",
    }))
    const memory = Layer.succeed(LongTermMemory, {
      retrieve: () =>
        Effect.succeed({ memories: [...memories, { id: "s", text: "Likes tea.", origin: "notes" }] }),
    })
    const prompt = await run(
      Effect.gen(function* () {
        const step = yield* open(200_000)
        yield* step.append(inputs([user("Go")]))
        return yield* step.prompt
      }),
      { memory },
    )
    assert.isAtMost(prompt.tokens.recall, 1_510)
    assert.include(sentTexts(prompt)[0], "Likes tea.")
  })

  it("LOOP-14: a summary that is twice its input is not applied", async () => {
    for (const onFailure of ["hold", "extractive"] as const) {
      const model = summariserOf(({ transcript, rows }) =>
        says(
          fact(transcript, { rows } as SummaryRequest),
          fact(`${transcript} again`, { rows } as SummaryRequest),
        ),
      )
      await run(
        Effect.gen(function* () {
          const step = yield* open(4_000, { policy: { onFailure } })
          yield* step.append(inputs([...talk(9, 150), user("Next")]))
          const prompt = yield* step.compact()
          const [before] = prompt.decisions
          if (onFailure === "hold") assert.strictEqual(prompt.tokens.total, before?.parts.total)
          else assert.isBelow(prompt.tokens.total, (before?.parts.total ?? 0) / 2)
          assert.lengthOf(prompt.passes, onFailure === "hold" ? 0 : 1)
          assert.isAbove(prompt.degraded.length, 0)
        }),
        { summariser: model.layer },
      )
    }
  })
})
