/**
 * Reading facts: of each subject and attribute the latest one holds.
 *
 * @since 0.1.0
 */
import type { ThreadKey } from "@palimpsest/core"
import { type FactQuery, factLimit, type OwnerKey } from "@palimpsest/core/engine"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { FactRecord, factColumns, factsAsked, LATEST_FIRST } from "./FactRows.ts"
import { noteRead } from "./NoteRead.ts"
import { encodeText } from "./Text.ts"

const decode = Schema.decodeUnknownEffect(Schema.Array(FactRecord))

/** Runs a statement that answers facts. */
const facts = Effect.fnUntraced(function* (
  operation: string,
  statement: Effect.Effect<ReadonlyArray<object>, SqlError>,
) {
  const rows = yield* statement
  yield* noteRead(operation, rows)
  return yield* decode(rows)
})

/**
 * Makes `list`.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeListFacts = (sql: SqlClient) => (key: ThreadKey) =>
  facts(
    "list facts",
    sql`
      select ${factColumns(sql, "f")} from palimpsest_facts as f
      where tenant = ${encodeText(key.tenant)} and chat = ${encodeText(key.chat)}
      order by position, id`,
  )

/**
 * Makes `current`: the first of each subject and attribute in an index that has the latest first.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeCurrentFacts = (sql: SqlClient) => (query: FactQuery) =>
  facts(
    "current facts",
    sql`
      select ${factColumns(sql, "f")} from (
        select distinct on (about) * from palimpsest_facts
        where ${factsAsked(sql, query)}
        order by about, ${sql.literal(LATEST_FIRST)}) as f
      order by ${sql.literal(LATEST_FIRST)}
      limit ${factLimit(query.limit)}::int8`,
  )

/**
 * Makes `history`.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeFactHistory = (sql: SqlClient) => (query: FactQuery) =>
  facts(
    "history of facts",
    sql`
      select ${factColumns(sql, "f")} from palimpsest_facts as f
      where ${factsAsked(sql, query)}
      order by ${sql.literal(LATEST_FIRST)}
      limit ${factLimit(query.limit)}::int8`,
  )

/**
 * Makes `superseded`: rows in, as one text, and those of their facts that have a later one beside them.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeSupersededFacts =
  (sql: SqlClient) =>
  ({ tenant, owner }: OwnerKey, rows: ReadonlyArray<{ readonly chat: string; readonly row: string }>) => {
    const said = rows.map(({ chat, row }) => ({ chat: encodeText(chat), source: encodeText(row) }))
    return facts(
      "superseded facts",
      sql`
        select ${factColumns(sql, "f")}
        from (select distinct chat, source from json_to_recordset(${JSON.stringify(said)}::json)
          as r(chat text, source text)) as r
        join palimpsest_facts as f on f.tenant = ${encodeText(tenant)} and f.chat = r.chat
          and f.source = r.source and f.owner = ${encodeText(owner)}
        where exists (
          select from palimpsest_facts as n
          where n.tenant = f.tenant and n.owner = f.owner and n.about = f.about
            and (n.at, n.position, n.id) > (f.at, f.position, f.id))
        order by ${sql.literal(LATEST_FIRST)}`,
    )
  }
