/**
 * The AI SDK's model messages: read, written, checked and repaired.
 *
 * @since 0.1.0
 */
export * from "./ai-sdk/Format.ts"
export type { AiSdkMessage, AiSdkPart, AiSdkRequest } from "./ai-sdk/Wire.ts"
