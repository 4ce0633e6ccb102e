import { assistant, type Message, type MessageRow, messagesOf, user } from "@palimpsest/core"
import { makeMemoryState } from "@palimpsest/core/testing"
import { Effect } from "effect"
import { assert, describe, it } from "vitest"
import {
  allRows,
  faultsOf,
  honest,
  inputs,
  open,
  run,
  SYSTEM,
  sentRows,
  sentTexts,
  summariserOf,
  talk,
  used,
} from "./Kit.ts"

const chain = (from: number, to: number, tokens: number): ReadonlyArray<Message> =>
  Array.from({ length: to - from }, (_, i) => used(`c${from + i}`, tokens)).flat()

describe("what must stay over passes", () => {
  it("KEEP-02: the second pass carries the user's question, and takes no summary for one", () =>
    run(
      Effect.gen(function* () {
        const step = yield* open(4_000, { policy: { tailGroups: 1 } })
        yield* step.append(inputs([...talk(9, 150), user("U5, the question")]))
        yield* step.compact()
        yield* step.append(inputs(chain(0, 8, 200), 20))
        const prompt = yield* step.compact()
        assert.strictEqual(
          prompt.passes[0]?.mark.kind === "summary" && prompt.passes[0].mark.pass.generation,
          2,
        )
        assert.deepStrictEqual(
          prompt.slots.filter(({ part }) => part === "carried").map(({ message }) => message),
          [user("U5, the question")],
        )
        assert.lengthOf(
          prompt.slots.filter(({ part }) => part === "summary"),
          1,
        )
        assert.lengthOf(
          sentTexts(prompt).filter((text) => text.startsWith("<context-summary>")),
          1,
        )
      }),
    ))

  it("KEEP-04: a summary leaves the system prompt as it was", () =>
    run(
      Effect.gen(function* () {
        const step = yield* open(4_000)
        yield* step.append(inputs([...talk(9, 150), user("Next")]))
        const prompt = yield* step.compact()
        assert.lengthOf(prompt.passes, 1)
        assert.strictEqual(prompt.system, SYSTEM)
        assert.isFalse(sentTexts(prompt).some((text) => text.includes(SYSTEM)))
      }),
    ))

  it("KEEP-06: the words that opened the task are sent verbatim, pass after pass, while it is the task", () =>
    run(
      Effect.gen(function* () {
        const task = user("port module A to TS")
        const step = yield* open(4_000, { policy: { tailGroups: 1 } })
        yield* step.append(inputs([task]))
        for (let pass = 0; pass < 3; pass++) {
          yield* step.append(inputs(chain(8 * pass, 8 * pass + 8, 200), 2 + 16 * pass))
          const prompt = yield* step.compact()
          assert.strictEqual(prompt.passes[0]?.kind, "summary")
          assert.deepStrictEqual(messagesOf(prompt)[0], task)
        }
      }),
    ))

  it("KEEP-06: once another task is the newest, the words of the first are in the summary", () =>
    run(
      Effect.gen(function* () {
        const step = yield* open(4_000, { policy: { tailGroups: 1 } })
        yield* step.append(inputs([user("port module A to TS"), ...chain(0, 8, 200)]))
        yield* step.compact()
        yield* step.append(inputs([user("Now lint it"), ...chain(8, 16, 200)], 18))
        const prompt = yield* step.compact()
        assert.strictEqual(prompt.passes[0]?.kind, "summary")
        assert.include(sentTexts(prompt).join("\n"), "port module A to TS")
        assert.notInclude(sentRows(prompt), "m2")
      }),
    ))

  it("KEEP-07: after a pass every row is covered, or sent, and the store has all of them", () =>
    run(
      Effect.gen(function* () {
        const step = yield* open(4_000, { policy: { tailGroups: 2 } })
        yield* step.append(inputs([user("U1"), ...chain(0, 8, 200)]))
        const prompt = yield* step.compact()
        const mark = prompt.passes[0]?.mark
        const rows = (yield* allRows()).filter((row): row is MessageRow => row.kind === "message")
        assert.lengthOf(rows, 17)
        const after = rows.filter((row) => row.position > (mark?.position ?? 0)).map((row) => row.id)
        assert.isAbove(after.length, 2)
        assert.isBelow(after.length, 17)
        assert.deepStrictEqual(
          prompt.slots.filter(({ part }) => part === "tail").map(({ row }) => row),
          after,
        )
      }),
    ))

  it("KEEP-11: the tail of a pass is there on the next turn, in another process", async () => {
    const state = makeMemoryState()
    const first = await run(
      Effect.gen(function* () {
        const step = yield* open(4_000)
        yield* step.append(inputs([...talk(9, 150), user("U10")]))
        const prompt = yield* step.compact()
        yield* step.end
        return prompt
      }),
      { state },
    )
    const tail = first.slots.filter(({ part }) => part === "tail")
    assert.isAbove(tail.length, 1)
    const second = await run(
      Effect.gen(function* () {
        const step = yield* open(4_000)
        yield* step.append(inputs([user("U11")], 20))
        return yield* step.prompt
      }),
      { state },
    )
    assert.deepStrictEqual(messagesOf(second), [...messagesOf(first), user("U11")])
  })

  it("KEEP-12: a middle without any user message is read by the summariser", async () => {
    const model = summariserOf(honest, 4_000)
    const messages = [...chain(0, 40, 200).map((message, i) => ({ id: `m${1 + i}`, message }))]
    await run(
      Effect.gen(function* () {
        const step = yield* open(20_000, { policy: { tailGroups: 1 } })
        yield* step.append(messages)
        const prompt = yield* step.compact()
        const mark = prompt.passes[0]?.mark
        assert.strictEqual(mark?.kind, "summary")
        assert.deepStrictEqual(faultsOf(prompt), [])
        const covered = messages.slice(0, mark?.position).map(({ id }) => id)
        assert.isAbove(covered.length, 20)
        assert.deepStrictEqual([...new Set(model.asked.flatMap(({ rows }) => rows))], covered)
      }),
      { summariser: model.layer },
    )
    assert.include(model.asked[0]?.transcript, "result of c0")
  })

  it("KEEP-13: exact strings that the summariser leaves out are added as they stand", async () => {
    const model = summariserOf(honest)
    const prompt = await run(
      Effect.gen(function* () {
        const step = yield* open(8_000)
        yield* step.append(
          inputs([
            user("Why is the dashboard slow?"),
            assistant("The slow query is in src/a/b.ts:42, for order ord_9f3. The latency is 1830 ms."),
            ...talk(9, 300),
            user("Go on"),
          ]),
        )
        const before = yield* step.compact()
        assert.strictEqual(before.passes[0]?.kind, "summary")
        yield* step.append(inputs([...talk(9, 300), user("And then?")], 22))
        return yield* step.compact()
      }),
      { summariser: model.layer },
    )
    assert.isAbove(model.asked.length, 1)
    const text = sentTexts(prompt).find((one) => one.startsWith("<context-summary>"))
    for (const exact of ["src/a/b.ts:42", "ord_9f3", "1830 ms"]) assert.include(text, exact)
  })

  it("KEEP-14: a prohibition that the summariser leaves out is in the prompt after two passes", async () => {
    const model = summariserOf(honest)
    const prompt = await run(
      Effect.gen(function* () {
        const step = yield* open(8_000)
        yield* step.append(
          inputs([...talk(2, 100), user("Fix the login. Never touch the prod database."), ...talk(9, 300)]),
        )
        yield* step.compact()
        yield* step.append(inputs([...talk(9, 300), user("And then?")], 24))
        return yield* step.compact()
      }),
      { summariser: model.layer },
    )
    assert.isAbove(model.asked.length, 1)
    const mark = prompt.passes[0]?.mark
    const rule =
      mark?.kind === "summary" ? mark.summary.items.find(({ kind }) => kind === "constraint") : null
    assert.strictEqual(rule?.text, "Never touch the prod database.")
    assert.deepStrictEqual(rule?.sources, ["m5"])
  })
})
