/**
 * The statement of a search: words and vectors, fused by reciprocal rank.
 *
 * @since 0.1.0
 */
import { RANK_CONSTANT } from "@palimpsest/core"
import type { SearchRequest } from "@palimpsest/core/engine"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { encodeText, PgText } from "../Text.ts"
import type { Asked } from "./Lexemes.ts"
import type { Scope } from "./Scope.ts"
import { type NearRequest, vectorsTables } from "./VectorsSql.ts"
import { wordsTables } from "./WordsSql.ts"

/**
 * Describes a document as it is found.
 *
 * @category schemas
 * @since 0.1.0
 */
export const FoundRecord = Schema.Struct({
  owner: PgText,
  chat: PgText,
  row: PgText,
  position: Schema.Finite,
  piece: Schema.Finite,
  role: Schema.Literals(["user", "assistant", "tool"]),
  text: PgText,
  at: Schema.Finite,
  score: Schema.Finite,
  words: Schema.NullOr(Schema.Finite),
  vectors: Schema.NullOr(Schema.Finite),
})

/**
 * What a statement searches by; one of both is there.
 *
 * @category models
 * @since 0.1.0
 */
export interface SearchBy {
  readonly asked: ReadonlyArray<Asked>
  readonly near: NearRequest | null
  /** How much the order by vectors counts. */
  readonly weight: number
  /** Most documents whose words are weighed. */
  readonly weighed: number
}

const nothing = (sql: SqlClient, name: "words" | "vectors"): Fragment => sql`
  ${sql.literal(name)} as (
    select null::text as chat, null::int8 as position, null::int4 as piece, null::int8 as rank where false)`

/**
 * Writes the statement: for `explain` too.
 *
 * @category statements
 * @since 0.1.0
 */
export const searchStatement = (
  sql: SqlClient,
  request: SearchRequest,
  scope: Scope,
  { asked, near, weight, weighed }: SearchBy,
) => {
  const tenant = encodeText(request.tenant)
  const words = asked.length === 0 ? nothing(sql, "words") : wordsTables(sql, request, asked, scope, weighed)
  const vectors = near === null ? nothing(sql, "vectors") : vectorsTables(sql, tenant, near, scope)
  return sql`
  with ${scope.tables} ${words},
  ${vectors},
  fused as (
    select chat, position, piece, sum(share) as score, max(words) as words, max(vectors) as vectors
    from (
      select chat, position, piece, 1 / (${RANK_CONSTANT}::float8 + rank) as share, rank as words, null::int8 as vectors
      from words
      union all
      select chat, position, piece, ${weight}::float8 / (${RANK_CONSTANT}::float8 + rank), null, rank from vectors) as one
    group by chat, position, piece)
  select d.owner, d.chat, d.source as row, d.position::float8 as position, d.piece, d.role, d.text, d.at,
    f.score, f.words::float8 as words, f.vectors::float8 as vectors
  from fused as f cross join lateral (
    select * from palimpsest_documents as d
    where d.tenant = ${tenant} and d.chat = f.chat and (d.position, d.piece) >= (f.position, f.piece)
    order by d.position, d.piece limit 1) as d
  where d.position = f.position and d.piece = f.piece
  order by f.score desc, d.at desc, d.chat, d.position desc, d.piece
  limit ${request.limit}::int8`
}
