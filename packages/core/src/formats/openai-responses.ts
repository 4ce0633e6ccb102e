/**
 * Items of OpenAI's Responses API: read, written, checked and repaired.
 *
 * @since 0.1.0
 */
export * from "./openai-responses/Format.ts"
export * from "./openai-responses/Held.ts"
export * from "./openai-responses/Stream.ts"
export type { ResponsesItem, ResponsesPart, ResponsesRequest } from "./openai-responses/Wire.ts"
