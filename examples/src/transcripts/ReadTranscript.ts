/** Finds out which format a file has, and reads it. */
import { Result } from "effect"
import { parseJson } from "./Json.ts"
import { readLocomo } from "./Locomo.ts"
import { type Chat, readChats } from "./OpenAiChat.ts"
import { readTau2 } from "./Tau2.ts"
import { knownFormats, type Transcript, TranscriptError } from "./Transcript.ts"

type Reading = Result.Result<ReadonlyArray<Transcript>, TranscriptError>

type Fields = { readonly [key: string]: unknown }

const isFields = (json: unknown): json is Fields =>
  typeof json === "object" && json !== null && !Array.isArray(json)

const hasField = (json: unknown, field: string): boolean => isFields(json) && field in json

const isSample = (json: unknown): json is Fields =>
  isFields(json) && isFields(json.conversation) && "speaker_a" in json.conversation

/** A value as a person would describe it, short. */
const describe = (json: unknown): string => {
  if (Array.isArray(json)) return json.length === 0 ? "an empty list" : `a list of ${describe(json[0])}`
  if (!isFields(json)) return json === null ? "null" : `a ${typeof json}`
  const keys = Object.keys(json)
  const more = keys.length > 8 ? ", …" : ""
  return keys.length === 0 ? "an empty object" : `an object with ${keys.slice(0, 8).join(", ")}${more}`
}

/** The chats of a value in the form of Chat Completions, or undefined when it has another form. */
const chatsOf = (json: unknown): ReadonlyArray<Chat> | undefined => {
  if (isFields(json)) return "messages" in json ? [{ path: "messages", messages: json.messages }] : undefined
  if (!Array.isArray(json)) return undefined
  if (json.every((item) => hasField(item, "role"))) return [{ path: "", messages: json }]
  const isChat = (item: unknown) => Array.isArray(item) || hasField(item, "messages")
  if (!json.every(isChat)) return hasField(json[0], "role") ? [{ path: "", messages: json }] : undefined
  return json.map((item: unknown, i) =>
    isFields(item)
      ? { path: `[${i}].messages`, messages: item.messages }
      : { path: `[${i}]`, messages: item },
  )
}

const readValue = (json: unknown, text: string, name: string): Reading => {
  if (hasField(json, "simulations")) return readTau2(text, name)
  if (isSample(json)) return readLocomo([json], name)
  if (Array.isArray(json) && json.length > 0 && json.every(isSample)) return readLocomo(json, name)
  const chats = chatsOf(json)
  if (chats !== undefined) return readChats(chats, name)
  const reason = `the format is not known: found ${describe(json)}`
  return Result.fail(new TranscriptError({ name, reason, remedy: knownFormats }))
}

/** Parses JSON lines to the list of their values. */
const parseLines = (text: string): Result.Result<ReadonlyArray<unknown>, string> => {
  const values: Array<unknown> = []
  for (const [i, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue
    const parsed = parseJson(line)
    if (Result.isFailure(parsed)) {
      return Result.fail(parsed.failure.replace("line 1,", `line ${i + 1},`))
    }
    values.push(parsed.success)
  }
  return Result.succeed(values)
}

/** Whether a text that is not JSON as a whole is a list of JSON lines: then its first line is JSON by itself. */
const isLines = (text: string): boolean => {
  const [first = "", ...rest] = text.trim().split("\n")
  return rest.length > 0 && Result.isSuccess(parseJson(first)) && /^[[{]/.test(first.trim())
}

const parse = (text: string): Result.Result<unknown, string> => {
  const whole = parseJson(text)
  return Result.isFailure(whole) && isLines(text) ? parseLines(text) : whole
}

/** Leaves out chats without messages, and says so; a file without any message is an error. */
const withMessages = (transcripts: ReadonlyArray<Transcript>, name: string): Reading => {
  const [first, ...rest] = transcripts.filter((transcript) => transcript.messages.length > 0)
  if (first === undefined) {
    const reason = "it holds no messages"
    return Result.fail(
      new TranscriptError({ name, reason, remedy: "Give a file with at least one message." }),
    )
  }
  const empty = transcripts.length - rest.length - 1
  const notes = empty === 0 ? first.notes : [...first.notes, `${empty} chats of the file have no messages`]
  return Result.succeed([{ ...first, notes }, ...rest])
}

/**
 * Reads the text of a file as transcripts: its format is found by its shape.
 *
 * `name` is what the file is called in errors and in names of chats.
 */
export const readTranscript = (text: string, name: string): Reading => {
  const content = text.replace(/^\ufeff/, "")
  if (content.trim() === "") {
    return Result.fail(new TranscriptError({ name, reason: "the file is empty", remedy: knownFormats }))
  }
  return parse(content).pipe(
    Result.mapError(
      (reason) => new TranscriptError({ name, reason, remedy: "Copy the file again, as a whole." }),
    ),
    Result.flatMap((json) => readValue(json, content, name)),
    Result.flatMap((transcripts) => withMessages(transcripts, name)),
  )
}
