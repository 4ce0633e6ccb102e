/**
 * Facts as they stand in their table.
 *
 * @since 0.1.0
 */
import { canonicalJson, sha256 } from "@palimpsest/core"
import type { Fact, FactQuery } from "@palimpsest/core/engine"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { encodeText, PgText } from "./Text.ts"

/**
 * Describes a fact as it is answered.
 *
 * @category schemas
 * @since 0.1.0
 */
export const FactRecord = Schema.Struct({
  id: PgText,
  owner: PgText,
  chat: PgText,
  subject: PgText,
  attribute: PgText,
  value: PgText,
  quote: PgText,
  row: PgText,
  position: Schema.Finite,
  at: Schema.Finite,
})

/** What a fact is about, as a digest: of any length, and of owners whose names it does not tell. */
export const aboutDigest = (subject: string, attribute: string): string =>
  sha256(canonicalJson(["about", subject, attribute]))

/** What a fact says, as a digest: it is kept when the fact is forgotten. */
const saidDigest = (tenant: string, { owner, subject, attribute, value }: Fact): string =>
  sha256(canonicalJson(["said", tenant, owner, subject, attribute, value]))

/** The columns of a fact, as parameters. */
export const factParameters = (tenant: string, fact: Fact) => ({
  id: encodeText(fact.id),
  owner: encodeText(fact.owner),
  about: aboutDigest(fact.subject, fact.attribute),
  said: saidDigest(tenant, fact),
  subject: encodeText(fact.subject),
  attribute: encodeText(fact.attribute),
  value: encodeText(fact.value),
  quote: encodeText(fact.quote),
  source: encodeText(fact.row),
  position: fact.position,
  at: fact.at,
})

/** The columns that are answered, of a table with an alias. */
export const factColumns = (sql: SqlClient, alias: string): Fragment =>
  sql.literal(
    `${["id", "owner", "subject", "attribute", "value", "quote", "position", "at"].map((name) => `${alias}.${name}`).join(", ")},
      ${alias}.source as row, coalesce(${alias}.chat, '') as chat`,
  )

/** The facts that are asked for, as a condition. */
export const factsAsked = (
  sql: SqlClient,
  { tenant, owner, subject, attribute }: Omit<FactQuery, "limit">,
): Fragment => {
  const mine = sql`tenant = ${encodeText(tenant)} and owner = ${encodeText(owner)}`
  if (subject !== undefined && attribute !== undefined) {
    return sql`${mine} and about = ${aboutDigest(subject, attribute)}`
  }
  if (subject !== undefined) return sql`${mine} and subject = ${encodeText(subject)}`
  return attribute === undefined ? mine : sql`${mine} and attribute = ${encodeText(attribute)}`
}

/** The order in which the latest comes first. */
export const LATEST_FIRST = "at desc, position desc, id desc"
