/**
 * The index of long-term memory over SQL: documents by words, and by vectors where an embedder and pgvector are there.
 *
 * @since 0.1.0
 */
import { failClosed } from "@palimpsest/core"
import {
  Embedder,
  type IndexReport,
  MemoryIndex,
  Redactor,
  type SearchRequest,
  type SearchResult,
  type StoreError,
} from "@palimpsest/core/engine"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { SqlClient } from "effect/sql/SqlClient"
import { guarded } from "../Failures.ts"
import { methodsOf } from "../Method.ts"
import { migrate } from "../Migrations.ts"
import { makeFillSpaces } from "./FillSpaces.ts"
import { makeIndexRows } from "./IndexRows.ts"
import type { Embedders } from "./NearBy.ts"
import { noteDegraded } from "./NoteDegraded.ts"
import { type MemoryIndexOptions, settingsOf } from "./Options.ts"
import { preparePgVector } from "./PgVector.ts"
import { makeSearch } from "./Search.ts"

/** Rows of one run, unless it is told otherwise. */
const ROWS = 200

/** What vectors are made with; or why there are none, when that is to be told. */
type Vectors = { readonly both: Embedders } | { readonly both: null; readonly lacking: string | null }

/**
 * Makes the index over a client whose tables are there, prepared by `preparePgVector` when vectors are to be kept.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeMemoryIndex = (
  sql: SqlClient,
  redact: (text: string) => string,
  vectors: Vectors,
  options: MemoryIndexOptions = {},
): MemoryIndex["Service"] => {
  const settings = settingsOf(options)
  const methods = methodsOf("PgMemoryIndex", sql, options)
  const indexRows = makeIndexRows(sql, methods)
  const fillSpaces = makeFillSpaces(sql, methods, settings)
  const search = makeSearch(sql, methods, settings)
  const lacking = vectors.both === null && vectors.lacking !== null ? [vectors.lacking] : []
  const index = Effect.fnUntraced(function* (tenant: string, most: number) {
    const done = yield* indexRows(tenant, redact, most)
    if (vectors.both === null) return { ...done, vectors: 0, degraded: lacking } satisfies IndexReport
    const filled = yield* fillSpaces(tenant, vectors.both, most)
    return { ...done, ...filled, left: done.left || filled.left } satisfies IndexReport
  })
  const find = (request: SearchRequest): Effect.Effect<SearchResult, StoreError> =>
    vectors.both === null
      ? Effect.map(search.byWords(request), (result): SearchResult => ({ ...result, degraded: lacking }))
      : search.withVectors(request, redact(request.query), vectors.both)
  return MemoryIndex.of({
    index: (tenant, how) =>
      index(tenant, how?.rows ?? ROWS).pipe(
        Effect.flatMap(noteDegraded("memory index")),
        Effect.withSpan("PgMemoryIndex.index"),
      ),
    search: (request) =>
      Effect.suspend(() => find(request)).pipe(
        Effect.flatMap(noteDegraded("memory search")),
        Effect.withSpan("PgMemoryIndex.search"),
      ),
  })
}

/** The embedder at hand, if there is one and the database can keep its vectors. */
const vectorsOf = (sql: SqlClient, { previous }: MemoryIndexOptions) =>
  Effect.gen(function* () {
    const embedder = yield* Effect.serviceOption(Embedder)
    if (Option.isNone(embedder)) return { both: null, lacking: null }
    const lacking = yield* preparePgVector(sql).pipe(guarded("prepare pgvector"))
    if (lacking !== null) return { both: null, lacking }
    return { both: { embedder: embedder.value, previous: previous ?? null } }
  })

/**
 * Keeps the index in the database of a client, after bringing its tables up to date: by words, and by vectors when an
 * `Embedder` is there. Without pgvector it searches by words alone, and says so in each answer.
 *
 * @category layers
 * @since 0.1.0
 */
export const memoryIndexLayer = (
  options: MemoryIndexOptions = {},
): Layer.Layer<MemoryIndex, StoreError, SqlClient> =>
  Layer.effect(
    MemoryIndex,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* migrate(sql).pipe(guarded("migrate"), Effect.withSpan("PgMemoryIndex.migrate"))
      // A text on which the redactor of the host fails is not indexed: a line stands for it.
      const redact = failClosed(yield* Redactor)
      return makeMemoryIndex(sql, redact, yield* vectorsOf(sql, options), options)
    }),
  )
