/**
 * The index over the vectors of one large tenant: built by the indexer while others read and write, and built again
 * when its builder died.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import * as SqlSchema from "effect/sql/SqlSchema"
import { PgText } from "../Text.ts"
import type { Space } from "./Spaces.ts"

/** Most dimensions that such an index takes. */
const MOST_DIMENSIONS = 4000

/**
 * Names the index of a space: the numbers of spaces differ among all tenants.
 *
 * @category getters
 * @since 0.1.0
 */
export const nearIndexName = (space: number): string => `palimpsest_near_${space}`

const State = Schema.Struct({
  isThere: Schema.Boolean,
  isValid: Schema.Boolean,
  isBuilding: Schema.Boolean,
  isLarge: Schema.Boolean,
})

const makeState = (sql: SqlClient) =>
  SqlSchema.findAll({
    Request: Schema.Struct({
      tenant: PgText,
      space: Schema.Finite,
      name: Schema.String,
      from: Schema.Finite,
    }),
    Result: State,
    execute: ({ tenant, space, name, from }) => sql`
      select i.indexrelid is not null as "isThere", coalesce(i.indisvalid, false) as "isValid",
        exists (
          select from pg_stat_progress_create_index as p where p.index_relid = i.indexrelid) as "isBuilding",
        (select count(*) from (
          select from palimpsest_vectors
          where tenant = ${tenant} and space = ${space}::int8 and is_ready limit ${from}::int8) as v) >= ${from}::int8
          as "isLarge"
      from (select to_regclass(${name}) as oid) as n left join pg_index as i on i.indexrelid = n.oid`,
  })

/** A space is of one tenant, so that its number says which vectors these are. */
const textFor = ({ space, dimensions }: Space): string =>
  `create index concurrently if not exists ${nearIndexName(space)} on palimpsest_vectors ` +
  `using hnsw ((embedding::halfvec(${dimensions})) halfvec_cosine_ops) where space = ${space} and is_ready`

/**
 * Makes the builder, which needs to run outside of any transaction. It answers what could not be done, or null.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeBuildNear = (sql: SqlClient, from: number) => {
  const stateOf = makeState(sql)
  return Effect.fnUntraced(function* (tenant: string, space: Space) {
    const name = nearIndexName(space.space)
    const [state] = yield* stateOf({ tenant, space: space.space, name, from })
    if (state === undefined || state.isValid || state.isBuilding) return null
    if (!state.isLarge || space.dimensions > MOST_DIMENSIONS) return null
    const text = textFor(space)
    const build = Effect.gen(function* () {
      // What a builder that died left behind takes part in every write, and serves no search.
      if (state.isThere) yield* sql.unsafe(`drop index concurrently if exists ${name}`)
      yield* sql.unsafe(text)
    })
    const result = yield* Effect.result(build)
    return result._tag === "Success"
      ? null
      : `vectors are compared one by one: their index could not be built (${result.failure.reason._tag}). Run \`${text}\` as the owner of the table`
  })
}

/**
 * Makes the end of such an index.
 *
 * @category constructors
 * @since 0.1.0
 */
export const dropNear = (sql: SqlClient, space: number) =>
  sql.unsafe(`drop index concurrently if exists ${nearIndexName(space)}`)
