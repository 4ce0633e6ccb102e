/**
 * Arguments of tool calls, shortened as JSON that stays JSON.
 *
 * @since 0.1.0
 */
import { takeStart, wellFormed } from "../text/Unicode.ts"
import { decodeLiteral, isJson, isKey, literalEnd } from "./Json.ts"

/**
 * When arguments are shortened and how far.
 *
 * @category models
 * @since 0.1.0
 */
export interface ArgumentLimits {
  /** Raw arguments of at most so many UTF-16 units are left alone. */
  readonly above: number
  /** Strings in them are shortened to at most so many UTF-16 units, marker included. */
  readonly keep: number
}

/** Below this there is no room for a marker that says how much is missing. */
const ROOM = 40

const shortenLeaf = (text: string, keep: number): string => {
  if (keep < ROOM) return keep < 1 ? "" : `${takeStart(text, keep - 1)}…`
  const head = takeStart(text, keep - `…[+${text.length} characters]`.length)
  return `${head}…[+${text.length - head.length} characters]`
}

/** Half pairs as escapes: the same strings, in a text that is well formed. */
const escapeHalves = (json: string): string => {
  const fixed = wellFormed(json)
  if (fixed === json) return json
  const pieces = Array.from(json, (letter) =>
    letter.length === 1 && /[\ud800-\udfff]/.test(letter)
      ? `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`
      : letter,
  )
  return pieces.join("")
}

const shortenLiteral = (literal: string, keep: number): string => {
  if (literal.length - 2 <= keep) return literal
  const text = decodeLiteral(literal)
  return text.length <= keep ? literal : JSON.stringify(wellFormed(shortenLeaf(text, keep)))
}

/** Shortens each string of a JSON text that is no key. */
const shortenLeaves = (json: string, keep: number): string => {
  const pieces: Array<string> = []
  let from = 0
  for (let i = json.indexOf('"'); i >= 0; i = json.indexOf('"', from)) {
    const end = literalEnd(json, i)
    const literal = json.slice(i, end)
    pieces.push(json.slice(from, i), isKey(json, end) ? literal : shortenLiteral(literal, keep))
    from = end
  }
  return pieces.join("") + json.slice(from)
}

/**
 * Shortens the raw arguments of a call: long strings in them lose their end, and all else stays as it was written,
 * so that keys, big integers and the spelling of numbers survive. Text that is no JSON is returned unchanged.
 *
 * **Gotchas**
 *
 * Only strings are shortened: arguments that are long for another reason stay long. The result is never longer, and
 * shortening it again changes nothing.
 *
 * **Example** (A file that was written)
 *
 * ```ts
 * import { shortenArguments } from "@palimpsest/core"
 *
 * const raw = `{"path":"a.ts","content":"${"x".repeat(900)}","size":9007199254740993}`
 * const short = shortenArguments(raw, { above: 500, keep: 60 })
 * short.startsWith('{"path":"a.ts","content":"xxx') // => true
 * short.endsWith('"size":9007199254740993}') // => true
 * ```
 *
 * @category combinators
 * @since 0.1.0
 */
export const shortenArguments = (raw: string, limits: ArgumentLimits): string => {
  if (raw.length <= limits.above || !isJson(raw)) return raw
  const shorter = shortenLeaves(raw, Math.max(0, Math.floor(limits.keep)))
  if (shorter === raw) return raw
  const sound = escapeHalves(shorter)
  return sound.length < raw.length ? sound : raw
}
