/**
 * All laws of the core, in the order of their numbers.
 *
 * @since 0.1.0
 */
import { estimateCounter } from "../../count/Estimate.ts"
import type { Law } from "../Law.ts"
import { budgetLaw } from "./Budget.ts"
import { countingLaw } from "./Counting.ts"
import { coverageLaw } from "./Coverage.ts"
import { determinismLaw } from "./Determinism.ts"
import { failClosedLaw } from "./FailClosed.ts"
import { fencesLaw } from "./Fences.ts"
import { flushOnceLaw } from "./FlushOnce.ts"
import { mergeLaw } from "./Merge.ts"
import { oneRowLaw } from "./OneRow.ts"
import { openAiChatLaw } from "./OpenAiChat.ts"
import { prefixLaw } from "./Prefix.ts"
import { prepassLaw } from "./Prepass.ts"
import { progressLaw } from "./Progress.ts"
import { protectionLaw } from "./Protection.ts"
import { rehydrationLaw } from "./Rehydration.ts"
import { unicodeLaw } from "./Unicode.ts"
import { validityLaw } from "./Validity.ts"

/**
 * Lists the laws that need nothing but the core: those of a store are in its contract.
 *
 * @category laws
 * @since 0.1.0
 */
export const allLaws: ReadonlyArray<Law> = [
  budgetLaw,
  coverageLaw,
  validityLaw,
  openAiChatLaw,
  protectionLaw,
  determinismLaw,
  prefixLaw,
  progressLaw,
  oneRowLaw,
  failClosedLaw,
  flushOnceLaw,
  fencesLaw,
  prepassLaw,
  mergeLaw,
  countingLaw(estimateCounter),
  rehydrationLaw,
  unicodeLaw,
]
