/**
 * The rows that a fact extractor reads, as texts that fit a request.
 *
 * @since 0.1.0
 */
import {
  isRealUser,
  type MessageRow,
  type Redact,
  redact as redactCommon,
  textOf,
  withoutFences,
} from "@palimpsest/core"

/** Who is heard: users for what they say, the assistant for what they say yes to. Tools state no facts of a user. */
const roleOf = ({ message }: MessageRow): "user" | "assistant" | undefined =>
  isRealUser(message) ? "user" : message.role === "assistant" ? "assistant" : undefined

/** What was recalled is not said again by a row that repeats it. */
const spoken = ({ message }: MessageRow): string =>
  withoutFences(textOf(message.parts.filter((part) => part.type === "text")))

/** Slices of at most `size` characters, none of which ends within a surrogate pair. */
const slices = (text: string, size: number): ReadonlyArray<string> => {
  const out: Array<string> = []
  let from = 0
  while (from < text.length) {
    const end = Math.min(from + size, text.length)
    const last = text.charCodeAt(end - 1)
    const split = end < text.length && last >= 0xd800 && last <= 0xdbff && end - from > 1
    out.push(text.slice(from, split ? end - 1 : end))
    from = split ? end - 1 : end
  }
  return out
}

/** One row, with its secrets taken out, in as many pieces as it needs. */
const pieces = (row: MessageRow, size: number, redact: Redact): ReadonlyArray<string> => {
  const role = roleOf(row)
  return role === undefined
    ? []
    : slices(redact(spoken(row)), size).map((text) => `[row ${row.id} ${role}] ${text}`)
}

/**
 * Renders what users and assistants say as transcripts of about `characters` each, in order. Secrets are redacted
 * before a text is cut, so that no half of one gets through.
 *
 * @category rendering
 * @since 0.1.0
 */
export const spansOf = (
  rows: ReadonlyArray<MessageRow>,
  characters: number,
  redact: Redact = redactCommon,
): ReadonlyArray<string> => {
  const size = Math.max(1, characters)
  const spans: Array<string> = []
  let open = ""
  for (const piece of rows.flatMap((row) => pieces(row, size, redact))) {
    if (open !== "" && open.length + piece.length > size) {
      spans.push(open)
      open = ""
    }
    open = open === "" ? piece : `${open}\n${piece}`
  }
  return open === "" ? spans : [...spans, open]
}
