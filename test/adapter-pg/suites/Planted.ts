/** A text that is planted wherever a host may put one is looked for in every column of every table after a removal. */
import { emptySummary, type ThreadKey, toolResult, user } from "@palimpsest/core"
import { BlobStore, FactStore, OwnerData, ThreadEditor, ThreadStore } from "@palimpsest/core/engine"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { assert, describe, it } from "vitest"
import { type Bench, freshKey, message, summary } from "./Damage.ts"

/** No other test says it. */
const MARK = "xylographer"

/** The columns, of tables in this schema, in which a text occurs. */
const whereIs = (text: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const columns = yield* sql<{ table: string; column: string }>`
      select c.relname::text as "table", a.attname::text as "column"
      from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and a.attnum > 0
        and not a.attisdropped
      order by 1, 2`
    assert.isAbove(columns.length, 50)
    const found: Array<string> = []
    for (const { table, column } of columns) {
      const rows = yield* sql`
        select from ${sql.literal(`"${table}"`)}
        where position(${text} in (${sql.literal(`"${column}"`)})::text) > 0 limit 1`
      if (rows.length > 0) found.push(`${table}.${column}`)
    }
    return found
  })

/** A fact whose every text holds the mark. */
const factOf = (chat: string, id: string, attribute: string) => ({
  ...{ id, owner: `${MARK}@example.com`, chat, subject: `${MARK}'s home`, attribute: `${MARK} ${attribute}` },
  ...{ value: `${MARK} lives here`, quote: `I am ${MARK}`, row: `${MARK} 5`, position: 5, at: 5 },
})

const plant = Effect.gen(function* () {
  const store = yield* ThreadStore
  const editor = yield* ThreadEditor
  const facts = yield* FactStore
  const key = { ...freshKey(), tenant: `planted ${Math.random()}` }
  const owner = `${MARK}@example.com`
  yield* store.open(key, `You serve ${MARK}`, { owner })
  yield* store.append(key, [
    {
      ...message(1),
      id: `${MARK} 1`,
      message: user(MARK),
      raw: { format: MARK, text: MARK },
      tokenizer: MARK,
    },
    { ...message(2), message: toolResult("c", MARK), cap: [{ part: 0, text: MARK }] },
    ...[3, 4, 5, 6].map((i) => ({ ...message(i), id: `${MARK} ${i}` })),
  ])
  const made = summary(`${MARK} 4`, MARK)
  yield* store.mark(key, {
    ...made,
    id: `${MARK} s`,
    ...(made.kind === "summary" ? { summary: emptySummary } : {}),
  })
  yield* store.fail(key, { anchor: `${MARK} 4`, stage: "check", reason: MARK, tokens: 1 })
  yield* store.saveDraft(key, `${MARK} draft`, MARK)
  yield* editor.edit(key, { ...message(5, MARK), id: `${MARK} 5` })
  yield* editor.edit(key, { ...message(5, "other"), id: `${MARK} 5` })
  yield* editor.rewind(key, `${MARK} 5`)
  yield* editor.fork(key, `${key.chat}/fork`)
  yield* (yield* BlobStore).put(key, [{ id: MARK, text: MARK }])
  yield* facts.put(key, [factOf(key.chat, `${MARK} a`, "kept"), factOf(key.chat, `${MARK} b`, "gone")])
  yield* facts.remember(key.tenant, factOf("", `${MARK} told`, "told"))
  yield* facts.forget({ tenant: key.tenant, owner, attribute: `${MARK} gone` })
  return { key, owner }
})

/** A worker that goes on until it is refused. */
const writing = (key: ThreadKey, owner: string) =>
  Effect.gen(function* () {
    const store = yield* ThreadStore
    const facts = yield* FactStore
    const editor = yield* ThreadEditor
    yield* store.open(key, MARK, { owner })
    for (let i = 1; i <= 40; i++) {
      yield* store.append(key, [message(i, MARK)])
      yield* facts.put(key, [factOf(key.chat, `${MARK} ${i}`, `${i}`)])
      yield* editor.fork(key, `${key.chat}/${i}`)
      yield* store.saveDraft(key, `${i}`, MARK)
    }
  })

export const plantedSuite = (bench: Bench) =>
  describe("a planted text", () => {
    it("is in no table after its owner was removed, however many workers wrote meanwhile", () =>
      bench.runPromise(
        Effect.gen(function* () {
          const key = { ...freshKey(), tenant: `planted ${Math.random()}` }
          const owner = `${MARK}@example.com`
          const workers = [1, 2, 3, 4, 5].map((n) => ({ ...key, chat: `${key.chat}/${n}` }))
          const removal = Effect.flatMap(OwnerData, (data) => data.remove({ tenant: key.tenant, owner }))
          const refusals = yield* Effect.forEach(workers, (one) => Effect.result(writing(one, owner)), {
            concurrency: "unbounded",
          }).pipe(Effect.zip(Effect.delay(removal, "150 millis"), { concurrent: true }))
          assert.isTrue(refusals[0].some((result) => result._tag === "Failure"))
          assert.deepStrictEqual(yield* whereIs(MARK), [])
        }),
      ))

    it("is in every table that keeps texts, and in none after its owner is removed", () =>
      bench.runPromise(
        Effect.gen(function* () {
          const { key, owner } = yield* plant
          const before = yield* whereIs(MARK)
          const tables = [...new Set(before.map((place) => place.split(".")[0]))]
          assert.includeMembers(tables, [
            ...["palimpsest_blobs", "palimpsest_chats", "palimpsest_drafts", "palimpsest_edits"],
            ...["palimpsest_facts", "palimpsest_failures", "palimpsest_marks", "palimpsest_messages"],
          ])
          yield* (yield* OwnerData).remove({ tenant: key.tenant, owner })
          assert.deepStrictEqual(yield* whereIs(MARK), [])
        }),
      ))

    it("what is forgotten is in no table", () =>
      bench.runPromise(
        Effect.gen(function* () {
          const { key, owner } = yield* plant
          yield* (yield* ThreadEditor).remove({ ...key, chat: `${key.chat}/fork` })
          yield* (yield* ThreadEditor).remove(key)
          yield* (yield* FactStore).forget({ tenant: key.tenant, owner, subject: `${MARK}'s home` })
          assert.deepStrictEqual(yield* whereIs(MARK), ["palimpsest_forgotten.owner"])
          yield* (yield* ThreadEditor).removeTenant(key.tenant)
          assert.deepStrictEqual(yield* whereIs(MARK), [])
        }),
      ))
  })
