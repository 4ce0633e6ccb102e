/**
 * The pure core: from the rows of a thread to the prompt of a step.
 *
 * @since 0.1.0
 */
export * from "./count/Accounting.ts"
export * from "./count/Count.ts"
export * from "./count/Estimate.ts"
export * from "./count/SafeCounter.ts"
export * from "./count/Slices.ts"
export * from "./count/TokenCounter.ts"
export * from "./prepass/Arguments.ts"
export * from "./prepass/Cap.ts"
export * from "./prepass/Dedupe.ts"
export * from "./prepass/Images.ts"
export * from "./prepass/Prepass.ts"
export * from "./prepass/Stub.ts"
export * from "./prepass/StubRule.ts"
export * from "./summary/Item.ts"
export * from "./text/Fence.ts"
export * from "./text/Scrub.ts"
export * from "./text/Unicode.ts"
export * from "./thread/Id.ts"
export * from "./thread/Message.ts"
export * from "./thread/Patch.ts"
export * from "./thread/Row.ts"
export * from "./thread/Thread.ts"
