/**
 * The AI SDK's UI messages: read, written, checked and repaired.
 *
 * @since 0.1.0
 */
export * from "./ai-sdk-ui/Format.ts"
export * from "./ai-sdk-ui/StepId.ts"
export type { UiMessage, UiPart, UiRequest } from "./ai-sdk-ui/Wire.ts"
