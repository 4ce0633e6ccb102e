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

/** The weight of a word that was said so many places before or after, as rows. */
const DISTANCES = nearWeights
  .slice(1)
  .flatMap((weight, i) => [i + 1, -i - 1].map((signed) => `(${signed}::int8, ${weight}::float8)`))
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
  // The first one from a place on, and not the one at it: so the index of places is taken however little is known of the table.
  const at = sql`
      select d.owner, d.chat, d.position, d.piece, d.place, d.role, d.at, d.length from palimpsest_documents as d
      where d.tenant = ${tenant} and d.chat = h.chat and d.place >= h.place + k.distance
      order by d.place limit 1`
  return sql`
  ${askedTables(sql, { tenant, owner }, asked, most)},
  matched as materialized (
    select d.owner, d.chat, d.position, d.piece, d.place, d.role, d.at, d.length, d.terms
    from palimpsest_documents as d
    where d.terms @@ (select query from looked) and d.tenant = ${tenant} and d.owner = ${owner}
    order by d.at desc, d.chat, d.position desc, d.piece limit ${most}::int8),
  hits as materialized (
    select d.owner, d.chat, d.position, d.piece, d.place, d.role, d.at, d.length, u.lexeme, u.count
    from matched as d cross join lateral (
      select lexeme, cardinality(positions) as count from unnest(d.terms)
      where lexeme = any(array(select lexeme from asked)) limit ${MOST_ASKED}::int8) as u),
  said as (
    select h.chat, h.position, h.piece, h.at, h.length, h.lexeme, h.count * ${nearWeights[0] ?? 1}::float8 as weight
    from hits as h where ${scope.holds("h")}
    union all
    select d.chat, d.position, d.piece, d.at, d.length, h.lexeme, h.count * k.weight
    from hits as h cross join (values ${sql.literal(DISTANCES)}) as k(distance, weight)
    cross join lateral (${at}) as d
    where d.place = h.place + k.distance
      and (d.at = 0 or h.at = 0 or abs(d.at - h.at) <= ${APART}::float8) and ${scope.holds("d")}),
  spread as (
    select chat, position, piece, at, length, lexeme, sum(weight) as weight
    from said group by chat, position, piece, at, length, lexeme),
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
