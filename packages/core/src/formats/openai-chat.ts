/**
 * Messages of OpenAI's Chat Completions, and of the servers that speak it: written, read and checked.
 *
 * @since 0.1.0
 */
export * from "./openai-chat/Check.ts"
export * from "./openai-chat/Decode.ts"
export * from "./openai-chat/Encode.ts"
export * from "./openai-chat/Wire.ts"
