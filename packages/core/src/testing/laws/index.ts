/**
 * All laws of the core.
 *
 * @since 0.1.0
 */
import { estimateCounter } from "../../count/Estimate.ts"
import type { Law } from "../Law.ts"
import { budgetLaw } from "./Budget.ts"
import { calibrationLaw } from "./Calibration.ts"
import { countingLaw } from "./Counting.ts"
import { coverageLaw } from "./Coverage.ts"
import { determinismLaw } from "./Determinism.ts"
import { failClosedLaw } from "./FailClosed.ts"
import { fencesLaw } from "./Fences.ts"
import { flushOnceLaw } from "./FlushOnce.ts"
import { formatLaws } from "./FormatLaws.ts"
import { isolationLaw } from "./Isolation.ts"
import { latestFactsLaw } from "./LatestFacts.ts"
import { mergeLaw } from "./Merge.ts"
import { oneRowLaw } from "./OneRow.ts"
import { openAiChatLaw } from "./OpenAiChat.ts"
import { outboundLaw } from "./Outbound.ts"
import { prefixLaw } from "./Prefix.ts"
import { prepassLaw } from "./Prepass.ts"
import { progressLaw } from "./Progress.ts"
import { protectionLaw } from "./Protection.ts"
import { readingsLaw } from "./Readings.ts"
import { recallLaw } from "./Recall.ts"
import { redactionsLaw } from "./Redactions.ts"
import { referencesLaw, valuesLaw } from "./References.ts"
import { rehydrationLaw } from "./Rehydration.ts"
import { targetsLaw } from "./Targets.ts"
import { unicodeLaw } from "./Unicode.ts"
import { usageLaw } from "./Usage.ts"
import { validityLaw } from "./Validity.ts"

/**
 * Every law, by number. That of counting is one for each counter: see `countingLaw`.
 *
 * @category laws
 * @since 0.1.0
 */
export const allLaws: ReadonlyArray<Law> = [
  budgetLaw,
  coverageLaw,
  validityLaw,
  targetsLaw,
  openAiChatLaw,
  ...formatLaws,
  protectionLaw,
  determinismLaw,
  prefixLaw,
  progressLaw,
  oneRowLaw,
  failClosedLaw,
  flushOnceLaw,
  fencesLaw,
  prepassLaw,
  recallLaw,
  mergeLaw,
  countingLaw(estimateCounter),
  usageLaw,
  calibrationLaw,
  readingsLaw,
  rehydrationLaw,
  referencesLaw,
  valuesLaw,
  unicodeLaw,
  isolationLaw,
  latestFactsLaw,
  outboundLaw,
  redactionsLaw,
]
