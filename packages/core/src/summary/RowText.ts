/**
 * What there is to read in a row, as texts: the one reading that transcripts and the extractor share.
 *
 * @since 0.1.0
 */
import { takeEnd, takeStart, wellFormed } from "../text/Unicode.ts"
import { withoutFences } from "../text/WithoutFences.ts"
import type { MediaPart, Part, ToolCallPart, ToolResultPart } from "../thread/Message.ts"
import type { MessageRow } from "../thread/Row.ts"
import { redactedLine } from "./ItemText.ts"
import type { Redact } from "./SafeRedact.ts"

/** What a part says: without fences, redacted, not blank. */
export interface Reading {
  readonly part: Part
  /** As it stands in a transcript: a call or a result opens with what it is. */
  readonly text: string
  /** Its own words: without that opening, and without media. */
  readonly body: string
}

/** A text longer than this is read at its two ends: nobody sums up a megabyte. */
const READ_UNITS = 65_536

/** Base64 inlined in a text: bytes that say nothing. */
const DATA_URL = /data:([a-z]{1,20}\/[a-z0-9.+-]{1,60})(?:;[a-z0-9=-]{1,40})*;base64,[A-Za-z0-9+/=]{32,}/gi

const ends = (text: string): string =>
  text.length <= 2 * READ_UNITS ? text : `${takeStart(text, READ_UNITS)}\n…\n${takeEnd(text, READ_UNITS)}`

/** Fences and secrets go before the cut: half of one would not be known any more. */
const clean = (text: string, redact: Redact): string =>
  wellFormed(ends(redact(withoutFences(text).replace(DATA_URL, "[$1]")))).trim()

const placeholder = (part: MediaPart, redact: Redact): string => {
  const kind = /^[a-z]{1,20}(?=\/)/.exec(part.mediaType)?.[0] ?? "file"
  return `[${kind} ${redactedLine(part.name ?? part.mediaType, redact).slice(0, 120)}]`
}

const joined = (texts: ReadonlyArray<string>): string => texts.filter((text) => text !== "").join("\n")

const callOf = (part: ToolCallPart, redact: Redact): Reading => {
  const body = clean(part.arguments, redact)
  const state = part.pending === true ? " (awaiting an answer)" : ""
  return { part, body, text: redactedLine(`call ${part.name} ${body}${state}`, redact) }
}

const resultOf = (part: ToolResultPart, redact: Redact): Reading => {
  const texts = part.content.map((item) => (item.type === "text" ? clean(item.text, redact) : ""))
  const content = joined(
    part.content.map((item, i) => (item.type === "media" ? placeholder(item, redact) : (texts[i] ?? ""))),
  )
  const isBlank = content === "" && part.status === "ok"
  const text = isBlank
    ? ""
    : `result ${redactedLine(part.name ?? part.call, redact)} ${part.status}: ${content}`
  return { part, body: joined(texts), text }
}

const readPart = (part: Part, redact: Redact): Reading => {
  switch (part.type) {
    case "text": {
      const text = clean(part.text, redact)
      return { part, text, body: text }
    }
    case "media":
      return { part, text: placeholder(part, redact), body: "" }
    case "tool-call":
      return callOf(part, redact)
    case "tool-result":
      return resultOf(part, redact)
    case "approval": {
      const said = part.approved ? "approved" : "denied"
      const body = clean(part.reason ?? "", redact)
      return { part, text: redactedLine(`${said} ${part.call} ${body}`, redact), body }
    }
    case "reasoning":
    case "opaque":
      return { part, text: "", body: "" }
  }
}

/** Reads a row: its texts, calls, results and placeholders in order. Reasoning, opaque and blank parts are left out. */
export const readRow = (row: MessageRow, redact: Redact): ReadonlyArray<Reading> =>
  row.message.parts
    .map((part: Part) => readPart(part, redact))
    .filter((reading) => reading.text.trim() !== "")
