/**
 * All ports of a place for threads, over one client.
 *
 * @since 0.1.0
 */
import {
  BlobStore,
  FactStore,
  Leases,
  OwnerData,
  type StoreError,
  ThreadEditor,
  ThreadStore,
} from "@palimpsest/core/engine"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { makeGet, makePut } from "./Blobs.ts"
import { makeEdit, makeVersions } from "./Edit.ts"
import { makeOwnerPage } from "./Export.ts"
import { guarded } from "./Failures.ts"
import { makeFork } from "./Fork.ts"
import { makeClaim, makeRelease } from "./Leases.ts"
import { methodsOf } from "./Method.ts"
import { migrate } from "./Migrations.ts"
import { makeFacts } from "./PgFacts.ts"
import { make } from "./PgThreadStore.ts"
import { makeRemove, makeRemoveTenant } from "./Remove.ts"
import { makeRemoveOwner } from "./RemoveOwner.ts"
import { makeRewind } from "./Rewind.ts"
import type { StoreOptions } from "./Session.ts"
import { makeWithdraw } from "./Withdraw.ts"

/**
 * The ports that a database answers.
 *
 * @category models
 * @since 0.1.0
 */
export type StorePorts = ThreadStore | ThreadEditor | Leases | BlobStore | FactStore | OwnerData

/**
 * Makes what people do to threads, over a client whose tables are there.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeEditor = (sql: SqlClient, options?: StoreOptions): ThreadEditor["Service"] => {
  const { plain, atomic, looking } = methodsOf("PgThreadEditor", sql, options)
  const rewind = makeRewind(sql)
  const edit = makeEdit(sql)
  const versions = makeVersions(sql)
  const fork = makeFork(sql)
  const withdraw = makeWithdraw(sql)
  const remove = makeRemove(sql)
  const removeTenant = makeRemoveTenant(sql)
  return ThreadEditor.of({
    rewind: (key, to) => atomic("rewind", key, rewind(key, to)),
    edit: (key, message) => looking("edit", key, edit(key, message)),
    versions: (key, id) => plain("versions", key, versions(key, id)),
    fork: (key, chat, at) => looking("fork", key, fork(key, chat, at), [chat]),
    withdraw: (key, mark) => looking("withdraw", key, withdraw(key, mark)),
    remove: (key) => looking("remove", key, remove(key)),
    removeTenant: (tenant) => looking("removeTenant", { tenant, chat: "" }, removeTenant(tenant)),
  })
}

/**
 * Makes leases over a client whose tables are there.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeLeases = (sql: SqlClient, options?: StoreOptions): Leases["Service"] => {
  const { plain } = methodsOf("PgLeases", sql, options)
  const claim = makeClaim(sql)
  const release = makeRelease(sql)
  return Leases.of({
    claim: (key, lease, millis) => plain("claim", key, claim(key, lease, millis), [lease.name, lease.holder]),
    release: (key, lease) => plain("release", key, release(key, lease), [lease.name, lease.holder]),
  })
}

/**
 * Makes the place of large values over a client whose tables are there.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeBlobs = (sql: SqlClient, options?: StoreOptions): BlobStore["Service"] => {
  const { plain, atomic } = methodsOf("PgBlobs", sql, options)
  const put = makePut(sql)
  const get = makeGet(sql)
  return BlobStore.of({
    put: (key, blobs) =>
      atomic(
        "put blobs",
        key,
        put(key, blobs),
        blobs.map(({ id }) => id),
      ),
    get: (key, ids) => plain("get blobs", key, get(key, ids), ids),
  })
}

/**
 * Makes what hands out and removes all that is kept of an owner, over a client whose tables are there.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeOwnerData = (sql: SqlClient, options?: StoreOptions): OwnerData["Service"] => {
  const { plain, looking } = methodsOf("PgOwnerData", sql, options)
  const page = makeOwnerPage(sql)
  const remove = makeRemoveOwner(sql)
  return OwnerData.of({
    page: (key, from, limit) => plain("export", { ...key, chat: "" }, page(key, from, limit), [key.owner]),
    remove: (key) => looking("remove owner", { ...key, chat: "" }, remove(key), [key.owner]),
  })
}

/**
 * Keeps threads in the database of a client, after bringing its tables up to date.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerWith = (options: StoreOptions): Layer.Layer<StorePorts, StoreError, SqlClient> =>
  Layer.effectContext(
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* migrate(sql).pipe(guarded("migrate"), Effect.withSpan("PgThreadStore.migrate"))
      return Context.make(ThreadStore, make(sql, options)).pipe(
        Context.add(ThreadEditor, makeEditor(sql, options)),
        Context.add(Leases, makeLeases(sql, options)),
        Context.add(BlobStore, makeBlobs(sql, options)),
        Context.add(FactStore, makeFacts(sql, options)),
        Context.add(OwnerData, makeOwnerData(sql, options)),
      )
    }),
  )

/**
 * Keeps threads in the database of a client, with no further options.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer: Layer.Layer<StorePorts, StoreError, SqlClient> = layerWith({})
