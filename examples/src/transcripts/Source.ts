/** A file as data: one JSON value, or a value for each line. */
import { Result } from "effect"
import { type Broken, parseJson } from "./Json.ts"
import { knownFormats, TranscriptError } from "./Transcript.ts"

/** A value of a log, and where it stands in the file. */
export interface Entry {
  /** Such as `line 3` or `[2]`. */
  readonly at: string
  readonly value: unknown
}

export interface Source {
  /** What the file is called. */
  readonly name: string
  /** The value of the file; the list of their values when it has one for each line. */
  readonly value: unknown
  /** The values of a log: of its lines, of the elements of a list, or the only one. */
  readonly entries: ReadonlyArray<Entry>
  /** Why the last line is missing, when the file ends in the middle of it. */
  readonly cut: string | null
}

const ofValue = (name: string, value: unknown): Source => ({
  name,
  value,
  entries: Array.isArray(value)
    ? value.map((each: unknown, i) => ({ at: `[${i}]`, value: each }))
    : [{ at: "line 1", value }],
  cut: null,
})

/** A line of a file, counted from 1. */
interface Line {
  readonly number: number
  readonly text: string
}

/** The lines of a file that are not blank. */
const linesOf = (text: string): ReadonlyArray<Line> =>
  text.split("\n").flatMap((line, i) => (line.trim() === "" ? [] : [{ number: i + 1, text: line }]))

/** Parses JSON lines. Who writes a log may be killed in the middle of a line: then the last one is left out. */
const ofLines = (name: string, lines: ReadonlyArray<Line>): Result.Result<Source, Broken> => {
  const entries: Array<Entry> = []
  let cut: string | null = null
  for (const [i, { number, text }] of lines.entries()) {
    const parsed = parseJson(text, number)
    if (Result.isSuccess(parsed)) entries.push({ at: `line ${number}`, value: parsed.success })
    else if (parsed.failure.isCut && i === lines.length - 1) cut = parsed.failure.reason
    else return Result.fail(parsed.failure)
  }
  return Result.succeed({ name, value: entries.map(({ value }) => value), entries, cut })
}

/** The data of server-sent events: what follows `data:`, but for the marks that end a stream. */
const eventData = (lines: ReadonlyArray<Line>): ReadonlyArray<Line> =>
  lines.flatMap(({ number, text }) => {
    const data = /^data:\s?(.*)$/.exec(text.trimEnd())?.[1] ?? ""
    return data === "" || data === "[DONE]" ? [] : [{ number, text: data }]
  })

const isEventStream = (first: string): boolean => /^(data|event|id|retry):|^:/.test(first)

/** Whether a line is a JSON value by itself that holds others. */
const isRecord = (line: string): boolean => /^\s*[[{]/.test(line) && Result.isSuccess(parseJson(line))

/** YAML begins with a key or a mark of a document. Recordings of HTTP are kept in it. */
const isYaml = (text: string): boolean => /^(---\s*\n)?\w+:\s*\n/.test(text)

const YAML_REMEDY = "Convert it to JSON: of a recording, the body of the last request has the messages."

const parse = (name: string, text: string): Result.Result<Source, Broken> => {
  const lines = linesOf(text)
  const [first, second] = lines
  if (first !== undefined && isEventStream(first.text)) return ofLines(name, eventData(lines))
  if (first !== undefined && second !== undefined && isRecord(first.text)) return ofLines(name, lines)
  return Result.map(parseJson(text), (value) => ofValue(name, value))
}

/** Parses the text of a file: JSON, JSON lines, or the data of server-sent events. */
export const parseSource = (name: string, text: string): Result.Result<Source, TranscriptError> => {
  const content = text.replace(/^\ufeff/, "")
  if (content.trim() === "") {
    const remedy = "Name a file with a chat in it."
    return Result.fail(new TranscriptError({ name, kind: "empty", reason: "the file is empty", remedy }))
  }
  return Result.mapError(parse(name, content), ({ reason, isOther }) => {
    const of = (why: string, remedy: string) =>
      new TranscriptError({ name, kind: "no-json", reason: why, remedy })
    if (isYaml(content)) return of("it is YAML", YAML_REMEDY)
    if (isOther) return of(`it is no chat: ${reason}`, knownFormats)
    return of(reason, "Copy the file again, as a whole.")
  })
}
