/**
 * Threads in Postgres: on a server, or through `./pglite` in the process.
 *
 * @since 0.1.0
 */
export { migrate, tablesVersion } from "./Migrations.ts"
export { layer, make } from "./PgThreadStore.ts"
export * from "./Server.ts"
