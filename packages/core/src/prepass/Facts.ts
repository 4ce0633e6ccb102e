/**
 * What can be told of a tool result in a few words: its size, its shape, its exit code, the ids in it.
 *
 * @since 0.1.0
 */
import { shorten, wellFormed } from "../text/Unicode.ts"
import { entriesOf, parseJson } from "./Json.ts"

/** One line of a text: breaks and control characters become single spaces. */
export const oneLine = (text: string, units: number): string => {
  const line = shorten(text, units * 4, () => "…").replace(/[\s\p{Cc}]+/gu, " ")
  return wellFormed(shorten(line.trim(), units, () => "…"))
}

const plural = (count: number, one: string): string => `${count} ${one}${count === 1 ? "" : "s"}`

/** Number of lines of a text; an end of line at its end starts none. */
export const lineCount = (text: string): number => {
  let lines = text === "" || text.endsWith("\n") ? 0 : 1
  for (let i = text.indexOf("\n"); i >= 0; i = text.indexOf("\n", i + 1)) lines++
  return lines
}

/** The size of a text, as `3 lines, 120 characters`. */
export const sizeOf = (text: string): string =>
  text === "" ? "no text" : `${plural(lineCount(text), "line")}, ${plural(text.length, "character")}`

/** Up to five keys of an object, or the length of an array; empty when the text is neither. */
export const shapeOf = (text: string): string => {
  if (!/^\s*[[{]/.test(text)) return ""
  const value = parseJson(text)
  if (Array.isArray(value)) return `JSON array of ${value.length}`
  if (value === null || typeof value !== "object") return ""
  const keys = Object.keys(value)
  const more = keys.length > 5 ? `, +${keys.length - 5}` : ""
  return `JSON ${keys.length === 0 ? "{}" : `keys ${oneLine(keys.slice(0, 5).join(", "), 60)}${more}`}`
}

const EXIT_KEYS = ["exit_code", "exitCode", "exit_status", "exitStatus", "returncode", "return_code"]

const exitOfJson = (text: string): string => {
  const entries = entriesOf(text)
  const found = entries.find(({ key, value }) => EXIT_KEYS.includes(key) && /^-?\d{1,5}$/.test(value))
  if (found !== undefined) return found.value
  const nested = entries.find(({ key, value }) => key === "metadata" && value.startsWith("{"))
  return nested === undefined ? "" : exitOfJson(nested.value)
}

const EXIT_TEXT = /\bexit(?:ed)?(?: with)?(?: code| status)[ :=]{0,3}(-?\d{1,5})\b/i

/** The exit code that a result reports, as JSON or in its first or last line; empty when it reports none. */
export const exitCodeOf = (text: string): string => {
  if (/^\s*\{/.test(text)) return exitOfJson(text)
  return (EXIT_TEXT.exec(text.slice(0, 200)) ?? EXIT_TEXT.exec(text.slice(-200)))?.[1] ?? ""
}

const JSON_ID = /"(?:\w{0,40}_)?id"\s{0,4}:\s{0,4}(?:"([^"\\]{1,60})"|(-?\d{1,30}))/gi
const BARE_ID = /\b[A-Z]{2,10}[-_]\d[\w-]{1,30}\b|\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}\b|#\d{2,12}\b/g

/** How much of a text is searched for ids, in UTF-16 units. */
const SEARCHED = 20_000

/** Up to three different ids in a text: of JSON fields named `id`, else of the usual spellings. */
export const idsOf = (text: string): string => {
  const start = text.slice(0, SEARCHED)
  const fields = Array.from(start.matchAll(JSON_ID), (match) => match[1] ?? match[2] ?? "")
  const all = fields.length > 0 ? fields : Array.from(start.matchAll(BARE_ID), (match) => match[0])
  const different = [...new Set(all)]
  if (different.length === 0) return ""
  const more = different.length > 3 ? `, +${different.length - 3}` : ""
  return `ids ${oneLine(different.slice(0, 3).join(", "), 70)}${more}`
}

/** The last line of a text that is not blank: what a program says at the end. */
export const lastLine = (text: string): string => text.slice(-400).trimEnd().split(/\r?\n/).at(-1) ?? ""
