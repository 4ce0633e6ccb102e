import { anthropicRules } from "./anthropic.ts"
import { langchainRules } from "./langchain.ts"
import type { Validity } from "./RuleCase.ts"

/** The rules of all formats. */
export const allRules: ReadonlyArray<Validity> = [anthropicRules, langchainRules]
