/**
 * The exact strings of a text: paths, ids, numbers, addresses. A summary copies them or leaves them out.
 *
 * @since 0.1.0
 */

/** Runs of letters that are written with spaces between words, digits, and what joins the parts of an identifier. */
const TOKEN = /[\w\u00c0-\u024f\u0370-\u052f./:@#%+=~?&\\$-]+/g

const EDGES_START = /^[.:?&=+%\\$#@-]+(?![./\\~\w-])|^[:?&=+%$#@]+/
const EDGES_END = /[.:?&=+%~$#@\\-]+$/

/** Longer runs are blobs (base64, minified code), not names. */
const MAX_UNITS = 256

const NUMBER = /^[+-]?\d[\d.:/-]*$/
const MEASURE = /^([+-]?[\d.]+)(?:%|st|nd|rd|th|[a-z]{1,2}|min|sec|[KMG]i?[Bb]|px|ms)$/
const FILE =
  /^[\w\u00c0-\u024f\u0370-\u052f./\\~@+:-]*[\w\u00c0-\u024f\u0370-\u052f-]{2}\.[a-z][a-z0-9]{0,7}(?::\d+)*$/

const digits = (token: string): number => token.replace(/\D/g, "").length
const has = (token: string, pattern: RegExp): boolean => pattern.test(token)

const PATH = /^[./\\~]|[\d_]|^[A-Za-z]:\\|\.[a-z][a-z0-9]{0,7}(?::\d+)*$/

/** "and/or" is none: a path starts like one, ends in a file's name, or holds what no word holds. */
const isPath = (token: string): boolean => has(token, /[/\\]/) && has(token, PATH)

const isWordAndDigits = (token: string): boolean =>
  token.length >= 4 && has(token, /\d/) && has(token, /[A-Za-z\u00c0-\u052f]/)

const isIdentifier = (token: string): boolean => {
  if (has(token, NUMBER)) return digits(token) >= 4 || has(token, /^\d+\.\d+\.\d+/)
  const measure = MEASURE.exec(token)
  if (measure !== null) return digits(token) >= 4
  return (
    has(token, /:\/\/|\w@\w[\w-]*\.\w/) ||
    isPath(token) ||
    isWordAndDigits(token) ||
    has(token, /[A-Za-z0-9]_[A-Za-z0-9]/) ||
    has(token, /^--[a-z]/) ||
    has(token, FILE)
  )
}

/**
 * Lists the identifier-like tokens of a text, each once, in order: paths, file names, URLs, e-mail addresses, ids of
 * letters and digits, names with underscores, versions, flags, and numbers of four digits or more.
 *
 * **Example** (What must be copied exactly)
 *
 * ```ts
 * import { identifiers } from "@palimpsest/core"
 *
 * identifiers("Order ord_9f3 fails in src/a/b.ts:42, after 12345 tries.") // => ["ord_9f3", "src/a/b.ts:42", "12345"]
 * ```
 *
 * @category getters
 * @since 0.1.0
 */
export const identifiers = (text: string): ReadonlyArray<string> => {
  const found = new Set<string>()
  for (const [run] of text.matchAll(TOKEN)) {
    if (run.length > MAX_UNITS) continue
    const token = run.replace(EDGES_START, "").replace(EDGES_END, "")
    if (isIdentifier(token)) found.add(token)
  }
  return [...found]
}
