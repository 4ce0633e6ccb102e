/**
 * Arbitraries, laws, an in-memory store and the contract of a store.
 *
 * @since 0.1.0
 */
export * from "./arbitraries/Contents.ts"
export * from "./arbitraries/Deltas.ts"
export * from "./arbitraries/Messages.ts"
export * from "./arbitraries/Moves.ts"
export * from "./arbitraries/Policies.ts"
export * from "./arbitraries/Rows.ts"
export * from "./arbitraries/Scenes.ts"
export * from "./arbitraries/Texts.ts"
export * from "./Law.ts"
export * from "./laws/Counting.ts"
export * from "./laws/Fences.ts"
export * from "./laws/Merge.ts"
export * from "./laws/OpenAiChat.ts"
export * from "./laws/Prepass.ts"
export * from "./laws/Unicode.ts"
export * from "./MemoryFacts.ts"
export * from "./MemoryStore.ts"
export * from "./StoreContract.ts"
