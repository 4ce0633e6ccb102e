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

/** What version 3 added. */
const VERSION_3 = [
  `alter table palimpsest_chats
    add column revision bigint not null default 0,
    add column newest_revision bigint not null default 0,
    add column removed_at timestamptz`,
  `update palimpsest_chats c set newest_revision = m.newest
    from (select tenant, chat, max(revision) as newest from palimpsest_marks group by tenant, chat) m
    where m.tenant = c.tenant and m.chat = c.chat and m.newest > 0`,
  "alter table palimpsest_messages drop constraint palimpsest_messages_tenant_chat_id_key",
  "create index palimpsest_message_ids on palimpsest_messages (tenant, chat, id, position)",
  "alter table palimpsest_marks add column time bigint, add column withdrawn boolean not null default false",
  "update palimpsest_marks set time = position",
  "drop index palimpsest_cuts",
  `alter table palimpsest_marks
    alter column time set not null,
    drop constraint palimpsest_marks_tenant_chat_id_key,
    drop constraint palimpsest_marks_pkey,
    add constraint palimpsest_marks_pkey primary key (tenant, chat, time, position, rank, revision)`,
  `create index palimpsest_cuts on palimpsest_marks (tenant, chat, time, position, rank, revision)
    where kind in ('summary', 'reset') and not withdrawn`,
  "create index palimpsest_mark_ids on palimpsest_marks (tenant, chat, id, time, position, rank, revision)",
  "create index palimpsest_mark_places on palimpsest_marks (tenant, chat, position, rank, revision, time, id)",
  "alter table palimpsest_failures add column time bigint",
  "update palimpsest_failures set time = position",
  `alter table palimpsest_failures
    alter column time set not null,
    drop constraint palimpsest_failures_pkey,
    add constraint palimpsest_failures_pkey primary key (tenant, chat, time, seq)`,
  `create table palimpsest_tenants (
    tenant text collate "C" primary key,
    removed_at timestamptz)`,
  `create table palimpsest_stretches (
    tenant text collate "C" not null,
    chat text collate "C" not null,
    low bigint not null,
    high bigint not null,
    source text collate "C" not null,
    primary key (tenant, chat, low))`,
  "create index palimpsest_sources on palimpsest_stretches (tenant, source)",
  "create index palimpsest_chat_sources on palimpsest_stretches (tenant, chat, source)",
  `create table palimpsest_edits (
    tenant text collate "C" not null,
    chat text collate "C" not null,
    position bigint not null,
    version bigint not null,
    id text collate "C" not null,
    payload text not null,
    tokens double precision not null,
    tokenizer text not null,
    cap text,
    raw_format text,
    raw_text text,
    usage text,
    created_at timestamptz not null default now(),
    primary key (tenant, chat, position, version))`,
  `create table palimpsest_leases (
    tenant text collate "C" not null,
    chat text collate "C" not null,
    name text collate "C" not null,
    holder text not null,
    until timestamptz not null,
    primary key (tenant, chat, name))`,
  `create table palimpsest_blobs (
    tenant text collate "C" not null,
    chat text collate "C" not null,
    id text collate "C" not null,
    text text not null,
    created_at timestamptz not null default now(),
    primary key (tenant, chat, id))`,
  "insert into palimpsest_versions (version) values (3)",
]

const RELEASED = [VERSION_1, [...VERSION_1, ...VERSION_2], [...VERSION_1, ...VERSION_2, ...VERSION_3]]

/** Steps that come with the version to be released next. */
const NEWEST = 3

const KEY: ThreadKey = { tenant: "old", chat: "1" }

const payloadOf = (text: string) => JSON.stringify({ role: "user", parts: [{ type: "text", text }] })

/** A chat of six messages, a summary at the second and a better one at the third, and a failure after it. */
const fill = (sql: SqlClient.SqlClient, version: number) =>
  Effect.gen(function* () {
    // From version 3 on a mark and a failure have a time of their own.
    const [column, time] = version < 3 ? ["", ""] : [", time", ", 6"]
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
      yield* sql`insert into palimpsest_marks (tenant, chat, position, rank, revision, seq, id, kind, anchor, payload
          ${sql.literal(column)})
        values ('old', '1', ${position}, 2, ${revision}, ${i + 1}, ${`s${i}`}, ${kind}, ${anchor},
          ${JSON.stringify(rest)} ${sql.literal(version < 3 ? "" : `, ${position}`)})`
    }
    if (version >= 3) yield* sql`update palimpsest_chats set newest_revision = 2`
    yield* sql`insert into palimpsest_failures (tenant, chat, position, seq, anchor, stage, reason, tokens
        ${sql.literal(column)})
      values ('old', '1', 5, 4, 'm5', 'check', 'r', 9 ${sql.literal(time)})`
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
    it("there is one for each version but the newest, which brought several steps", () =>
      assert.strictEqual(RELEASED.length, tablesVersion - NEWEST))

    for (const [i, statements] of RELEASED.entries()) {
      it(`tables of version ${i + 1} are brought up to date, and their rows go on as before`, () =>
        bench.runPromise(
          inOwnSchema((sql) =>
            Effect.gen(function* () {
              for (const statement of statements) yield* sql.unsafe(statement)
              yield* fill(sql, i + 1)
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
