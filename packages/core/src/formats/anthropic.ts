/**
 * Anthropic's Messages: read, written, checked and repaired.
 *
 * @since 0.1.0
 */
export * from "./anthropic/Format.ts"
export type { AnthropicOptions } from "./anthropic/Limits.ts"
export type { AnthropicBlock, AnthropicMessage, AnthropicRequest } from "./anthropic/Wire.ts"
export { type Borders, cacheMarks } from "./target/CacheMarks.ts"
