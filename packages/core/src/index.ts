/**
 * The pure core: from the rows of a thread to the prompt of a step.
 *
 * @since 0.1.0
 */
export * from "./count/TokenCounter.ts"
export * from "./summary/Item.ts"
export * from "./thread/Message.ts"
export * from "./thread/Patch.ts"
export * from "./thread/Row.ts"
export * from "./thread/Thread.ts"
