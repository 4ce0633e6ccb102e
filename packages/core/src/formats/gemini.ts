/**
 * Gemini's contents: read, written, checked and repaired.
 *
 * @since 0.1.0
 */
export * from "./gemini/Format.ts"
export type { GeminiContent, GeminiDialect, GeminiPart, GeminiRequest } from "./gemini/Wire.ts"
