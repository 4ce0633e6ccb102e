/** A recorded chat, ready to be replayed. */
import type { Message } from "@palimpsest/core"
import { Schema } from "effect"

/** The formats that can be read. */
export const FORMATS = {
  "openai-chat": "OpenAI Chat Completions messages: one chat, or many (lists, {messages}, JSON lines)",
  tau2: "tau2-bench results: {info, simulations}",
  locomo: "LoCoMo dialogues: {conversation: {speaker_a, speaker_b, session_1, …}}",
} as const

export type Format = keyof typeof FORMATS

/** What the provider said that a response cost, tokens. */
export interface Usage {
  readonly prompt: number
  readonly completion: number
}

/** What the file says of one message, beside its content. */
export interface Origin {
  /** Ids in the file of the turns that the message is made of. */
  readonly ids: ReadonlyArray<string>
  readonly usage?: Usage
}

export interface Transcript {
  readonly format: Format
  /** Id of the chat in its file, or the name of the file, with a number when it holds several. */
  readonly name: string
  readonly system: string | null
  readonly messages: ReadonlyArray<Message>
  /** One for each message. */
  readonly origins: ReadonlyArray<Origin>
  /** Calls and results in the file that the agent never saw. */
  readonly skipped: number
  /** What a person should know about how it was read. */
  readonly notes: ReadonlyArray<string>
}

/** A file that cannot be read as a transcript. */
export class TranscriptError extends Schema.TaggedError<TranscriptError>("TranscriptError")(
  "TranscriptError",
  {
    name: Schema.String,
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
