/**
 * How many documents an owner has, and how long they are together: kept in the transactions that change them.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"

/**
 * Describes a change of an extent.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Change = Schema.Struct({ documents: Schema.Finite, length: Schema.Finite })

/**
 * Adds to an extent. Names are encoded.
 *
 * @category statements
 * @since 0.1.0
 */
export const addToExtent = (
  sql: SqlClient,
  tenant: string,
  owner: string,
  { documents, length }: typeof Change.Type,
) => sql`
  insert into palimpsest_extents as e (tenant, owner, documents, length)
  values (${tenant}, ${owner}, ${documents}::int8, ${length}::float8)
  on conflict (tenant, owner) do update
  set documents = e.documents + excluded.documents, length = e.length + excluded.length`

/**
 * Deletes the documents of chats of a tenant for which a condition on `d` holds, with their vectors, and takes them out of the
 * extents. The tenant is encoded.
 *
 * @category statements
 * @since 0.1.0
 */
export const deleteDocuments = (sql: SqlClient, tenant: string, condition: Fragment) => sql`
  with gone as (
    delete from palimpsest_documents as d where d.tenant = ${tenant} and ${condition}
    returning d.chat, d.position, d.piece, d.owner, d.length),
  bare as (
    delete from palimpsest_vectors as v using gone as g
    where v.tenant = ${tenant} and v.chat = g.chat and v.position = g.position and v.piece = g.piece)
  update palimpsest_extents as e
  set documents = e.documents - g.documents, length = e.length - g.length
  from (select owner, count(*) as documents, sum(length) as length from gone group by owner) as g
  where e.tenant = ${tenant} and e.owner = g.owner`
