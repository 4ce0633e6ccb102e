/**
 * Arbitraries, laws, an in-memory store and the contract of a store.
 *
 * @since 0.1.0
 */
export * from "./Law.ts"
