import { memoryIndexLayer } from "@palimpsest/adapter-pg"
import { Embedder, MemoryIndex, type SearchRequest } from "@palimpsest/core/engine"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { cloud } from "./Cloud.ts"

/** How much is measured. */
export interface NearExtent {
  readonly vectors: number
  readonly dimensions: number
  readonly queries: number
  readonly seed: number
}

/** What was found at one selectivity. */
export interface NearPoint {
  /** Part of the vectors that the filter lets through. */
  readonly selectivity: number
  /** Part of the ten nearest that the search found. */
  readonly recallAt10: number
  /** 95 of 100 searches took no longer, in milliseconds: as the library searches, and when it compares each vector. */
  readonly p95: number
  readonly p95Exact: number
  /** How it searched. */
  readonly scan: "none" | "exact" | "index"
}

/** What a run found. */
export interface NearRecall extends NearExtent {
  readonly pgvector: string
  readonly buildSeconds: number
  readonly points: ReadonlyArray<NearPoint>
}

const SELECTIVITIES = [1, 0.3, 0.1, 0.01, 0.001]
const CHUNK = 500
const NEAREST = 10
const NAME = "generated"

const percentile = (values: ReadonlyArray<number>, part: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ??
  Number.NaN

const lengthOf = (point: ReadonlyArray<number>): number =>
  Math.sqrt(point.reduce((sum, value) => sum + value * value, 0))

const textOf = (point: ReadonlyArray<number>): string => {
  const length = lengthOf(point)
  return `[${point.map((value) => (value / length).toFixed(6)).join(",")}]`
}

/** Documents that say nothing, with vectors: `at` is what filters go by, and independent of the vectors. */
const fill = Effect.fnUntraced(function* (
  tenant: string,
  { vectors, dimensions }: NearExtent,
  source: ReturnType<typeof cloud>,
) {
  const sql = yield* SqlClient
  yield* sql`insert into palimpsest_spaces (tenant, name, dimensions, is_live)
    values (${tenant}, ${NAME}, ${dimensions}::int4, true)`
  const [space] = yield* sql<{ space: string }>`
    select space::text as space from palimpsest_spaces where tenant = ${tenant}`
  yield* sql`insert into palimpsest_documents
    (tenant, chat, position, piece, owner, source, role, text, terms, length, at)
    select ${tenant}, 'c' || i / 100, i, 0, '', 'm' || i, 'user', 'document ' || i, '', 1, 0
    from generate_series(1, ${vectors}::int4) as i`
  for (let from = 1; from <= vectors; from += CHUNK) {
    const rows = Array.from({ length: Math.min(CHUNK, vectors - from + 1) }, (_, i) => ({
      i: from + i,
      at: source.random(),
      embedding: textOf(source.point()),
    }))
    yield* sql`insert into palimpsest_vectors
      (tenant, chat, position, piece, space, owner, role, at, is_ready, embedding)
      select ${tenant}, 'c' || i / 100, i, 0, ${space?.space ?? ""}::int8, '', 'user', at, true, embedding::halfvec
      from json_to_recordset(${JSON.stringify(rows)}::json) as r(i int8, at float8, embedding text)`
  }
  yield* sql.unsafe("vacuum analyze palimpsest_vectors")
  yield* sql.unsafe("vacuum analyze palimpsest_documents")
})

const timed = <A, E, R>(work: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const start = performance.now()
    const value = yield* work
    return { value, took: performance.now() - start }
  })

const keysOf = (found: ReadonlyArray<{ readonly document: { readonly position: number } }>) =>
  found.map(({ document }) => document.position)

/** An embedder that knows the queries by their numbers. */
const embedderOf = (dimensions: number, queries: ReadonlyArray<ReadonlyArray<number>>) =>
  Embedder.of({
    name: NAME,
    dimensions,
    weight: 1,
    batch: 100,
    embed: (texts) => Effect.succeed(texts.map((text) => queries[Number(text)] ?? [])),
  })

const serviceOf = (embedder: Embedder["Service"], exactUpTo?: number) =>
  Effect.map(
    Layer.build(
      Layer.provide(
        Layer.fresh(memoryIndexLayer(exactUpTo === undefined ? {} : { exactUpTo })),
        Layer.succeed(Embedder, embedder),
      ),
    ),
    (context) => MemoryIndex.pipe(Effect.provide(context)),
  ).pipe(Effect.flatten)

/**
 * Measures the search by vectors against comparing each one, at some selectivities of a filter, on a database with
 * pgvector whose tables may be empty. It leaves its tenant there.
 */
export const measureNear = (extent: NearExtent, tell: (text: string) => void = () => undefined) =>
  Effect.scoped(
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const tenant = `recall ${Date.now()}`
      const source = cloud(extent.dimensions, extent.seed)
      const queries = Array.from({ length: extent.queries }, () => source.point())
      const embedder = embedderOf(extent.dimensions, queries)
      const ours = yield* serviceOf(embedder)
      const exact = yield* serviceOf(embedder, Number.MAX_SAFE_INTEGER)
      tell(`loading ${extent.vectors} vectors`)
      yield* fill(tenant, extent, source)
      tell("building the index")
      const built = yield* timed(ours.index(tenant))
      if (built.value.degraded.length > 0) yield* Effect.fail(new Error(built.value.degraded.join()))
      const points: Array<NearPoint> = []
      for (const selectivity of SELECTIVITIES) {
        tell(`searching, at a selectivity of ${selectivity}`)
        const request = (i: number): SearchRequest => ({
          ...{ tenant, owner: "", query: `${i}`, limit: NEAREST },
          ...(selectivity === 1 ? {} : { until: selectivity }),
        })
        yield* ours.search(request(0))
        let hits = 0
        let all = 0
        let scan: NearPoint["scan"] = "none"
        const times: Array<number> = []
        const exactTimes: Array<number> = []
        for (let i = 0; i < extent.queries; i++) {
          const found = yield* timed(ours.search(request(i)))
          const truth = yield* timed(exact.search(request(i)))
          const right = new Set(keysOf(truth.value.found))
          hits += keysOf(found.value.found).filter((key) => right.has(key)).length
          all += right.size
          scan = found.value.scan
          times.push(found.took)
          exactTimes.push(truth.took)
        }
        points.push({
          selectivity,
          recallAt10: all === 0 ? Number.NaN : hits / all,
          p95: percentile(times, 0.95),
          p95Exact: percentile(exactTimes, 0.95),
          scan,
        })
      }
      const [version] = yield* sql<{ version: string }>`
        select extversion as version from pg_extension where extname = 'vector'`
      const result: NearRecall = {
        ...extent,
        pgvector: version?.version ?? "none",
        buildSeconds: built.took / 1000,
        points,
      }
      return result
    }),
  )
