/** Finds out which format a file has, and reads it. */
import { Result } from "effect"
import { beam, memoryBank, testResults, xpersona } from "./dialogues/Dialogues.ts"
import { locomo } from "./dialogues/Locomo.ts"
import { shareGpt } from "./dialogues/ShareGpt.ts"
import { describe } from "./Fields.ts"
import { notRead } from "./NotRead.ts"
import type { Reader, Reading } from "./Reader.ts"
import { readRequests } from "./requests/Requests.ts"
import { parseSource, type Source } from "./Source.ts"
import { claudeCode } from "./sessions/ClaudeCode.ts"
import { codex } from "./sessions/Codex.ts"
import { geminiCli } from "./sessions/GeminiCli.ts"
import { kimi } from "./sessions/Kimi.ts"
import { openHands } from "./sessions/OpenHands.ts"
import { pi } from "./sessions/Pi.ts"
import { sweAgent } from "./sessions/SweAgent.ts"
import { tarko } from "./sessions/Tarko.ts"
import { tau2 } from "./sessions/Tau2.ts"
import { knownFormats, type Transcript, TranscriptError } from "./Transcript.ts"

/** The first that fits reads: the more a format asks of a file, the earlier it stands. */
const READERS: ReadonlyArray<Reader> = [
  claudeCode,
  codex,
  pi,
  geminiCli,
  kimi,
  sweAgent,
  openHands,
  tau2,
  locomo,
  beam,
  xpersona,
  shareGpt,
  testResults,
  memoryBank,
  tarko,
]

/** Leaves out chats without messages, and says so; a file without any message is an error. */
const withMessages = (transcripts: ReadonlyArray<Transcript>, name: string): Reading => {
  const [first, ...rest] = transcripts.filter((transcript) => transcript.messages.length > 0)
  if (first === undefined) {
    const remedy = "Give a file with at least one message."
    return Result.fail(new TranscriptError({ name, kind: "no-chat", reason: "it holds no messages", remedy }))
  }
  const empty = transcripts.length - rest.length - 1
  const notes = empty === 0 ? first.notes : [...first.notes, `${empty} chats of the file have no messages`]
  return Result.succeed([{ ...first, notes }, ...rest])
}

const readSource = (source: Source): Reading => {
  const reader = READERS.find(({ fits }) => fits(source))
  if (reader !== undefined) return reader.read(source)
  const refused = notRead(source)
  if (refused !== undefined) return Result.fail(refused)
  const requests = readRequests(source)
  if (requests !== undefined) return requests
  const reason = `the format is not known: found ${describe(source.value)}`
  return Result.fail(
    new TranscriptError({ name: source.name, kind: "unknown-format", reason, remedy: knownFormats }),
  )
}

/**
 * Reads the text of a file as transcripts: its format is found by its shape.
 *
 * `name` is what the file is called in errors and in names of chats.
 */
export const readTranscript = (text: string, name: string): Reading =>
  parseSource(name, text).pipe(
    Result.flatMap(readSource),
    Result.flatMap((transcripts) => withMessages(transcripts, name)),
  )
