/**
 * What a call asked for, in a few words.
 *
 * @since 0.1.0
 */
import type { ToolCallPart } from "../thread/Message.ts"
import { oneLine } from "./Facts.ts"
import { decodeLiteral, entriesOf } from "./Json.ts"

/** Arguments that tell most, in this order. */
const TELLING = [
  "path",
  "file_path",
  "filePath",
  "filename",
  "file",
  "command",
  "cmd",
  "query",
  "pattern",
  "url",
  "id",
  "name",
  "action",
]

/** The value of an argument, as a short text: a string without its quotes, all else as written. */
export const argument = (call: ToolCallPart | null, names: ReadonlyArray<string>, units = 100): string => {
  const entries = entriesOf(call?.arguments ?? "")
  const entry = names.map((name) => entries.find(({ key }) => key === name)).find((found) => found)
  return entry === undefined ? "" : oneLine(decodeLiteral(entry.value), units)
}

const standing = (key: string): number => {
  const place = TELLING.indexOf(key)
  const isId = /_id$|Id$/.test(key)
  return place >= 0 ? place : isId ? TELLING.length : TELLING.length + 1
}

/** Up to three arguments of a call, the most telling first. */
export const argumentsOf = (call: ToolCallPart | null): string => {
  if (call === null) return ""
  const entries = entriesOf(call.arguments)
  if (entries.length === 0) return oneLine(call.arguments.replace(/^\s*\{\s*\}\s*$/, ""), 60)
  const telling = entries
    .map((entry, i) => ({ ...entry, rank: standing(entry.key) * entries.length + i }))
    .sort((a, b) => a.rank - b.rank)
    .slice(0, 3)
    .map(({ key, value }) => `${oneLine(key, 30)}=${oneLine(decodeLiteral(value), 50)}`)
  const more = entries.length > 3 ? ` +${entries.length - 3}` : ""
  return telling.join(" ") + more
}
