/**
 * The order by words, in SQL: BM25 over a document's own words and, with less weight, those around it, as `rankByWords`
 * of the core has it.
 *
 * @since 0.1.0
 */
import { bm25, FUSED, nearWeights } from "@palimpsest/core"
import type { OwnerKey } from "@palimpsest/core/engine"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { encodeText } from "../Text.ts"
import { type Asked, MOST_ASKED } from "./Lexemes.ts"
import type { Scope } from "./Scope.ts"

/** Documents that lie farther apart in time belong to different conversations: milliseconds. */
const APART = 3_600_000

/** The weight of a word by how many places away it was said, before or after, as rows. */
const DISTANCES = nearWeights
  .flatMap((weight, distance) =>
    [...new Set([distance, -distance])].map((signed) => `(${signed}::int8, ${weight}::float8)`),
  )
  .join(", ")

/** The words that are asked for, how many documents have each, and those that are looked up: the rarest ones. */
const askedTables = (
  sql: SqlClient,
  { tenant, owner }: OwnerKey,
  asked: ReadonlyArray<Asked>,
  most: number,
) => sql`
  extent as materialized (
    select documents::float8 as documents, greatest(length / greatest(documents, 1), 0.01) as average
    from palimpsest_extents where tenant = ${tenant} and owner = ${owner}),
  asked as materialized (
    select a.lexeme, a.query, (
      select count(*) from palimpsest_documents as d
      where d.terms @@ a.query::tsquery and d.tenant = ${tenant} and d.owner = ${owner})::float8 as frequency
    from json_to_recordset(${JSON.stringify(asked)}::json) as a(lexeme text, query text)),
  looked as materialized (
    select coalesce(string_agg(query, '|'), '')::tsquery as query from (
      select query, frequency, sum(frequency) over (order by frequency, lexeme) as running
      from asked where frequency > 0) as a
    where running <= ${most}::float8 or running = frequency)`

/**
 * The table `words`: documents in order, with the rank of each. For `with`; the scope's own tables come before it.
 *
 * @category statements
 * @since 0.1.0
 */
export const wordsTables = (
  sql: SqlClient,
  key: OwnerKey,
  asked: ReadonlyArray<Asked>,
  scope: Scope,
  most: number,
): Fragment => {
  const [tenant, owner] = [encodeText(key.tenant), encodeText(key.owner)]
  const { k1, b } = bm25
  return sql`
  ${askedTables(sql, { tenant, owner }, asked, most)},
  matched as materialized (
    select d.chat, d.position, d.piece, d.place, d.at, d.terms
    from palimpsest_documents as d
    where d.terms @@ (select query from looked) and d.tenant = ${tenant} and d.owner = ${owner}
    order by d.at desc, d.chat, d.position desc, d.piece limit ${most}::int8),
  hits as materialized (
    select d.chat, d.position, d.piece, d.place, d.at, u.lexeme, u.count
    from matched as d cross join lateral (
      select lexeme, cardinality(positions) as count from unnest(d.terms)
      where lexeme = any(array(select lexeme from asked)) limit ${MOST_ASKED}::int8) as u),
  spread as (
    select d.chat, d.position, d.piece, d.at, d.length, h.lexeme, sum(h.count * k.weight) as weight
    from hits as h cross join (values ${sql.literal(DISTANCES)}) as k(distance, weight)
    cross join lateral (
      select * from palimpsest_documents as d
      where d.tenant = ${tenant} and d.chat = h.chat and d.place = h.place + k.distance
      order by d.place limit 1) as d
    where (k.distance = 0 or d.at = 0 or h.at = 0 or abs(d.at - h.at) <= ${APART}::float8) and ${scope.holds("d")}
    group by d.chat, d.position, d.piece, d.at, d.length, h.lexeme
    union all
    select d.chat, d.position, d.piece, d.at, d.length, h.lexeme, h.count::float8
    from hits as h cross join lateral (
      select * from palimpsest_documents as d
      where d.tenant = ${tenant} and d.chat = h.chat and d.position = h.position and d.piece = h.piece
      limit 1) as d
    where h.place is null and ${scope.holds("d")}),
  scored as (
    select s.chat, s.position, s.piece, s.at,
      round(sum(
        ln(1 + (greatest(0, e.documents - a.frequency) + 0.5) / (a.frequency + 0.5))
        * s.weight * ${k1 + 1}::float8
        / (s.weight + ${k1}::float8 * (1 - ${b}::float8 + ${b}::float8 * s.length / e.average)))::numeric, 6) as score
    from spread as s join asked as a on a.lexeme = s.lexeme cross join extent as e
    group by s.chat, s.position, s.piece, s.at),
  words as materialized (
    select chat, position, piece,
      row_number() over (order by score desc, at desc, chat, position desc, piece) as rank
    from scored where score > 0
    order by rank limit ${FUSED}::int8)`
}
