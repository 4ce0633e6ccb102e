/** What a reader of files must do with any text: give chats, or one typed error that says what to do. */
import { readTranscript } from "@palimpsest/examples/transcripts/ReadTranscript"
import { Result } from "effect"
import type { Target, Verdict } from "./Target.ts"

const check = (input: unknown): Verdict => {
  const reading = readTranscript(String(input), "fuzzed")
  if (Result.isFailure(reading)) {
    const { _tag, name, reason, remedy } = reading.failure
    const isTyped = _tag === "TranscriptError" && [name, reason, remedy].every((text) => text !== "")
    return isTyped ? "refused" : { kind: "untyped fault", detail: String(reading.failure) }
  }
  const broken = reading.success.find(({ messages, origins }) => messages.length !== origins.length)
  if (broken === undefined) return `read as ${reading.success[0]?.format ?? "nothing"}`
  return { kind: "origins", detail: "not one origin for each message" }
}

/** The readers of session files, behind the one that finds out what a file is. */
export const readerTarget: Target = { name: "transcripts", takes: "text", reads: () => false, check }
