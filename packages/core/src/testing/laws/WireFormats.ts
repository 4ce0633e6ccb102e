/**
 * Every format, with samples of what it reads.
 *
 * @since 0.1.0
 */
import { aiSdk } from "../../formats/ai-sdk/Format.ts"
import { aiSdkUi } from "../../formats/ai-sdk-ui/Format.ts"
import { anthropic } from "../../formats/anthropic/Format.ts"
import { effectPrompt } from "../../formats/effect-prompt/Format.ts"
import type { Format } from "../../formats/format/Format.ts"
import { gemini } from "../../formats/gemini/Format.ts"
import { langchain } from "../../formats/langchain/Format.ts"
import { openAiChat } from "../../formats/openai-chat/Format.ts"
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
import type { WireSamples } from "./Formats.ts"

/** Chat Completions, as every server of its kind reads it. */
export const chatSamples: WireSamples = {
  list: openAiChatMessages,
  field: "messages",
  frame: openAiChatFrame,
}

/** A line for each format. */
export const wireFormats: ReadonlyArray<{ readonly format: Format<unknown>; readonly samples: WireSamples }> =
  [
    { format: aiSdk, samples: { list: aiSdkMessages, field: "messages", frame: aiSdkFrame } },
    { format: aiSdkUi, samples: { list: aiSdkUiMessages, field: "messages", pieces: aiSdkUiPieces } },
    {
      format: anthropic,
      samples: { list: anthropicMessages, field: "messages", frame: anthropicFrame, pieces: anthropicPieces },
    },
    { format: effectPrompt, samples: { list: effectMessages, field: "content" } },
    { format: gemini, samples: { list: geminiContents, field: "contents", pieces: geminiPieces } },
    { format: langchain, samples: { list: langChainMessages, field: "messages" } },
    { format: openAiChat, samples: chatSamples },
    {
      format: openAiResponses,
      samples: { list: openAiResponsesItems, field: "input", frame: openAiResponsesFrame },
    },
  ]
