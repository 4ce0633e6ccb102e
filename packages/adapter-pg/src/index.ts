/**
 * Threads in Postgres: on a server, or through `./pglite` in the process.
 *
 * @since 0.1.0
 */

export { type Exported, exportTables, type Field, unexportedTables } from "./ExportTables.ts"
export type { TimeLimit } from "./Failures.ts"
export { windowStatement } from "./Load.ts"
export { migrate, tablesVersion } from "./Migrations.ts"
export type { MemoryIndexOptions } from "./memory/Options.ts"
export { makeMemoryIndex, memoryIndexLayer } from "./memory/PgMemoryIndex.ts"
export { partition } from "./Partition.ts"
export { make } from "./PgThreadStore.ts"
export * from "./Ports.ts"
export { atEnd } from "./Rows.ts"
export { rowSecurity, rowSecurityStatements } from "./Security.ts"
export * from "./Server.ts"
export type { StoreOptions } from "./Session.ts"
export { tenantTables } from "./Tables.ts"
export { decodeJson, decodeText, encodeJson, encodeText } from "./Text.ts"
