/**
 * The thread store on a Postgres server.
 *
 * @since 0.1.0
 */
import * as PgClient from "@effect/sql-pg/PgClient"
import { StoreError } from "@palimpsest/core/engine"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type { SqlClient } from "effect/sql/SqlClient"
import { toStoreError } from "./Failures.ts"
import { MAX_MESSAGE_BYTES } from "./Limits.ts"
import { layer, type StorePorts } from "./Ports.ts"

/**
 * Where the server is, and how to use it.
 *
 * @category models
 * @since 0.1.0
 */
export interface ServerOptions {
  /** Such as `postgres://user:password@host:5432/database`. */
  readonly url: string | Redacted.Redacted<string>
  /** Connections of the pool; 10 by default. */
  readonly maxConnections?: number
  /**
   * Keeps prepared statements by name on each connection: faster on a direct connection, and off by default since
   * a pooler in transaction mode may give the next query another one.
   */
  readonly prepare?: boolean
}

/**
 * Makes a client of a server. It keeps no state in a session, so that a pooler in transaction mode may stand between.
 *
 * @category layers
 * @since 0.1.0
 */
export const clientUrl = (options: ServerOptions): Layer.Layer<SqlClient, StoreError> =>
  PgClient.layerFrom(
    PgClient.make({
      url: typeof options.url === "string" ? Redacted.make(options.url) : options.url,
      maxConnections: options.maxConnections ?? 10,
      prepare: options.prepare ?? false,
      applicationName: "palimpsest",
      maxMessageSize: MAX_MESSAGE_BYTES,
    }).pipe(Effect.mapError((error) => toStoreError("connect", error))),
  )

/**
 * Keeps threads on any Postgres from version 15 on.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerUrl = (options: ServerOptions): Layer.Layer<StorePorts, StoreError> =>
  Layer.provide(layer, clientUrl(options))

/**
 * Chooses where threads are kept by one word, for command lines: `memory`, a `postgres://` address, or a folder.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerFrom = (target: string): Layer.Layer<StorePorts, StoreError> => {
  if (/^postgres(ql)?:\/\//.test(target)) return layerUrl({ url: target })
  const embedded = Effect.tryPromise({
    // Imported on demand: who uses a server need not have PGlite installed.
    try: () => import("./pglite.ts"),
    catch: (cause) =>
      new StoreError({
        operation: "open PGlite",
        reason: "PGlite cannot be loaded: install @electric-sql/pglite, or give a postgres:// address",
        isRetryable: false,
        cause,
      }),
  })
  return Layer.unwrap(
    Effect.map(embedded, ({ layerFolder, layerMemory }) =>
      target === "memory" ? layerMemory : layerFolder(target),
    ),
  )
}
