/**
 * Where is searched: the conditions of a request as SQL.
 *
 * @since 0.1.0
 */
import { OPEN } from "@palimpsest/core"
import type { SearchRequest } from "@palimpsest/core/engine"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { idList, idsIn } from "../Find.ts"
import { sourcesOf } from "../Line.ts"
import { encodeText } from "../Text.ts"

/** The stretches that some chats show, of whatever chat: a fork shows rows that are another's. */
const shownBy = (sql: SqlClient, tenant: string, chats: ReadonlyArray<string>) => sql`
  asked_chats as materialized (select json_array_elements_text(${idList(chats)}::json) collate "C" as chat),
  shown as materialized (
    select source, low, high from palimpsest_stretches
    where tenant = ${tenant} and chat in (select chat from asked_chats)
    union all
    select chat, -1::int8, ${OPEN}::int8 from asked_chats as a
    where not exists (select from palimpsest_stretches as s where s.tenant = ${tenant} and s.chat = a.chat))`

/** Rows that need not be found, by where they are stored. */
const exceptedRows = (
  sql: SqlClient,
  tenant: string,
  { chat, rows }: NonNullable<SearchRequest["except"]>,
) => sql`
  excepted as materialized (
    select m.chat, m.position
    from ${idsIn(sql, sql`${idList(rows)}`)} as k(id)
    cross join ${sourcesOf(sql, { tenant, chat: encodeText(chat) })}
    join palimpsest_messages as m on m.tenant = ${tenant} and m.chat = s.source and m.id = k.id)`

/**
 * What is searched.
 *
 * @category models
 * @since 0.1.0
 */
export interface Scope {
  /** Table expressions that the conditions use, each with a comma behind it: for `with`. */
  readonly tables: Fragment
  /** The conditions on a row of `palimpsest_documents` or `palimpsest_vectors` with an alias, beside its tenant: for `where`. */
  readonly holds: (alias: string) => Fragment
}

const join = (sql: SqlClient, parts: ReadonlyArray<Fragment>): Fragment =>
  parts.reduce((all, part) => sql`${all} ${part}`, sql``)

/**
 * Writes the conditions of a request.
 *
 * @category constructors
 * @since 0.1.0
 */
export const scopeOf = (sql: SqlClient, request: SearchRequest): Scope => {
  const { owner, chats, roles, since, until, except } = request
  const tenant = encodeText(request.tenant)
  const tables = [
    ...(chats === undefined ? [] : [sql`${shownBy(sql, tenant, chats)},`]),
    ...(except === undefined ? [] : [sql`${exceptedRows(sql, tenant, except)},`]),
  ]
  const holds = (alias: string) => {
    const of = (column: string) => sql.literal(`${alias}.${column}`)
    return join(sql, [
      sql`${of("owner")} = ${encodeText(owner)}`,
      ...(roles === undefined
        ? []
        : [sql`and ${of("role")} in (select json_array_elements_text(${JSON.stringify(roles)}::json))`]),
      ...(since === undefined ? [] : [sql`and ${of("at")} >= ${since}::float8`]),
      ...(until === undefined ? [] : [sql`and ${of("at")} < ${until}::float8`]),
      ...(chats === undefined
        ? []
        : [
            sql`and exists (select from shown as s where s.source = ${of("chat")}
              and s.low < ${of("position")} and ${of("position")} <= s.high)`,
          ]),
      ...(except === undefined
        ? []
        : [sql`and (${of("chat")}, ${of("position")}) not in (select chat, position from excepted)`]),
    ])
  }
  return { tables: join(sql, tables), holds }
}
