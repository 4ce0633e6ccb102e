/**
 * Stores in memory: for a first try, for tests, and for chats that need not outlive their process.
 *
 * @since 0.1.0
 */
export * from "./testing/MemoryFacts.ts"
export * from "./testing/MemoryStore.ts"
