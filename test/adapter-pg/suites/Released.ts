/** Tables as released versions made them, with rows in them, are brought up to date and go on as before. */
import { make, makeEditor, migrate, tablesVersion } from "@palimpsest/adapter-pg"
import type { ThreadKey } from "@palimpsest/core"
import { Effect, Result } from "effect"
import { SqlClient } from "effect/sql"
import { assert, describe, it } from "vitest"
import { type Bench, message, summary } from "./Damage.ts"

/** What version 1 made, as it was released: never to be changed. */
const VERSION_1 = [
  "create table palimpsest_versions (version integer primary key, at timestamptz not null default now())",
  `create table palimpsest_chats (
    tenant text collate "C" not null, chat text collate "C" not null, system text,
    next_position bigint not null default 1, next_seq bigint not null default 1,
    created_at timestamptz not null default now(), primary key (tenant, chat))`,
  `create table palimpsest_messages (
    tenant text collate "C" not null, chat text collate "C" not null, position bigint not null,
    id text collate "C" not null, payload text not null, tokens double precision not null,
    tokenizer text not null, cap text, raw_format text, raw_text text,
    created_at timestamptz not null default now(),
    primary key (tenant, chat, position), unique (tenant, chat, id))`,
  `create table palimpsest_marks (
    tenant text collate "C" not null, chat text collate "C" not null, position bigint not null,
    rank integer not null, revision bigint not null, seq bigint not null, id text collate "C" not null,
    kind text not null, anchor text collate "C" not null, kept text not null default '[]', payload text not null,
    created_at timestamptz not null default now(),
    primary key (tenant, chat, position, rank, revision), unique (tenant, chat, id))`,
  `create index palimpsest_cuts on palimpsest_marks (tenant, chat, position, rank, revision)
    where kind in ('summary', 'reset')`,
  `create table palimpsest_failures (
    tenant text collate "C" not null, chat text collate "C" not null, position bigint not null,
    seq bigint not null, anchor text collate "C" not null, stage text not null, reason text not null,
    tokens double precision not null, created_at timestamptz not null default now(),
    primary key (tenant, chat, position, seq))`,
  `create table palimpsest_drafts (
    tenant text collate "C" not null, chat text collate "C" not null, name text collate "C" not null,
    text text not null, created_at timestamptz not null default now(), primary key (tenant, chat, name))`,
  "insert into palimpsest_versions (version) values (1)",
]

/** What version 2 added. */
const VERSION_2 = [
  "alter table palimpsest_messages add column usage text",
  "insert into palimpsest_versions (version) values (2)",
]

const RELEASED = [VERSION_1, [...VERSION_1, ...VERSION_2]]

const KEY: ThreadKey = { tenant: "old", chat: "1" }

const payloadOf = (text: string) => JSON.stringify({ role: "user", parts: [{ type: "text", text }] })

/** A chat of six messages, a summary at the second and a better one at the third, and a failure after it. */
const fill = (sql: SqlClient.SqlClient) =>
  Effect.gen(function* () {
    yield* sql`insert into palimpsest_chats (tenant, chat, system, next_position, next_seq)
      values ('old', '1', 'Be exact.', 7, 5)`
    for (let i = 1; i <= 6; i++) {
      yield* sql`insert into palimpsest_messages (tenant, chat, position, id, payload, tokens, tokenizer)
        values ('old', '1', ${i}, ${`m${i}`}, ${payloadOf(`text ${i}`)}, 3, 't')`
    }
    const marks = [
      { position: 2, revision: 0 },
      { position: 3, revision: 0 },
      { position: 3, revision: 2 },
    ]
    for (const [i, { position, revision }] of marks.entries()) {
      const { kind, id: _, anchor, revision: __, ...rest } = summary(`m${position}`)
      yield* sql`insert into palimpsest_marks (tenant, chat, position, rank, revision, seq, id, kind, anchor, payload)
        values ('old', '1', ${position}, 2, ${revision}, ${i + 1}, ${`s${i}`}, ${kind}, ${anchor},
          ${JSON.stringify(rest)})`
    }
    yield* sql`insert into palimpsest_failures (tenant, chat, position, seq, anchor, stage, reason, tokens)
      values ('old', '1', 5, 4, 'm5', 'check', 'r', 9)`
    yield* sql`insert into palimpsest_drafts (tenant, chat, name, text) values ('old', '1', 'd', 'draft')`
  })

/** Everything that is done in it is undone, so that the tables of the other tests stay as they are. */
const inOwnSchema = <E>(run: (sql: SqlClient.SqlClient) => Effect.Effect<void, E>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const done = sql.withTransaction(
      Effect.gen(function* () {
        yield* sql`create schema released`
        yield* sql`set local search_path to released`
        yield* run(sql)
        return yield* Effect.fail("undo" as const)
      }),
    )
    yield* Effect.catchIf(
      done,
      (error) => error === "undo",
      () => Effect.void,
    )
  })

const idsOf = (rows: ReadonlyArray<{ readonly id: string }>) => rows.map((row) => row.id)

export const releasedSuite = (bench: Bench) =>
  describe("released versions", () => {
    it("there is one for each version but the newest", () =>
      assert.strictEqual(RELEASED.length, tablesVersion - 1))

    for (const [i, statements] of RELEASED.entries()) {
      it(`tables of version ${i + 1} are brought up to date, and their rows go on as before`, () =>
        bench.runPromise(
          inOwnSchema((sql) =>
            Effect.gen(function* () {
              for (const statement of statements) yield* sql.unsafe(statement)
              yield* fill(sql)
              yield* migrate(sql)
              const store = make(sql)
              const editor = makeEditor(sql)
              const thread = yield* store.load(KEY)
              assert.strictEqual(thread.system, "Be exact.")
              assert.strictEqual(thread.cut?.id, "s2")
              assert.deepStrictEqual(idsOf(thread.rows), ["m4", "m5", "m6"])
              assert.strictEqual(thread.failures.length, 1)
              assert.strictEqual(yield* store.draft(KEY, "d"), "draft")
              assert.strictEqual((yield* store.page(KEY, 0, 99)).rows.length, 9)
              const again = yield* store.append(KEY, [message(6), message(7)])
              assert.deepStrictEqual(
                again.map((row) => row.position),
                [6, 7],
              )
              yield* editor.rewind(KEY, "m2")
              const early = yield* store.load(KEY)
              assert.deepStrictEqual([early.cut?.id, early.rows, early.failures], ["s0", [], []])
              assert.isAbove(early.revision, 2)
              yield* store.append(KEY, [message(3, "another")])
              const late = yield* store.mark(KEY, summary("m3"))
              assert.strictEqual(late._tag, "Superseded")
              yield* editor.removeTenant("old")
              assert.isTrue(Result.isFailure(yield* Effect.result(store.load(KEY))))
            }),
          ),
        ))
    }
  })
