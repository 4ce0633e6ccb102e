/**
 * JSON read as text: numbers, spellings and repeated keys stay what they are.
 *
 * @since 0.1.0
 */

/** The value of a JSON text; null for a text that is none, or for a JSON null. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Whether a text is JSON. */
export const isJson = (text: string): boolean => parseJson(text) !== null || text.trim() === "null"

/** The index after the string literal that starts at `start`, in a text that is JSON. */
export const literalEnd = (json: string, start: number): number => {
  for (let i = start + 1; i < json.length; i++) {
    const unit = json[i]
    if (unit === "\\") i++
    else if (unit === '"') return i + 1
  }
  return json.length
}

const SPACE = " \t\n\r"

/** Whether the literal that ends at `end` is the key of an entry. */
export const isKey = (json: string, end: number): boolean => {
  let i = end
  while (i < json.length && SPACE.includes(json.charAt(i))) i++
  return json[i] === ":"
}

/** The text that a string literal stands for; the literal itself when it is none. */
export const decodeLiteral = (literal: string): string => {
  const value = parseJson(literal)
  return typeof value === "string" ? value : literal
}

/** An entry of an object: the key decoded, the value as its JSON text. */
export interface Entry {
  readonly key: string
  readonly value: string
}

/** Where the value that starts at `start` ends: at the comma or bracket that follows it. */
const valueEnd = (json: string, start: number): number => {
  let depth = 0
  for (let i = start; i < json.length; i++) {
    const unit = json.charAt(i)
    if (unit === '"') i = literalEnd(json, i) - 1
    else if (unit === "{" || unit === "[") depth++
    else if (depth === 0 && (unit === "," || unit === "}" || unit === "]")) return i
    else if (unit === "}" || unit === "]") depth--
  }
  return json.length
}

/**
 * Lists the entries of a JSON object in the order of its text, values as written; empty for anything else.
 *
 * @internal
 */
export const entriesOf = (text: string): ReadonlyArray<Entry> => {
  const json = text.trim()
  if (!json.startsWith("{") || !isJson(json)) return []
  const entries: Array<Entry> = []
  for (let i = json.indexOf('"'); i > 0; ) {
    const end = literalEnd(json, i)
    const start = json.indexOf(":", end) + 1
    const stop = valueEnd(json, start)
    entries.push({ key: decodeLiteral(json.slice(i, end)), value: json.slice(start, stop).trim() })
    i = json.indexOf('"', stop)
  }
  return entries
}
