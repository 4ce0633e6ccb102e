/**
 * Threads in Postgres: on a server, or through `./pglite` in the process.
 *
 * @since 0.1.0
 */

export type { TimeLimit } from "./Failures.ts"
export { windowStatement } from "./Load.ts"
export { migrate, tablesVersion } from "./Migrations.ts"
export { layer, layerWith, make } from "./PgThreadStore.ts"
export { atEnd } from "./Rows.ts"
export * from "./Server.ts"
export { decodeJson, decodeText, encodeJson, encodeText } from "./Text.ts"
