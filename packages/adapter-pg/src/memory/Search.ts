/**
 * One search: the query is embedded, then one transaction chooses how to look and finds.
 *
 * @since 0.1.0
 */
import type { Found, SearchRequest, SearchResult, StoreError } from "@palimpsest/core/engine"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import * as SqlSchema from "effect/sql/SqlSchema"
import type { methodsOf } from "../Method.ts"
import { encodeText } from "../Text.ts"
import { askedIn } from "./Lexemes.ts"
import { chooseSpace, type Embedders, embedQuery, makeChooseScan, tuneIndex, tuneSearch } from "./NearBy.ts"
import type { Settings } from "./Options.ts"
import { scopeOf } from "./Scope.ts"
import { makeSpaces } from "./Spaces.ts"
import { FoundRecord, type SearchBy, searchStatement } from "./Statement.ts"

type Looked = Pick<SearchResult, "found" | "scan">

const NOTHING: Looked = { found: [], scan: "none" }

const foundOf = ({ score, words, vectors, ...document }: typeof FoundRecord.Type): Found => ({
  document,
  score,
  words,
  vectors,
})

/**
 * Makes the search by words, and by vectors where embedders are given.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeSearch = (
  sql: SqlClient,
  { plain, atomic }: ReturnType<typeof methodsOf>,
  { exactUpTo, weighed }: Settings,
) => {
  const spacesOf = makeSpaces(sql)
  const chooseScan = makeChooseScan(sql, exactUpTo)
  const find = (request: SearchRequest, by: SearchBy) =>
    Effect.map(
      SqlSchema.findAll({
        Request: Schema.Void,
        Result: FoundRecord,
        execute: () => searchStatement(sql, request, scopeOf(sql, request), by),
      })(),
      (rows) => rows.map(foundOf),
    )
  const inTransaction = Effect.fnUntraced(function* (request: SearchRequest, by: SearchBy) {
    yield* tuneSearch(sql)
    if (by.near === null) return { found: yield* find(request, by), scan: "none" as const }
    const { space } = by.near.space
    const scan = yield* chooseScan(encodeText(request.tenant), space, scopeOf(sql, request))
    if (scan === "index") yield* tuneIndex(sql)
    return { found: yield* find(request, { ...by, near: { ...by.near, scan } }), scan }
  })
  const byWords = (request: SearchRequest) => ({
    asked: askedIn(request, request.query),
    near: null,
    weight: 1,
    weighed,
  })
  const run = (request: SearchRequest, by: SearchBy): Effect.Effect<Looked, StoreError> => {
    const key = { tenant: request.tenant, chat: "" }
    if (by.asked.length === 0 && by.near === null) return Effect.succeed(NOTHING)
    return atomic("search", key, inTransaction(request, by))
  }
  const withVectors = Effect.fnUntraced(function* (request: SearchRequest, query: string, both: Embedders) {
    const key = { tenant: request.tenant, chat: "" }
    const chosen = chooseSpace(yield* plain("search: spaces", key, spacesOf(request.tenant)), both)
    const { space, embedder, lacking } = chosen
    const { embedding, degraded } =
      space === null ? { embedding: null, degraded: [] } : yield* embedQuery(embedder, query)
    const near = space === null || embedding === null ? null : { space, embedding, scan: "exact" as const }
    const result = yield* run(request, { ...byWords(request), near, weight: embedder.weight })
    const told = lacking === null || result.found.length === 0 ? degraded : [...degraded, lacking]
    return { ...result, degraded: told } satisfies SearchResult
  })
  return {
    withVectors,
    byWords: (request: SearchRequest) => run(request, byWords(request)),
  }
}
