/**
 * What the formats share: conversations, losses, rules, and how a format is made.
 *
 * @since 0.1.0
 */
export * from "./format/Conversation.ts"
export * from "./format/ExactJson.ts"
export { checkOf, type DecodeFault, type Fields } from "./format/Fields.ts"
export * from "./format/Format.ts"
export type { FrameSpec } from "./format/Frame.ts"
export * from "./format/Ids.ts"
export { makeFormat } from "./format/MakeFormat.ts"
export * from "./format/Mend.ts"
export * from "./format/Rule.ts"
export * from "./format/Units.ts"
export * from "./target/OptionsFor.ts"
export * from "./target/RequestFor.ts"
export * from "./target/Target.ts"
export * from "./target/Thinking.ts"
