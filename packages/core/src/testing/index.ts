/**
 * Arbitraries, laws, an in-memory store and the contract of a store.
 *
 * @since 0.1.0
 */
export * from "./arbitraries/Contents.ts"
export * from "./arbitraries/Deltas.ts"
export * from "./arbitraries/Messages.ts"
export * from "./arbitraries/Rows.ts"
export * from "./Law.ts"
export * from "./laws/Merge.ts"
export * from "./laws/OpenAiChat.ts"
export * from "./laws/Prepass.ts"
export * from "./MemoryFacts.ts"
export * from "./MemoryStore.ts"
export * from "./StoreContract.ts"
