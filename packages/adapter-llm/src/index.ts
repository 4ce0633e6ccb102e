/**
 * Summariser, fact extractor and embedder over any model, an OpenAI-compatible layer, and the offline ones.
 *
 * @since 0.1.0
 */
export type { Patience } from "./Ask.ts"
export type { Bounds } from "./Attempts.ts"
export * from "./DeltaSchema.ts"
export * from "./EmbedderFrom.ts"
export type { EmbedderOptions } from "./EmbedderLayer.ts"
export * from "./FactCheck.ts"
export * from "./FactExtractor.ts"
export * from "./FactPrompt.ts"
export * from "./FactsLayer.ts"
export { type SummariserFunction, summariserFrom } from "./FromFunction.ts"
export { hashedVector } from "./HashedVector.ts"
export * from "./ModelEmbedder.ts"
export * from "./ModelSummariser.ts"
export * from "./Offline.ts"
export * from "./OfflineEmbedder.ts"
export * from "./OfflineFacts.ts"
export * from "./OpenAiChat.ts"
export * from "./OpenAiEmbeddings.ts"
export type { OpenAiServer } from "./OpenAiExchange.ts"
export * from "./Prompt.ts"
export * from "./Quote.ts"
export type { Reason } from "./Reason.ts"
