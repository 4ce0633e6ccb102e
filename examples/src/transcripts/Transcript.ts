/** A recorded chat, ready to be replayed. */
import type { Message, Raw } from "@palimpsest/core"
import { Schema } from "effect"

/** The formats that can be read. */
export const FORMATS = {
  "openai-chat": "OpenAI Chat Completions messages",
  "openai-responses": "OpenAI Responses items",
  anthropic: "Anthropic messages",
  gemini: "Gemini contents",
  "ai-sdk": "AI SDK model messages",
  "ai-sdk-ui": "AI SDK UI messages",
  langchain: "LangChain messages",
  "effect-prompt": "Effect prompts",
  "claude-code": "Claude Code sessions",
  codex: "Codex rollouts",
  pi: "pi sessions",
  "gemini-cli": "Gemini CLI sessions",
  kimi: "Kimi Code sessions",
  "swe-agent": "SWE-agent trajectories",
  openhands: "OpenHands logs",
  tarko: "Agent TARS event streams",
  tau2: "tau2-bench results",
  locomo: "LoCoMo dialogues",
  beam: "BEAM chats",
  memorybank: "MemoryBank histories",
  xpersona: "XPersona dialogues",
  sharegpt: "ShareGPT chats",
  "test-results": "results of single questions",
} as const

export type Format = keyof typeof FORMATS

/** What the provider said that a response cost, tokens. */
export interface Usage {
  /** All that went in, with what was read from a cache or written to one. */
  readonly prompt: number
  /** All that came out, with the reasoning. */
  readonly completion: number
  /** The provider's own words. */
  readonly raw: unknown
}

/** What the file says of one message, beside its content. */
export interface Origin {
  /** Ids in the file of the turns that the message is made of. */
  readonly ids: ReadonlyArray<string>
  readonly usage?: Usage
  /** The model that wrote the message. */
  readonly model?: string
  /** The form in which the message came, where writing it anew would not give it back. */
  readonly raw?: Raw
  /** The recording program had compacted: from here on it sent its model this message and what follows, no more. */
  readonly isBoundary?: true
}

export interface Transcript {
  readonly format: Format
  /** Id of the chat in its file, or the name of the file, with a number when it holds several. */
  readonly name: string
  readonly system: string | null
  readonly messages: ReadonlyArray<Message>
  /** One for each message. */
  readonly origins: ReadonlyArray<Origin>
  /** Messages, calls and results in the file that are no part of what the agent saw. */
  readonly skipped: number
  /** What a person should know about how it was read. */
  readonly notes: ReadonlyArray<string>
}

/** A message with what the file says of it. */
export interface Said {
  readonly message: Message
  readonly origin: Origin
}

/** Makes a transcript of what was said. */
export const transcriptOf = (
  format: Format,
  name: string,
  said: ReadonlyArray<Said>,
  rest: Partial<Pick<Transcript, "system" | "skipped" | "notes">> = {},
): Transcript => ({
  format,
  name,
  system: rest.system ?? null,
  messages: said.map(({ message }) => message),
  origins: said.map(({ origin }) => origin),
  skipped: rest.skipped ?? 0,
  notes: rest.notes ?? [],
})

/** Why a file gives no transcript. */
export const Refusal = Schema.Literals([
  /** It cannot be opened. */
  "unreadable",
  "empty",
  /** Neither JSON nor anything else that is read. */
  "no-json",
  "unknown-format",
  /** A known format, and not as that format says. */
  "malformed",
  /** A known format that has no messages in it. */
  "no-chat",
])

/** A file that cannot be read as a transcript. */
export class TranscriptError extends Schema.TaggedError<TranscriptError>("TranscriptError")(
  "TranscriptError",
  {
    name: Schema.String,
    kind: Refusal,
    reason: Schema.String,
    remedy: Schema.String,
  },
) {
  override get message() {
    return `${this.name}: ${this.reason}. ${this.remedy}`
  }
}

/** The remedy for a file of no known format. */
export const knownFormats = `Known formats: ${Object.values(FORMATS).join("; ")}.`
