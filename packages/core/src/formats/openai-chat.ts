/**
 * Messages of OpenAI's Chat Completions, and of the servers that speak it: read, written, checked and repaired.
 *
 * @since 0.1.0
 */
export * from "./openai-chat/Check.ts"
export * from "./openai-chat/Decode.ts"
export type { OpenAiChatDialect } from "./openai-chat/Dialect.ts"
export * from "./openai-chat/Encode.ts"
export * from "./openai-chat/Format.ts"
export * from "./openai-chat/Overflow.ts"
export type {
  OpenAiAssistantMessage,
  OpenAiChatRequest,
  OpenAiContent,
  OpenAiFunctionMessage,
  OpenAiMessage,
  OpenAiPart,
  OpenAiSystemMessage,
  OpenAiToolCall,
  OpenAiToolMessage,
  OpenAiUserMessage,
} from "./openai-chat/Wire.ts"
