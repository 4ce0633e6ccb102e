/**
 * The lock of a chat, and its counters; what was removed stays so.
 *
 * @since 0.1.0
 */
import type { ThreadKey } from "@palimpsest/core"
import { removed } from "@palimpsest/core/engine"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import * as SqlSchema from "effect/sql/SqlSchema"
import { Key } from "./Rows.ts"
import { encodeText } from "./Text.ts"

const Counters = Schema.Struct({
  next: Schema.Finite,
  seq: Schema.Finite,
  revision: Schema.Finite,
  newest: Schema.Finite,
  isRemoved: Schema.Boolean,
  isOpened: Schema.Boolean,
})

const Flag = Schema.Struct({ is: Schema.Boolean })

/**
 * Makes the maker of chats: nothing happens where there is one. The row of the tenant is locked meanwhile, so that no
 * chat of a tenant slips past the removal of all of them; in a statement after the one that makes that row, since each
 * sees what was committed before it.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeEnsure = (sql: SqlClient) => {
  const make = SqlSchema.findAll({
    Request: Key,
    Result: Flag,
    execute: ({ tenant, chat }) => sql`
      insert into palimpsest_chats (tenant, chat)
      select t.tenant, ${chat}
      from (select tenant from palimpsest_tenants where tenant = ${tenant} and removed_at is null for share) as t
      on conflict do nothing
      returning true as is`,
  })
  return Effect.fnUntraced(function* (key: ThreadKey) {
    if ((yield* make(key)).length > 0) return
    yield* sql`insert into palimpsest_tenants (tenant) values (${encodeText(key.tenant)}) on conflict do nothing`
    yield* make(key)
  })
}

/**
 * Makes the lock of a chat, held until the end of the transaction: it answers the counters of the chat, which is made
 * when it is not there. A chat that was removed is a `StoreError`, unless that is asked for.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeLock = (sql: SqlClient) => {
  const ensure = makeEnsure(sql)
  const lock = SqlSchema.findAll({
    Request: Key,
    Result: Counters,
    execute: ({ tenant, chat }) => sql`
      select next_position::float8 as next, next_seq::float8 as seq, revision::float8 as revision,
        newest_revision::float8 as newest, removed_at is not null as "isRemoved", system is not null as "isOpened"
      from palimpsest_chats
      where tenant = ${tenant} and chat = ${chat} for update`,
  })
  const lockAny = Effect.fnUntraced(function* (operation: string, key: ThreadKey) {
    const [found] = yield* lock(key)
    if (found !== undefined) return found
    yield* ensure(key)
    const [made] = yield* lock(key)
    return made ?? (yield* Effect.fail(removed(operation)))
  })
  const lockLive = Effect.fnUntraced(function* (operation: string, key: ThreadKey) {
    const found = yield* lockAny(operation, key)
    return found.isRemoved ? yield* Effect.fail(removed(operation)) : found
  })
  return { lockAny, lockLive }
}

/**
 * Makes the question whether a chat or its tenant was removed. What was removed has no rows, so that only an empty
 * answer has to ask.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeRefuseRemoved = (sql: SqlClient) => {
  const ask = SqlSchema.findAll({
    Request: Key,
    Result: Flag,
    execute: ({ tenant, chat }) => sql`
      select exists (
        select from palimpsest_chats where tenant = ${tenant} and chat = ${chat} and removed_at is not null
      ) or exists (
        select from palimpsest_tenants where tenant = ${tenant} and removed_at is not null
      ) as is`,
  })
  return Effect.fnUntraced(function* (operation: string, key: ThreadKey) {
    const [found] = yield* ask(key)
    if (found?.is === true) yield* Effect.fail(removed(operation))
  })
}

/** A chat that is there and was not removed, locked against removal until the end of the statement: for `with`. */
export const liveChat = (
  sql: SqlClient,
  { tenant, chat }: { readonly tenant: string; readonly chat: string },
) => sql`
  live as materialized (
    select tenant, chat from palimpsest_chats
    where tenant = ${tenant} and chat = ${chat} and removed_at is null for share)`

/**
 * Makes the runner of writes beside the rows: each is one statement that starts with `liveChat` and answers whether
 * it found one.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeBeside = (sql: SqlClient) => {
  const ensure = makeEnsure(sql)
  return Effect.fnUntraced(function* <A extends { readonly there: boolean }, E>(
    operation: string,
    key: ThreadKey,
    write: Effect.Effect<ReadonlyArray<A>, E>,
  ) {
    const [first] = yield* write
    if (first?.there === true) return first
    yield* ensure(key)
    const [second] = yield* write
    return second?.there === true ? second : yield* Effect.fail(removed(operation))
  })
}
