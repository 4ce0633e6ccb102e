/**
 * The engine: an Effect program over ports.
 *
 * @since 0.1.0
 */
export { auditThread, repairThread } from "./AuditThread.ts"
export * from "./BlobStore.ts"
export * from "./Codecs.ts"
export * from "./Embedder.ts"
export * from "./Engine.ts"
export * from "./Errors.ts"
export * from "./Extractive.ts"
export * from "./FactFaults.ts"
export * from "./FactStore.ts"
export * from "./Facts.ts"
export * from "./HostFacts.ts"
export * from "./Leases.ts"
export * from "./LiveThread.ts"
export * from "./Memory.ts"
export * from "./MemoryIndex.ts"
export {
  bytesRead,
  degradations,
  passesRun,
  promptsMade,
  promptTokens,
  rowsRead,
  stepsOpened,
  summariserMillis,
} from "./Metrics.ts"
export * from "./Options.ts"
export * from "./OwnerData.ts"
export * from "./PageBounds.ts"
export * from "./ReadingCodec.ts"
export type { RecallAnswer } from "./RecallTool.ts"
export * from "./Redactor.ts"
export * from "./Report.ts"
export * from "./RowFaults.ts"
export * from "./ScrubStream.ts"
export * from "./SearchMemory.ts"
export * from "./StateFact.ts"
export * from "./Step.ts"
export type { Input } from "./StepState.ts"
export * from "./StoredRow.ts"
export * from "./Summariser.ts"
export * from "./ThreadEditor.ts"
export * from "./ThreadStore.ts"
export * from "./Tokens.ts"
