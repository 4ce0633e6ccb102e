/**
 * Law 3 of each format.
 *
 * @since 0.1.0
 */
import { openAiChatFor } from "../../formats/openai-chat/Format.ts"
import type { Law } from "../Law.ts"
import { aiSdkLaw } from "./AiSdk.ts"
import { anthropicThinkingLaw } from "./AnthropicThinking.ts"
import { cacheMarksLaw } from "./CacheMarks.ts"
import { effectPromptLaw } from "./EffectPrompt.ts"
import { formatLaw } from "./Formats.ts"
import { geminiLaw } from "./Gemini.ts"
import { lossesLaw } from "./Losses.ts"
import { openAiResponsesLaw } from "./OpenAiResponses.ts"
import { openAiServersLaw } from "./OpenAiServers.ts"
import { chatSamples, wireFormats } from "./WireFormats.ts"

/**
 * The law of validity for each format.
 *
 * @category laws
 * @since 0.1.0
 */
export const formatLaws: ReadonlyArray<Law> = [
  ...wireFormats.map(({ format, samples }) => formatLaw(format, samples)),
  ...(["deepseek", "mistral", "strict", "bedrock"] as const).map((name) =>
    formatLaw(openAiChatFor(name), chatSamples),
  ),
  aiSdkLaw,
  anthropicThinkingLaw,
  cacheMarksLaw,
  effectPromptLaw,
  geminiLaw,
  openAiServersLaw,
  openAiResponsesLaw,
  lossesLaw,
]
