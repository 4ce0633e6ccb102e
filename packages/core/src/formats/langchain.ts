/**
 * LangChain's messages: read, written, checked and repaired.
 *
 * @since 0.1.0
 */
export * from "./langchain/Format.ts"
export { withMessageIds } from "./langchain/Ids.ts"
export type { LangChainMessage, LangChainRequest } from "./langchain/Wire.ts"
