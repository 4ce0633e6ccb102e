/**
 * Tables in parts, for who keeps very many chats. An optional migration.
 *
 * @since 0.1.0
 */
import { StoreError } from "@palimpsest/core/engine"
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { LOCK } from "./Migrations.ts"
import { tableSecurityStatements } from "./Security.ts"
import { splitTables } from "./Tables.ts"

/** What a table is made of besides its columns, as statements that make it anew. */
const describe = (sql: SqlClient, table: string) =>
  Effect.gen(function* () {
    const [state] = yield* sql<{ kind: string; secured: boolean }>`
      select relkind::text as kind, relrowsecurity as secured from pg_class where oid = ${table}::regclass`
    const keys = yield* sql<{ statement: string }>`
      select format('alter table %I add constraint %I %s', ${table}::text, conname, pg_get_constraintdef(oid))
        as statement
      from pg_constraint where conrelid = ${table}::regclass and contype in ('p', 'u')`
    const indexes = yield* sql<{ statement: string }>`
      select pg_get_indexdef(i.indexrelid) as statement
      from pg_index i
      where i.indrelid = ${table}::regclass
        and not exists (select from pg_constraint c where c.conindid = i.indexrelid)`
    const grants = yield* sql<{ statement: string }>`
      select format('grant %s on table %I to %s', a.privilege_type, ${table}::text,
        case when a.grantee = 0 then 'public' else quote_ident(pg_get_userbyid(a.grantee)) end) as statement
      from pg_class c, aclexplode(c.relacl) a
      where c.oid = ${table}::regclass and a.grantee <> c.relowner`
    return {
      isPartitioned: state?.kind === "p",
      isSecured: state?.secured === true,
      statements: [...keys, ...indexes, ...grants].map(({ statement }) => statement),
    }
  })

const split = (sql: SqlClient, { table, by }: (typeof splitTables)[number], parts: number) =>
  Effect.gen(function* () {
    const { isPartitioned, isSecured, statements } = yield* describe(sql, table)
    if (isPartitioned) return
    const old = `${table}_whole`
    yield* sql.unsafe(`alter table ${table} rename to ${old}`)
    yield* sql.unsafe(
      `create table ${table} (like ${old} including defaults including storage) partition by hash (${by})`,
    )
    for (let part = 0; part < parts; part++) {
      yield* sql.unsafe(
        `create table ${table}_${part} partition of ${table} for values with (modulus ${parts}, remainder ${part})`,
      )
    }
    yield* sql.unsafe(`insert into ${table} select * from ${old}`)
    yield* sql.unsafe(`drop table ${old}`)
    for (const statement of statements) yield* sql.unsafe(statement)
    if (!isSecured) return
    for (const statement of tableSecurityStatements(table)) yield* sql.unsafe(statement)
  })

/**
 * Splits every table into parts, by the hash of tenant and chat or, where owners are asked for, of the tenant, in one transaction that moves the rows there
 * are. Writers wait meanwhile: on tables that are large already, plan for it. Keys, indexes, grants and row-level
 * security stay as they were. A table that is split already is left alone.
 *
 * @category migrations
 * @since 0.1.0
 */
export const partition = (sql: SqlClient, parts = 16): Effect.Effect<void, SqlError | StoreError> =>
  Number.isSafeInteger(parts) && parts > 0
    ? sql.withTransaction(
        Effect.gen(function* () {
          yield* sql`select pg_advisory_xact_lock(${LOCK}::int8)::text`
          for (const { table } of splitTables)
            yield* sql.unsafe(`lock table ${table} in access exclusive mode`)
          for (const one of splitTables) yield* split(sql, one, parts)
        }),
      )
    : Effect.fail(
        new StoreError({
          operation: "partition",
          reason: `${parts} is no number of parts: give a natural one`,
          isRetryable: false,
        }),
      )
