/**
 * Summariser and fact extractor over any language model, an OpenAI-compatible layer, and the offline ones.
 *
 * @since 0.1.0
 */
export type { Patience } from "./Ask.ts"
export type { Bounds } from "./Attempts.ts"
export * from "./DeltaSchema.ts"
export * from "./FactCheck.ts"
export * from "./FactExtractor.ts"
export * from "./FactPrompt.ts"
export * from "./FactsLayer.ts"
export * from "./FromFunction.ts"
export * from "./ModelSummariser.ts"
export * from "./Offline.ts"
export * from "./OfflineFacts.ts"
export * from "./OpenAiChat.ts"
export * from "./Prompt.ts"
export * from "./Quote.ts"
export type { Reason } from "./Reason.ts"
