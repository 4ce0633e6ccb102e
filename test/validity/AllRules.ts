import { aiSdkRules } from "./ai-sdk.ts"
import { aiSdkUiRules } from "./ai-sdk-ui.ts"
import { anthropicRules } from "./anthropic.ts"
import { effectPromptRules } from "./effect-prompt.ts"
import { geminiDialectRules, geminiRules } from "./gemini.ts"
import { langchainRules } from "./langchain.ts"
import { openAiChatRules } from "./openai-chat.ts"
import { openAiDialectRules } from "./openai-dialects.ts"
import { openAiResponsesRules } from "./openai-responses.ts"
import type { Validity } from "./RuleCase.ts"

/** The rules of all formats. */
export const allRules: ReadonlyArray<Validity> = [
  aiSdkRules,
  aiSdkUiRules,
  anthropicRules,
  effectPromptRules,
  geminiRules,
  geminiDialectRules,
  langchainRules,
  openAiChatRules,
  ...openAiDialectRules,
  openAiResponsesRules,
]
