/** What is fuzzed: a line for each format. */
import { anthropic } from "@palimpsest/core/formats/anthropic"
import { effectPrompt } from "@palimpsest/core/formats/effect-prompt"
import { gemini } from "@palimpsest/core/formats/gemini"
import { langchain } from "@palimpsest/core/formats/langchain"
import {
  anthropicMessages,
  effectMessages,
  geminiContents,
  langChainMessages,
} from "@palimpsest/core/testing"
import { type AnyFormat, formatTarget, type Samples } from "./FormatTarget.ts"
import { readerTarget } from "./ReaderTarget.ts"
import type { Target } from "./Target.ts"

const formats: ReadonlyArray<readonly [AnyFormat, Samples]> = [
  [anthropic, { samples: anthropicMessages, field: "messages" }],
  [effectPrompt, { samples: effectMessages, field: "content" }],
  [gemini, { samples: geminiContents, field: "contents" }],
  [langchain, { samples: langChainMessages, field: "messages" }],
]

/** Everything that reads what others wrote. */
export const targets: ReadonlyArray<Target> = [
  ...formats.map(([format, samples]) =>
    formatTarget(format, samples, () => formats.map(([other]) => other).filter((other) => other !== format)),
  ),
  readerTarget,
]
