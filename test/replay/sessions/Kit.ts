/** What tests of readers are written with. */
import { type Message, textOf } from "@palimpsest/core"
import { readTranscript } from "@palimpsest/examples/transcripts/ReadTranscript"
import type { Transcript, TranscriptError } from "@palimpsest/examples/transcripts/Transcript"
import { Result } from "effect"
import { assert } from "vitest"

/** JSON lines of values; a string is a line as it is. */
export const lines = (...values: ReadonlyArray<unknown>): string =>
  values.map((value) => (typeof value === "string" ? value : JSON.stringify(value))).join("\n")

/** The chats of a text, which must be readable. */
export const chats = (text: string): ReadonlyArray<Transcript> => {
  const reading = readTranscript(text, "file")
  return Result.isSuccess(reading) ? reading.success : assert.fail(reading.failure.message)
}

/** The only chat of a text. */
export const chat = (text: string): Transcript => {
  const [first, ...more] = chats(text)
  assert.lengthOf(more, 0)
  return first ?? assert.fail("no chat")
}

/** Why a text is not read. */
export const refusal = (text: string): TranscriptError => {
  const reading = readTranscript(text, "file")
  return Result.isFailure(reading) ? reading.failure : assert.fail("it was read")
}

/** A message in one line: who speaks, and what. */
export const brief = (message: Message): string => {
  const who = message.role === "user" && message.synthetic === true ? "program" : message.role
  const parts = message.parts.map((part) => {
    switch (part.type) {
      case "tool-call":
        return `${part.id}=${part.name}(${part.arguments})`
      case "tool-result":
        return `${part.call}→${part.status === "ok" ? "" : `${part.status} `}${textOf(part.content)}`
      case "reasoning":
        return `(${part.text})`
      case "text":
        return part.text
      case "media":
        return `<${part.mediaType}>`
      default:
        return part.type
    }
  })
  return `${who}: ${parts.join(" | ")}`
}

/** All messages of a chat, each in one line. */
export const story = ({ messages }: Transcript): ReadonlyArray<string> => messages.map(brief)
