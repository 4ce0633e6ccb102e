import { messagesOf, type SummaryRow, user } from "@palimpsest/core"
import { ThreadStore } from "@palimpsest/core/engine"
import { makeMemoryState, testCounter } from "@palimpsest/core/testing"
import { Effect } from "effect"
import { assert, describe, it } from "vitest"
import { allRows, honest, inputs, KEY, open, run, sentTexts, summariserOf, talk, used } from "./Kit.ts"

/** Passes in one chat, each over ten new exchanges. */
const passesIn = (count: number, key = KEY, options = {}) =>
  Effect.gen(function* () {
    const step = yield* open(4_000, options, key)
    const marks: Array<SummaryRow> = []
    for (let pass = 0; pass < count; pass++) {
      yield* step.append(inputs(talk(10, 150, `${key.chat} ${pass}`), 1 + 20 * pass))
      const mark = (yield* step.compact()).passes[0]?.mark
      if (mark?.kind === "summary") marks.push(mark)
    }
    return { step, marks }
  })

const isSummary = (row: { readonly kind: string }): row is SummaryRow => row.kind === "summary"

describe("the summary of a thread", () => {
  it("MERGE-01: asked for again with nothing new, it is the same row, and nothing is asked", async () => {
    const model = summariserOf(honest)
    await run(
      Effect.gen(function* () {
        const { step, marks } = yield* passesIn(1)
        const asked = model.asked.length
        const prompt = yield* step.compact()
        assert.lengthOf(prompt.passes, 0)
        assert.deepStrictEqual((yield* allRows()).filter(isSummary), marks)
        assert.include(sentTexts(prompt), marks[0]?.text)
        assert.lengthOf(model.asked, asked)
      }),
      { summariser: model.layer },
    )
  })

  it("MERGE-04: the newest one is the one before the next, and the only one that is sent", async () => {
    const model = summariserOf(honest)
    await run(
      Effect.gen(function* () {
        const { step, marks } = yield* passesIn(3)
        assert.deepStrictEqual(
          model.asked.map(({ previous }) => previous),
          [{ items: [] }, marks[0]?.summary, marks[1]?.summary],
        )
        const prompt = yield* step.prompt
        assert.deepStrictEqual(
          sentTexts(prompt).filter((text) => text.startsWith("<context-summary>")),
          [marks[2]?.text],
        )
      }),
      { summariser: model.layer },
    )
  })

  it("MERGE-06: a pass in the middle of a turn writes its own row, and the user's stays", () =>
    run(
      Effect.gen(function* () {
        const step = yield* open(4_000, { policy: { tailGroups: 1 } })
        const question = user("U, the question")
        yield* step.append(inputs([...talk(5, 150), question]))
        for (let i = 0; i < 8; i++) yield* step.append(inputs(used(`c${i}`, 200), 12 + 2 * i))
        assert.strictEqual((yield* step.compact()).passes[0]?.kind, "summary")
        yield* step.end
        const rows = yield* allRows()
        assert.lengthOf(rows.filter(isSummary), 1)
        const stored = rows.find((row) => row.id === "m11")
        assert.deepStrictEqual(stored?.kind === "message" && stored.message, question)
        const prompt = yield* (yield* open(4_000)).prompt
        assert.deepInclude(messagesOf(prompt), question)
      }),
    ))

  it("MERGE-07: another chat of the same process has nothing of it", async () => {
    const model = summariserOf(honest)
    await run(
      Effect.gen(function* () {
        yield* passesIn(2, { tenant: "t", chat: "one" })
        const before = model.asked.length
        yield* passesIn(1, { tenant: "t", chat: "other" })
        const [request] = model.asked.slice(before)
        assert.deepStrictEqual(request?.previous, { items: [] })
        assert.notInclude(JSON.stringify(request), "about one")
      }),
      { summariser: model.layer },
    )
  })

  it("MERGE-08: failures in one chat keep no other one from its pass", async () => {
    const model = summariserOf((request) =>
      request.transcript.includes("about one") ? Effect.die("broken") : honest(request),
    )
    await run(
      Effect.gen(function* () {
        const options = { policy: { onFailure: "hold" } } as const
        const one = yield* passesIn(3, { tenant: "t", chat: "one" }, options)
        assert.lengthOf(one.marks, 0)
        assert.isAbove((yield* one.step.thread).failures.length, 0)
        const other = yield* passesIn(1, { tenant: "t", chat: "other" }, options)
        assert.deepStrictEqual((yield* other.step.thread).failures, [])
        assert.strictEqual(other.marks[0]?.pass.outcome, "model")
      }),
      { summariser: model.layer },
    )
  })

  it("MERGE-10: only what came after it is read for the next one", async () => {
    const model = summariserOf(honest)
    await run(
      Effect.gen(function* () {
        const { marks } = yield* passesIn(3)
        const covered = marks.map(({ position }) => position)
        model.asked.forEach(({ rows, transcript }, pass) => {
          const from = covered[pass - 1] ?? 0
          const ids = Array.from({ length: (covered[pass] ?? 0) - from }, (_, i) => `m${from + i + 1}`)
          assert.deepStrictEqual(rows, ids)
          assert.notInclude(transcript, `[row m${from} `)
        })
        assert.lengthOf(model.asked, 3)
      }),
      { summariser: model.layer },
    )
  })

  it("MERGE-11: of fifty passes one summary is sent, within its cap, and a new process reads no older one", async () => {
    const state = makeMemoryState()
    await run(
      Effect.gen(function* () {
        const { marks } = yield* passesIn(50)
        assert.lengthOf(marks, 50)
        const store = yield* ThreadStore
        const thread = yield* store.load(KEY)
        assert.deepStrictEqual(thread.cut, marks.at(-1))
        assert.isFalse(thread.rows.some(isSummary))
        const sizes = marks.map(({ text }) => testCounter.count(text))
        assert.isAtMost(Math.max(...sizes), 500)
      }),
      { state },
    )
  })
})
