/**
 * Row-level security, for who wants the database itself to keep tenants apart. An optional migration.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { tenantTables } from "./Tables.ts"

/** Nobody's tenant when it was not told, or was told in a transaction before: then it is the empty text. */
const TENANT = "(select nullif(current_setting('palimpsest.tenant', true), ''))"

/**
 * The policy of a table does not hold for who asks one of its parts by name. The parts have no policy, so that such a
 * one sees nothing; who asks the table sees what its policy shows.
 */
const closeParts = (table: string) => `do $$
  declare part regclass;
  begin
    for part in select inhrelid::regclass from pg_inherits where inhparent = '${table}'::regclass loop
      execute format('alter table %s enable row level security', part);
    end loop;
  end $$`

/**
 * The statements of `rowSecurity` for one table.
 *
 * @category migrations
 * @since 0.1.0
 */
export const tableSecurityStatements = (table: string): ReadonlyArray<string> => [
  `alter table ${table} enable row level security`,
  `drop policy if exists palimpsest_tenant on ${table}`,
  `create policy palimpsest_tenant on ${table} using (tenant = ${TENANT}) with check (tenant = ${TENANT})`,
  closeParts(table),
]

/**
 * The statements of `rowSecurity`, for a migration tool of the host. They may be run again.
 *
 * @category migrations
 * @since 0.1.0
 */
export const rowSecurityStatements: ReadonlyArray<string> = tenantTables.flatMap(tableSecurityStatements)

/**
 * Turns row-level security on: who is neither owner of the tables nor exempt from it sees and writes the rows of one
 * tenant, the one that is told in each transaction, and of none when none is told. The store tells it with the option
 * `rowSecurity`. Run it as the owner of the tables; each role that the store runs as needs
 * `grant select, insert, update, delete` on them, and `grant select` on `palimpsest_versions`.
 *
 * @category migrations
 * @since 0.1.0
 */
export const rowSecurity = (sql: SqlClient): Effect.Effect<void, SqlError> =>
  sql.withTransaction(
    Effect.forEach(rowSecurityStatements, (statement) => sql.unsafe(statement), { discard: true }),
  )
