/**
 * JSON whose numbers keep the digits that they were written with.
 *
 * @since 0.1.0
 */

/**
 * A number that a double would not give back as it was written: `9007199254740993`, `1.0`. `writeExact` writes its
 * digits; `JSON.stringify` does too where the engine has `JSON.rawJSON`, and writes the nearest double elsewhere.
 *
 * @category models
 * @since 0.1.0
 */
export class ExactNumber {
  readonly digits: string
  constructor(digits: string) {
    this.digits = digits
  }
  toJSON(): unknown {
    return "rawJSON" in JSON && typeof JSON.rawJSON === "function"
      ? JSON.rawJSON(this.digits)
      : Number(this.digits)
  }
}

/** Levels of nesting that are read and written: far more than anyone sends, and far from the end of any stack. */
const DEEPEST = 500

const isTooDeep = (value: unknown, depth = 0): boolean =>
  typeof value === "object" &&
  value !== null &&
  (depth > DEEPEST || Object.values(value).some((each) => isTooDeep(each, depth + 1)))

const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g

/** A text that stands nowhere in `text`, to mark numbers with. */
const markFor = (text: string): string => {
  let mark = "exact:"
  while (text.includes(mark)) mark = `exact${mark}`
  return mark
}

const isExact = (token: string): boolean => JSON.stringify(Number(token)) === token

const parse = (text: string, revive?: (key: string, value: unknown) => unknown): unknown => {
  try {
    return JSON.parse(text, revive)
  } catch {
    return undefined
  }
}

/**
 * Parses JSON text; undefined when it is none, or nested deeper than 500 levels. Numbers that a double would change become `ExactNumber`.
 *
 * **Example** (A big number)
 *
 * ```ts
 * import { readExact, writeExact } from "@palimpsest/core/formats"
 *
 * writeExact(readExact('{"id":9007199254740993,"n":1.50}')) // => '{"id":9007199254740993,"n":1.50}'
 * ```
 *
 * @category json
 * @since 0.1.0
 */
export const readExact = (text: string): unknown => {
  const plain = parse(text)
  if (plain === undefined || isTooDeep(plain)) return undefined
  const tokens = text.match(TOKEN) ?? []
  if (tokens.every((token) => token.startsWith('"') || isExact(token))) return plain
  const mark = markFor(text)
  const marked = text.replace(TOKEN, (token) =>
    token.startsWith('"') || isExact(token) ? token : `"${mark}${token}"`,
  )
  return parse(marked, (_, value) =>
    typeof value === "string" && value.startsWith(mark) ? new ExactNumber(value.slice(mark.length)) : value,
  )
}

const holdsExact = (value: unknown): boolean =>
  value instanceof ExactNumber ||
  (typeof value === "object" && value !== null && Object.values(value).some(holdsExact))

/** What JSON would write as something else: NaN, infinities, and objects with a form of their own, such as dates. */
const holdsOther = (value: unknown): boolean => {
  if (typeof value === "number") return !Number.isFinite(value)
  if (typeof value !== "object" || value === null || value instanceof ExactNumber) return false
  return ("toJSON" in value && typeof value.toJSON === "function") || Object.values(value).some(holdsOther)
}

/**
 * Tells whether `writeExact` can write a value as what it is, without writing its exact numbers.
 *
 * @category json
 * @since 0.1.0
 */
export const isWritable = (value: unknown): boolean => {
  try {
    if (isTooDeep(value)) return false
    return !holdsOther(value) && JSON.stringify(value) !== undefined
  } catch {
    return false
  }
}

/**
 * Writes a JSON value as text, without blanks; `ExactNumber` with its digits. Undefined for what JSON cannot hold: a
 * cycle, a bigint, a function, more than 500 levels.
 *
 * @category json
 * @since 0.1.0
 */
export const writeExact = (value: unknown): string | undefined => {
  try {
    if (isTooDeep(value)) return undefined
    if (!holdsExact(value)) return JSON.stringify(value)
    const plain = JSON.stringify(value)
    const mark = markFor(plain)
    const written = JSON.stringify(value, function (this: unknown, key: string, each: unknown) {
      const own = typeof this === "object" && this !== null ? Reflect.get(this, key) : undefined
      return own instanceof ExactNumber ? `${mark}${own.digits}` : each
    })
    return written.replace(new RegExp(`"${mark}([^"]*)"`, "g"), "$1")
  } catch {
    return undefined
  }
}
