/** What is fuzzed: a line for each format, and the readers of files. */
import { aiSdk } from "@palimpsest/core/formats/ai-sdk"
import { aiSdkUi } from "@palimpsest/core/formats/ai-sdk-ui"
import { anthropic } from "@palimpsest/core/formats/anthropic"
import { effectPrompt } from "@palimpsest/core/formats/effect-prompt"
import { gemini } from "@palimpsest/core/formats/gemini"
import { langchain } from "@palimpsest/core/formats/langchain"
import { openAiChat, openAiChatFor } from "@palimpsest/core/formats/openai-chat"
import { openAiResponses } from "@palimpsest/core/formats/openai-responses"
import {
  aiSdkMessages,
  aiSdkUiMessages,
  anthropicMessages,
  effectMessages,
  geminiContents,
  langChainMessages,
  openAiChatMessages,
} from "@palimpsest/core/testing"
import { type AnyFormat, formatTarget, type Samples, written } from "./FormatTarget.ts"
import { readerTarget } from "./ReaderTarget.ts"
import type { Target } from "./Target.ts"

const chat: Samples = { samples: openAiChatMessages, field: "messages" }

/** All formats, each with samples of it. */
export const formats: ReadonlyArray<readonly [AnyFormat, Samples]> = [
  [aiSdk, { samples: aiSdkMessages, field: "messages" }],
  [aiSdkUi, { samples: aiSdkUiMessages, field: "messages" }],
  [anthropic, { samples: anthropicMessages, field: "messages" }],
  [effectPrompt, { samples: effectMessages, field: "content" }],
  [gemini, { samples: geminiContents, field: "contents" }],
  [langchain, { samples: langChainMessages, field: "messages" }],
  [openAiChat, chat],
  [openAiResponses, written(openAiResponses, "input", openAiChat, chat)],
]

/** Servers that speak Chat Completions in their own way. */
const dialects = ["deepseek", "mistral", "strict", "bedrock"] as const

const formatTargets = formats.map(([format, samples]) =>
  formatTarget(format, samples, () => formats.map(([other]) => other).filter((other) => other !== format)),
)

/** Everything that reads what others wrote. */
export const targets: ReadonlyArray<Target> = [
  ...formatTargets,
  ...dialects.map((name) => ({
    ...formatTarget(openAiChatFor(name), chat, () => []),
    name: `openai-chat ${name}`,
  })),
  readerTarget,
]
