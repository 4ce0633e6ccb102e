/**
 * Law 3 of each format.
 *
 * @since 0.1.0
 */

import { aiSdk } from "../../formats/ai-sdk/Format.ts"
import { aiSdkUi } from "../../formats/ai-sdk-ui/Format.ts"
import { anthropic } from "../../formats/anthropic/Format.ts"
import { effectPrompt } from "../../formats/effect-prompt/Format.ts"
import { gemini } from "../../formats/gemini/Format.ts"
import { langchain } from "../../formats/langchain/Format.ts"
import { openAiChat, openAiChatFor } from "../../formats/openai-chat/Format.ts"
import { openAiResponses } from "../../formats/openai-responses/Format.ts"
import { aiSdkFrame, aiSdkMessages } from "../arbitraries/wire/AiSdk.ts"
import { aiSdkUiMessages, aiSdkUiPieces } from "../arbitraries/wire/AiSdkUi.ts"
import { anthropicMessages } from "../arbitraries/wire/Anthropic.ts"
import { anthropicFrame, anthropicPieces } from "../arbitraries/wire/AnthropicFrame.ts"
import { effectMessages } from "../arbitraries/wire/EffectPrompt.ts"
import { geminiContents, geminiPieces } from "../arbitraries/wire/Gemini.ts"
import { langChainMessages } from "../arbitraries/wire/LangChain.ts"
import { openAiChatFrame, openAiChatMessages } from "../arbitraries/wire/OpenAiChat.ts"
import { openAiResponsesFrame, openAiResponsesItems } from "../arbitraries/wire/OpenAiResponses.ts"
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

const chat = { list: openAiChatMessages, field: "messages", frame: openAiChatFrame }

/**
 * The law of validity for each format.
 *
 * @category laws
 * @since 0.1.0
 */
export const formatLaws: ReadonlyArray<Law> = [
  formatLaw(aiSdk, { list: aiSdkMessages, field: "messages", frame: aiSdkFrame }),
  formatLaw(aiSdkUi, { list: aiSdkUiMessages, field: "messages", pieces: aiSdkUiPieces }),
  aiSdkLaw,
  formatLaw(anthropic, {
    list: anthropicMessages,
    field: "messages",
    frame: anthropicFrame,
    pieces: anthropicPieces,
  }),
  anthropicThinkingLaw,
  cacheMarksLaw,
  formatLaw(effectPrompt, { list: effectMessages, field: "content" }),
  formatLaw(gemini, { list: geminiContents, field: "contents", pieces: geminiPieces }),
  effectPromptLaw,
  geminiLaw,
  formatLaw(langchain, { list: langChainMessages, field: "messages" }),
  formatLaw(openAiChat, chat),
  ...(["deepseek", "mistral", "strict", "bedrock"] as const).map((name) =>
    formatLaw(openAiChatFor(name), chat),
  ),
  openAiServersLaw,
  openAiResponsesLaw,
  lossesLaw,
  formatLaw(openAiResponses, { list: openAiResponsesItems, field: "input", frame: openAiResponsesFrame }),
]
