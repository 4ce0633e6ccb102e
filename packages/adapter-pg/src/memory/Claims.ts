/**
 * Documents that have no vector yet, taken by one process at a time: what it took is its own until its time is over.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import * as SqlSchema from "effect/sql/SqlSchema"
import { encodeText, PgText } from "../Text.ts"

const Request = Schema.Struct({
  tenant: PgText,
  space: Schema.Finite,
  claim: PgText,
  most: Schema.Finite,
  patience: Schema.Finite,
})

const Claimed = Schema.Struct({
  chat: PgText,
  position: Schema.Finite,
  piece: Schema.Finite,
  tries: Schema.Finite,
  text: PgText,
})

/**
 * A document to embed.
 *
 * @category models
 * @since 0.1.0
 */
export type Claimed = typeof Claimed.Type

/**
 * A document with its vector, as text; null for one that has no direction.
 *
 * @category models
 * @since 0.1.0
 */
export type Embedded = Claimed & { readonly embedding: string | null }

const keysOf = (documents: ReadonlyArray<Claimed | Embedded>): string =>
  JSON.stringify(documents.map((one) => ({ ...one, chat: encodeText(one.chat), text: "" })))

/** Longest rest of a document that gets no vector, in seconds. */
const LONGEST_REST = 86_400

/**
 * Makes what is done with claims. Each is one statement.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeClaims = (sql: SqlClient) => {
  const take = SqlSchema.findAll({
    Request,
    Result: Claimed,
    execute: ({ tenant, space, claim, most, patience }) => sql`
      with free as materialized (
        select chat, position, piece from palimpsest_vectors
        where tenant = ${tenant} and space = ${space}::int8 and not is_ready
          and (until is null or until <= clock_timestamp())
        order by tries, chat, position
        limit ${most}::int8 for update skip locked),
      taken as (
        update palimpsest_vectors as v
        set claim = ${claim}, tries = v.tries + 1,
          until = clock_timestamp() + ${patience}::float8 * interval '1 millisecond'
        from free as f
        where v.tenant = ${tenant} and v.space = ${space}::int8 and v.chat = f.chat and v.position = f.position
          and v.piece = f.piece
        returning v.chat, v.position, v.piece, v.tries)
      select t.chat, t.position::float8 as position, t.piece, t.tries, d.text
      from taken as t join palimpsest_documents as d
        on d.tenant = ${tenant} and d.chat = t.chat and d.position = t.position and d.piece = t.piece`,
  })
  const mine = (tenant: string, space: number, claim: string) => sql`
    v.tenant = ${encodeText(tenant)} and v.space = ${space}::int8 and v.claim = ${encodeText(claim)}
      and v.chat = r.chat and v.position = r.position and v.piece = r.piece and not v.is_ready`
  const record = (documents: ReadonlyArray<Claimed | Embedded>) => sql`
    json_to_recordset(${keysOf(documents)}::json) as r(
      chat text, position int8, piece int4, tries int4, embedding text)`
  return {
    take,
    /** A document that was changed meanwhile is no longer of this claim: it is embedded again. */
    keep: (tenant: string, space: number, claim: string, documents: ReadonlyArray<Embedded>) =>
      Effect.map(
        sql`
          update palimpsest_vectors as v
          set embedding = r.embedding::halfvec, is_ready = true, claim = null, until = null
          from ${record(documents)}
          where ${mine(tenant, space, claim)}
          returning true as is`,
        (rows) => rows.length,
      ),
    /** What was not embedded is free again: at once when it is not its fault, or after a rest that grows. */
    giveBack: (
      tenant: string,
      space: number,
      claim: string,
      documents: ReadonlyArray<Claimed>,
      isAtFault: boolean,
    ) => sql`
      update palimpsest_vectors as v
      set claim = null, tries = v.tries - ${isAtFault ? 0 : 1}::int4,
        until = ${isAtFault ? sql`clock_timestamp() + least(60 * 2 ^ v.tries, ${LONGEST_REST}::float8) * interval '1 second'` : sql`null`}
      from ${record(documents)}
      where ${mine(tenant, space, claim)}`,
  }
}

/**
 * Makes the question whether work is left that can be taken now.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeHasWork = (sql: SqlClient) => (tenant: string, space: number) =>
  Effect.map(
    sql`select from palimpsest_vectors
      where tenant = ${encodeText(tenant)} and space = ${space}::int8 and not is_ready
        and (until is null or until <= clock_timestamp())
      limit 1`,
    (rows) => rows.length > 0,
  )
