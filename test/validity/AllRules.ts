import { anthropicRules } from "./anthropic.ts"
import { effectPromptRules } from "./effect-prompt.ts"
import { geminiDialectRules, geminiRules } from "./gemini.ts"
import { langchainRules } from "./langchain.ts"
import type { Validity } from "./RuleCase.ts"

/** The rules of all formats. */
export const allRules: ReadonlyArray<Validity> = [
  anthropicRules,
  effectPromptRules,
  geminiRules,
  geminiDialectRules,
  langchainRules,
]
