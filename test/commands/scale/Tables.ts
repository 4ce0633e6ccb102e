/**
 * All that the command knows of the tables: loading rows in bulk, which through the store would take hours. What is
 * loaded are copies of rows that the store wrote itself, so that it reads them as its own.
 */
import { encodeText } from "@palimpsest/adapter-pg"
import { OPEN, type ThreadKey } from "@palimpsest/core"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"

/** The tenant of every thread that is measured, and of a tenth of the crowd. */
export const TENANT = "scale"

/** Rows `r1` to `r4` of one turn, with a mark of each kind and a failure after the last: all others are its copies. */
export const TEMPLATE: ThreadKey = { tenant: TENANT, chat: "template" }

/** Rows between two old marks of one kind. */
const EVERY = 100

const TABLES = [
  "chats",
  "messages",
  "marks",
  "failures",
  "drafts",
  "tenants",
  "stretches",
  "edits",
  "leases",
  "blobs",
]

const copied = "tokens, tokenizer, cap, raw_format, raw_text, usage"

/** Rows of a thread from one position to another, with old cuts, prunes, recalls and failures between them. */
export const fill = (sql: SqlClient, key: ThreadKey, from: number, to: number) =>
  Effect.gen(function* () {
    const chat = encodeText(key.chat)
    const template = sql`tenant = ${TENANT} and chat = ${TEMPLATE.chat}`
    yield* sql`
      insert into palimpsest_messages (tenant, chat, position, id, payload, ${sql.literal(copied)})
      select tenant, ${chat}, n, 'r' || n, replace(payload, 'call-1', 'call-' || (n + 3) / 4), ${sql.literal(copied)}
      from generate_series(${from}::int, ${to}::int) as n
      join palimpsest_messages on position = (n - 1) % 4 + 1
      where ${template}`
    yield* sql`
      insert into palimpsest_marks
        (tenant, chat, time, position, rank, revision, seq, id, kind, anchor, kept, payload)
      select tenant, ${chat}, n, n, rank, revision, n * 4 + rank, kind || n, kind, 'r' || n, kept, payload
      from generate_series(${from}::int, ${to - 1}::int) as n, palimpsest_marks
      where ${template} and n % ${EVERY}::int = 0`
    yield* sql`
      insert into palimpsest_failures (tenant, chat, time, position, seq, anchor, stage, reason, tokens)
      select tenant, ${chat}, n, n, n * 4, 'r' || n, stage, reason, tokens
      from generate_series(${from}::int, ${to - 1}::int) as n, palimpsest_failures
      where ${template} and n % ${EVERY}::int = 0`
    yield* sql`
      update palimpsest_chats set next_position = ${to + 1}::int8, next_seq = ${to * 4 + 8}::int8
      where tenant = ${TENANT} and chat = ${chat}`
  })

/**
 * A thread that was rewound so many times, as the store leaves it when two rows are appended and the second is taken
 * back each time: `r1` and so on are shown.
 */
export const fillRewound = (sql: SqlClient, key: ThreadKey, times: number) =>
  Effect.gen(function* () {
    const chat = encodeText(key.chat)
    yield* sql`
      insert into palimpsest_messages (tenant, chat, position, id, payload, ${sql.literal(copied)})
      select tenant, ${chat}, 3 * n + 1 + hidden, case hidden when 0 then 'r' else 'hidden' end || n + 1,
        replace(payload, 'call-1', 'call-' || (n + 4) / 4), ${sql.literal(copied)}
      from generate_series(0, ${times - 1}::int) as n
      cross join generate_series(0, 1) as hidden
      join palimpsest_messages on position = n % 4 + 1
      where tenant = ${TENANT} and chat = ${TEMPLATE.chat}`
    yield* sql`
      insert into palimpsest_stretches (tenant, chat, low, high, source)
      select ${TENANT}, ${chat}, case n when 0 then -1 else 3 * n - 1 end,
        case n when ${times}::int then ${OPEN}::int8 else 3 * n + 1 end, ${chat}
      from generate_series(0, ${times}::int) as n`
    yield* sql`
      update palimpsest_chats set next_position = ${3 * times + 1}::int8, revision = ${times}::int8
      where tenant = ${TENANT} and chat = ${chat}`
  })

