/**
 * The order by vectors, in SQL: each one compared, or through the index of a large tenant.
 *
 * @since 0.1.0
 */
import { FUSED } from "@palimpsest/core"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import type { Scope } from "./Scope.ts"
import type { Space } from "./Spaces.ts"

/**
 * A search by vectors: the space, the vector of the query as text, and how.
 *
 * @category models
 * @since 0.1.0
 */
export interface NearRequest {
  readonly space: Space
  readonly embedding: string
  readonly scan: "exact" | "index"
}

/**
 * The table `vectors`: documents in order, with the rank of each. For `with`; the scope's own tables come before it.
 * The tenant is encoded. The number of the space stands in the text: who plans the statement must see that the index
 * has what is asked for.
 *
 * @category statements
 * @since 0.1.0
 */
export const vectorsTables = (
  sql: SqlClient,
  tenant: string,
  { space, embedding, scan }: NearRequest,
  scope: Scope,
): Fragment => {
  const typed = sql.literal(`halfvec(${space.dimensions})`)
  const number = sql.literal(`${space.space}::int8`)
  const distance = sql`v.embedding::${typed} <=> ${embedding}::${typed}`
  // With a sum the order is none that the index has.
  const order = scan === "index" ? distance : sql`(${distance}) + 0`
  return sql`
  near as materialized (
    select v.chat, v.position, v.piece, v.at, ${distance} as distance
    from palimpsest_vectors as v
    where v.tenant = ${tenant} and v.space = ${number} and v.is_ready and v.embedding is not null
      and ${scope.holds("v")}
    order by ${order} limit ${FUSED}::int8),
  vectors as materialized (
    select chat, position, piece,
      row_number() over (order by distance, at desc, chat, position desc, piece) as rank
    from near)`
}

/**
 * Counts the vectors in a scope, up to a number.
 *
 * @category statements
 * @since 0.1.0
 */
export const countNear = (sql: SqlClient, tenant: string, space: number, scope: Scope, most: number) => sql`
  with ${scope.tables} counted as (
    select from palimpsest_vectors as v
    where v.tenant = ${tenant} and v.space = ${space}::int8 and v.is_ready and ${scope.holds("v")}
    limit ${most}::int8)
  select count(*)::float8 as count from counted`
