/**
 * Arbitraries, laws, an in-memory store and the contract of a store.
 *
 * @since 0.1.0
 */
export * from "./arbitraries/Contents.ts"
export * from "./arbitraries/Messages.ts"
export * from "./arbitraries/Rows.ts"
export * from "./Law.ts"
export * from "./MemoryFacts.ts"
export * from "./MemoryStore.ts"
