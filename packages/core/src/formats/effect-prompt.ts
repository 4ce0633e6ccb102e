/**
 * The encoded prompt of `effect/ai`: read, written, checked and repaired.
 *
 * @since 0.1.0
 */
export * from "./effect-prompt/Format.ts"
export type { EffectMessage, EffectPart, EffectPrompt } from "./effect-prompt/Wire.ts"
