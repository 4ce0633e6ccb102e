/**
 * Pages of all that is kept of an owner, table by table.
 *
 * @since 0.1.0
 */
import { type OwnerKey, type OwnerPage, type OwnerRecord, StoreError } from "@palimpsest/core/engine"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { type Exported, exportTables, type Field } from "./ExportTables.ts"
import { decodeJson, decodeText, encodeText } from "./Text.ts"

/** Where a page begins: after a row of a table. */
const Cursor = Schema.fromJsonString(
  Schema.Struct({ kind: Schema.String, after: Schema.Array(Schema.String) }),
)
const decodeCursor = Schema.decodeUnknownResult(Cursor)

const AnyJson = Schema.fromJsonString(Schema.Unknown)
const parseJson = Schema.decodeUnknownResult(AnyJson)

/** JSON that cannot be read is handed out as the text that it is. */
const jsonOf = (stored: string): unknown => {
  const text = decodeJson(stored)
  return Result.getOrElse(parseJson(text), () => text)
}

const forms: Record<Field, (sql: SqlClient, expression: string) => Fragment> = {
  text: (sql, expression) => sql.literal(expression),
  json: (sql, expression) => sql.literal(expression),
  number: (sql, expression) => sql.literal(`(${expression})::float8`),
  time: (sql, expression) => sql.literal(`floor(extract(epoch from ${expression}) * 1000)::float8`),
  flag: (sql, expression) => sql.literal(`(${expression})`),
}

const fieldOf = (form: Field, stored: unknown): unknown => {
  if (typeof stored !== "string") return stored
  return form === "json" ? jsonOf(stored) : decodeText(stored)
}

/** What is absent of a row is no field of its record. */
const recordOf = ({ kind, fields }: Exported, row: Readonly<Record<string, unknown>>): OwnerRecord => ({
  kind,
  ...Object.fromEntries(
    Object.entries(fields).flatMap(([name, [, form]]) =>
      row[name] === null || row[name] === undefined ? [] : [[name, fieldOf(form, row[name])]],
    ),
  ),
})

/** The names of the columns that tell where a row stands. */
const placeName = (i: number): string => `place${i}`

const select = (sql: SqlClient, { fields, order }: Exported): Fragment =>
  sql.csv([
    ...Object.entries(fields).map(
      ([name, [expression, form]]) => sql`${forms[form](sql, expression)} as ${sql.literal(`"${name}"`)}`,
    ),
    ...Object.keys(order).map((expression, i) => sql.literal(`(${expression})::text as "${placeName(i)}"`)),
  ])

const whose = (sql: SqlClient, { table, of }: Exported, { tenant, owner }: OwnerKey): Fragment => {
  const mine = sql`t.tenant = ${encodeText(tenant)}`
  if (of === "owner") return sql`${sql.literal(table)} as t where ${mine} and t.owner = ${encodeText(owner)}`
  // Chats of before there were owners, and those that were never opened, belong to the memory that the tenant shares.
  const hers =
    owner === ""
      ? sql`coalesce(c.owner, '') = '' and c.removed_at is null`
      : sql`c.owner = ${encodeText(owner)}`
  return sql`palimpsest_chats as c join ${sql.literal(table)} as t on t.tenant = c.tenant and t.chat = c.chat
    where c.tenant = ${encodeText(tenant)} and ${hers} and ${mine}`
}

const after = (sql: SqlClient, { order }: Exported, place: ReadonlyArray<string>): Fragment => {
  const types = Object.values(order)
  if (place.length !== types.length) return sql``
  const values = types.map((type, i) => {
    const collation = type === "text" ? ' collate "C"' : ""
    return sql`${place[i] ?? ""}::text::${sql.literal(type + collation)}`
  })
  return sql`and (${sql.literal(Object.keys(order).join(", "))}) > (${sql.csv(values)})`
}

/** Rows of a table, as they are answered: a text of each of their columns. */
const makeRead =
  (sql: SqlClient) => (owner: OwnerKey, one: Exported, place: ReadonlyArray<string>, most: number) =>
    sql<Readonly<Record<string, unknown>>>`
    select ${select(sql, one)} from ${whose(sql, one, owner)} ${after(sql, one, place)}
    order by ${sql.literal(Object.keys(one.order).join(", "))} limit ${most}::int8`

const placeOf = ({ order }: Exported, row: Readonly<Record<string, unknown>>): ReadonlyArray<string> =>
  Object.keys(order).map((_, i) => String(row[placeName(i)]))

const startOf = (from: string | null): Result.Result<typeof Cursor.Type, StoreError> =>
  from === null
    ? Result.succeed({ kind: exportTables[0]?.kind ?? "", after: [] })
    : Result.mapError(
        decodeCursor(from),
        () =>
          new StoreError({
            operation: "export",
            reason: "this is no place of an export: give what the page before said",
            isRetryable: false,
          }),
      )

/**
 * Makes `page`: what is left of the table at which the page before ended, and then the next ones.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeOwnerPage = (sql: SqlClient) => {
  const read = makeRead(sql)
  return Effect.fnUntraced(function* (owner: OwnerKey, from: string | null, limit: number) {
    const start = yield* Effect.fromResult(startOf(from))
    const first = exportTables.findIndex(({ kind }) => kind === start.kind)
    const most = Number.isNaN(limit) ? 1 : Math.max(1, Math.floor(Math.min(limit, 10_000)))
    const records: Array<OwnerRecord> = []
    for (const [i, one] of exportTables.entries()) {
      if (i < first) continue
      const rows = yield* read(owner, one, i === first ? start.after : [], most - records.length)
      records.push(...rows.map((row) => recordOf(one, row)))
      const last = rows.at(-1)
      if (records.length < most || last === undefined) continue
      return { records, next: JSON.stringify({ kind: one.kind, after: placeOf(one, last) }) }
    }
    return { records, next: null } satisfies OwnerPage
  })
}
