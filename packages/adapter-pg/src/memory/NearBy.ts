/**
 * How vectors are searched: in which space, with the vector of which embedder, and whether through an index.
 *
 * @since 0.1.0
 */
import type { Embedder } from "@palimpsest/core/engine"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import * as SqlSchema from "effect/sql/SqlSchema"
import { embedTexts } from "./Embed.ts"
import { nearIndexName } from "./NearIndex.ts"
import type { Scope } from "./Scope.ts"
import { isOf, type Space } from "./Spaces.ts"
import { countNear } from "./VectorsSql.ts"

type Service = Embedder["Service"]

/**
 * The embedders at hand: the one in use, and the one before it.
 *
 * @category models
 * @since 0.1.0
 */
export interface Embedders {
  readonly embedder: Service
  readonly previous: Service | null
}

/**
 * Where and with whose vectors is searched, and what is missing there.
 *
 * @category models
 * @since 0.1.0
 */
export interface Chosen {
  readonly space: Space | null
  readonly embedder: Service
  readonly lacking: string | null
}

/**
 * Chooses the space: that of the embedder once it is complete; until then that of the one before, when it is at hand.
 *
 * @category combinators
 * @since 0.1.0
 */
export const chooseSpace = (spaces: ReadonlyArray<Space>, { embedder, previous }: Embedders): Chosen => {
  const own = spaces.find(isOf(embedder)) ?? null
  if (own?.isLive === true) return { space: own, embedder, lacking: null }
  const old = previous === null ? undefined : spaces.find(isOf(previous))
  if (previous !== null && old !== undefined) return { space: old, embedder: previous, lacking: null }
  const lacking =
    own === null
      ? `no document has a vector of ${embedder.name} yet: they are found by words alone until the index is run with it`
      : `not all documents have a vector of ${embedder.name} yet: the others are found by words alone until the index is complete`
  return { space: own, embedder, lacking }
}

const Flag = Schema.Struct({ is: Schema.Boolean })
const Count = Schema.Struct({ count: Schema.Finite })

/**
 * Makes the choice between comparing each vector and an index: by the number of vectors that match.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeChooseScan = (sql: SqlClient, most: number) => {
  const hasIndex = SqlSchema.findAll({
    Request: Schema.Struct({ name: Schema.String }),
    Result: Flag,
    execute: ({ name }) => sql`select indisvalid as is from pg_index where indexrelid = to_regclass(${name})`,
  })
  return Effect.fnUntraced(function* (tenant: string, space: number, scope: Scope) {
    const [index] = yield* hasIndex({ name: nearIndexName(space) })
    if (index?.is !== true) return "exact" as const
    const count = SqlSchema.findAll({
      Request: Schema.Void,
      Result: Count,
      execute: () => countNear(sql, tenant, space, scope, most + 1),
    })
    const [matching] = yield* count()
    return (matching?.count ?? 0) > most ? ("index" as const) : ("exact" as const)
  })
}

/**
 * Tells the database how to run a search until the end of the transaction: planned for this one, and not compiled, which takes
 * longer than running it.
 *
 * @category constructors
 * @since 0.1.0
 */
export const tuneSearch = (sql: SqlClient) => sql`
  select set_config('jit', 'off', true), set_config('plan_cache_mode', 'force_custom_plan', true)`

/**
 * Tells the database how to use such an index: it goes on looking while filters take documents away, and far enough for
 * nine tenths and more of the nearest.
 *
 * @category constructors
 * @since 0.1.0
 */
export const tuneIndex = (sql: SqlClient) => sql`
  select set_config('hnsw.iterative_scan', 'relaxed_order', true), set_config('hnsw.ef_search', '200', true),
    set_config('hnsw.max_scan_tuples', '40000', true)`

/**
 * Embeds a query. It answers null for one without a direction, and where the embedder fails, which is told.
 *
 * @category constructors
 * @since 0.1.0
 */
export const embedQuery = (embedder: Service, query: string) =>
  embedTexts(embedder, [query], "query").pipe(
    Effect.map(([embedding]) => ({ embedding: embedding ?? null, degraded: [] as ReadonlyArray<string> })),
    Effect.catch((error) =>
      Effect.succeed({ embedding: null, degraded: [`searched by words alone: ${error.message}`] }),
    ),
  )
