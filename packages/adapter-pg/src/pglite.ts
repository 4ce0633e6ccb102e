/**
 * The thread store in the process: PGlite in memory or in a folder, with pgvector where
 * `@electric-sql/pglite-pgvector` is installed.
 *
 * @since 0.1.0
 */
import { resolve } from "node:path"
import * as PgClient from "@effect/sql-pg/PgClient"
import { type Extensions, PGlite } from "@electric-sql/pglite"
import { StoreError } from "@palimpsest/core/engine"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import type { SqlClient } from "effect/sql/SqlClient"
import { lockFolder } from "./FolderLock.ts"
import { MAX_MESSAGE_BYTES } from "./Limits.ts"
import { pgliteStream } from "./PgliteStream.ts"

export { lockFolder } from "./FolderLock.ts"

import { layer, type StorePorts } from "./Ports.ts"

const cannotOpen = (what: string) => (cause: unknown) =>
  new StoreError({ operation: "open PGlite", reason: `${what} cannot be opened`, isRetryable: false, cause })

/** The extension for vectors, where its package is installed beside this one. */
const extensions: Effect.Effect<Extensions> = Effect.tryPromise(
  () => import("@electric-sql/pglite-pgvector"),
).pipe(
  Effect.map(({ vector }): Extensions => ({ vector })),
  Effect.orElseSucceed((): Extensions => ({})),
)

/** The instance is closed when the scope ends, after the client that speaks to it. */
const open = (what: string, dataDir: string): Effect.Effect<PGlite, StoreError, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.flatMap(extensions, (found) =>
      Effect.tryPromise({
        try: () => PGlite.create(dataDir, { extensions: found }),
        catch: cannotOpen(what),
      }),
    ),
    (db) => Effect.promise(() => db.close()),
  )

/**
 * Makes a client of a PGlite instance that the host opened, and closes. One session: queries queue up.
 *
 * @category layers
 * @since 0.1.0
 */
export const clientOf = (db: PGlite): Layer.Layer<SqlClient, StoreError> =>
  PgClient.layerFrom(
    PgClient.make({
      stream: pgliteStream(db),
      username: "postgres",
      password: Redacted.make("postgres"),
      database: "postgres",
      maxConnections: 1,
      idleTimeout: "1 day",
      maxMessageSize: MAX_MESSAGE_BYTES,
    }).pipe(Effect.mapError(cannotOpen("a PGlite instance"))),
  )

/**
 * Makes a client of a PGlite instance in memory: gone with the process.
 *
 * @category layers
 * @since 0.1.0
 */
export const clientMemory: Layer.Layer<SqlClient, StoreError> = Layer.unwrap(
  Effect.map(open("a database in memory", "memory://"), clientOf),
)

/**
 * Makes a client of a PGlite data folder, made when it is not there. One process at a time: see `lockFolder`.
 *
 * @category layers
 * @since 0.1.0
 */
export const clientFolder = (path: string): Layer.Layer<SqlClient, StoreError> =>
  Layer.unwrap(lockFolder(path).pipe(Effect.andThen(open(path, resolve(path))), Effect.map(clientOf)))

/**
 * Keeps threads in memory, in SQL: for tests and trials.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerMemory: Layer.Layer<StorePorts, StoreError> = Layer.provide(layer, clientMemory)

/**
 * Keeps threads in a data folder of this process.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerFolder = (path: string): Layer.Layer<StorePorts, StoreError> =>
  Layer.provide(layer, clientFolder(path))
