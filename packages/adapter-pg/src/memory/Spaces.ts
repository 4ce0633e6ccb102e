/**
 * Spaces: the vectors of one embedder, of one tenant. A change of the embedder makes a new one beside the old.
 *
 * @since 0.1.0
 */
import type { Embedder } from "@palimpsest/core/engine"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import * as SqlSchema from "effect/sql/SqlSchema"
import { encodeText, PgText } from "../Text.ts"
import { lockSpaces } from "./Locks.ts"

const Space = Schema.Struct({
  space: Schema.Finite,
  name: PgText,
  dimensions: Schema.Finite,
  isLive: Schema.Boolean,
})

/**
 * A space.
 *
 * @category models
 * @since 0.1.0
 */
export type Space = typeof Space.Type

/** What tells the space of an embedder from others. */
type Named = Pick<Embedder["Service"], "name" | "dimensions">

/**
 * Tells whether a space has the vectors of an embedder.
 *
 * @category guards
 * @since 0.1.0
 */
export const isOf =
  ({ name, dimensions }: Named) =>
  (space: Space): boolean =>
    space.name === name && space.dimensions === dimensions

/**
 * Makes the reader of the spaces of a tenant.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeSpaces = (sql: SqlClient) => {
  const read = SqlSchema.findAll({
    Request: Schema.Struct({ tenant: PgText }),
    Result: Space,
    execute: ({ tenant }) => sql`
      select space::float8 as space, name, dimensions::float8 as dimensions, is_live as "isLive"
      from palimpsest_spaces where tenant = ${tenant} order by space`,
  })
  return (tenant: string) => read({ tenant })
}

/**
 * Makes the maker of a space, which needs a transaction: every document there is becomes work for it. The first space
 * of a tenant is live at once; a later one when it is complete.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeAddSpace = (sql: SqlClient) =>
  Effect.fnUntraced(function* (tenant: string, { name, dimensions }: Named) {
    const key = encodeText(tenant)
    yield* lockSpaces(sql, key, "alone")
    yield* sql`
      with made as (
        insert into palimpsest_spaces (tenant, name, dimensions, is_live)
        values (${key}, ${encodeText(name)}, ${dimensions}::int4,
          not exists (select from palimpsest_spaces where tenant = ${key}))
        on conflict do nothing
        returning space)
      insert into palimpsest_vectors (tenant, chat, position, piece, space, owner, role, at)
      select d.tenant, d.chat, d.position, d.piece, m.space, d.owner, d.role, d.at
      from palimpsest_documents as d cross join made as m
      where d.tenant = ${key}
      on conflict do nothing`
  })

/** Tries after which a document that gets no vector keeps a space from going live no longer. */
const MOST_TRIES = 5

/**
 * Makes the statement by which a space goes live when nothing is left to do for it.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeGoLive = (sql: SqlClient) => (tenant: string, space: number) =>
  sql`
  update palimpsest_spaces as s set is_live = true
  where s.tenant = ${encodeText(tenant)} and s.space = ${space}::int8 and not s.is_live and not exists (
    select from palimpsest_vectors as v
    where v.tenant = s.tenant and v.space = s.space and not v.is_ready and v.tries < ${MOST_TRIES})
  returning true as is`

/**
 * Makes the end of spaces, which needs a transaction: their vectors are deleted.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeDropSpace = (sql: SqlClient) =>
  Effect.fnUntraced(function* (tenant: string, space: number) {
    const key = encodeText(tenant)
    yield* lockSpaces(sql, key, "alone")
    yield* sql`delete from palimpsest_spaces where tenant = ${key} and space = ${space}::int8`
    yield* sql`delete from palimpsest_vectors where tenant = ${key} and space = ${space}::int8`
  })