/** Chats in the same tables: a tenth of them of the same tenant; every tenth has something in each table. */
export const fillCrowd = (sql: SqlClient, chats: number) =>
  Effect.gen(function* () {
    const crowd = sql`(
      select n, case n % 10 when 0 then ${TENANT} else 't' || n % 1000 end as owner, 'crowd' || n as name
      from generate_series(1, ${chats}::int) as n) as crowd`
    const template = sql`tenant = ${TENANT} and chat = ${TEMPLATE.chat}`
    yield* sql`
      insert into palimpsest_tenants (tenant) select distinct owner from ${crowd} on conflict do nothing`
    yield* sql`
      insert into palimpsest_chats (tenant, chat, system, next_position, next_seq)
      select owner, name, 'Be brief.', 3, 9 from ${crowd}`
    yield* sql`
      insert into palimpsest_messages (tenant, chat, position, id, payload, ${sql.literal(copied)})
      select owner, name, case position when 1 then 1 else 2 end, id, payload, ${sql.literal(copied)}
      from ${crowd}, palimpsest_messages where ${template} and position in (1, 4)`
    yield* sql`
      insert into palimpsest_marks
        (tenant, chat, time, position, rank, revision, seq, id, kind, anchor, kept, payload)
      select owner, name, 2, 2, rank, revision, seq, id, kind, anchor, kept, payload
      from ${crowd}, palimpsest_marks where ${template} and (n % 10 = 0 or kind = 'summary' and n % 2 = 0)`
    yield* sql`
      insert into palimpsest_failures (tenant, chat, time, position, seq, anchor, stage, reason, tokens)
      select owner, name, 2, 2, 8, anchor, stage, reason, tokens
      from ${crowd}, palimpsest_failures where ${template} and n % 10 = 0`
    yield* sql`
      insert into palimpsest_stretches (tenant, chat, low, high, source)
      select owner, name, low, high, name from ${crowd}, (values (-1, 1), (1, ${OPEN}::int8)) as line (low, high)
      where n % 10 = 0`
    yield* sql`
      insert into palimpsest_drafts (tenant, chat, name, text)
      select owner, name, 'draft', 'text' from ${crowd} where n % 10 = 0`
    yield* sql`
      insert into palimpsest_leases (tenant, chat, name, holder, until)
      select owner, name, 'lease', 'nobody', now() from ${crowd} where n % 10 = 0`
    yield* sql`
      insert into palimpsest_blobs (tenant, chat, id, text)
      select owner, name, 'blob', 'text' from ${crowd} where n % 10 = 0`
    yield* sql`
      insert into palimpsest_edits (tenant, chat, position, version, id, payload, ${sql.literal(copied)})
      select owner, name, 1, 1, id, payload, ${sql.literal(copied)}
      from ${crowd}, palimpsest_messages where ${template} and position = 1 and n % 10 = 0`
  })

/** Where a thread ends: what is appended after it can be taken away again. */
export const endOf = (sql: SqlClient, { tenant, chat }: ThreadKey) =>
  Effect.map(
    sql<{ next: number }>`
      select next_position::float8 as next from palimpsest_chats where tenant = ${tenant} and chat = ${chat}`,
    ([row]) => row?.next ?? 1,
  )

/** Takes away what was appended since: the next repeat finds the thread as this one did. */
export const restore = (sql: SqlClient, { tenant, chat }: ThreadKey, end: number) =>
  Effect.gen(function* () {
    yield* sql`
      delete from palimpsest_messages where tenant = ${tenant} and chat = ${chat} and position >= ${end}::int8`
    yield* sql`
      update palimpsest_chats set next_position = ${end}::int8 where tenant = ${tenant} and chat = ${chat}`
  })

/** Keeps a server from gathering statistics by itself, so that it is known whether there are any. */
export const stopAutovacuum = (sql: SqlClient) =>
  Effect.forEach(TABLES, (table) =>
    sql.unsafe(`alter table palimpsest_${table} set (autovacuum_enabled = off)`),
  )

/** What the autovacuum of a server does by itself. */
export const vacuum = (sql: SqlClient) => sql.unsafe("vacuum (analyze)")

/** Rows of the largest tables. */
export const sizes = (sql: SqlClient) =>
  Effect.map(
    sql<{ chats: number; messages: number; marks: number }>`
      select (select count(*)::float8 from palimpsest_chats) as chats,
        (select count(*)::float8 from palimpsest_messages) as messages,
        (select count(*)::float8 from palimpsest_marks) as marks`,
    ([row]) => row ?? { chats: 0, messages: 0, marks: 0 },
  )
