/**
 * JSON whose numbers keep the digits that they were written with.
 *
 * @since 0.1.0
 */
import { isTooLarge } from "./Extent.ts"

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

const NUMBER = /-?\d[\d.eE+-]*/y

/** Index behind the string that starts at an index of JSON text. A pattern would overflow on long ones. */
const stringEnd = (text: string, at: number): number => {
  for (let end = text.indexOf('"', at + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let slashes = 0
    while (text.charAt(end - 1 - slashes) === "\\") slashes += 1
    if (slashes % 2 === 0) return end + 1
  }
  return text.length
}

/** The strings and the numbers of JSON text, in their order. */
const tokensOf = (text: string): ReadonlyArray<{ readonly at: number; readonly end: number }> => {
  const tokens: Array<{ readonly at: number; readonly end: number }> = []
  for (let at = 0; at < text.length; ) {
    NUMBER.lastIndex = at
    const isString = text.charAt(at) === '"'
    const number = isString ? undefined : NUMBER.exec(text)?.[0].length
    const end = isString ? stringEnd(text, at) : at + (number ?? 1)
    if (isString || number !== undefined) tokens.push({ at, end })
    at = end
  }
  return tokens
}

const COLON = /\s*:/y

const isBeforeColon = (text: string, at: number): boolean => {
  COLON.lastIndex = at
  return COLON.test(text)
}

/** Text with a letter before each value that is a string or a number to be kept: `s` or `n`. Keys stay. */
const tagged = (text: string, tokens: ReturnType<typeof tokensOf>): string => {
  let done = 0
  const pieces: Array<string> = []
  for (const { at, end } of tokens) {
    const token = text.slice(at, end)
    const isString = token.startsWith('"')
    const isKey = isString && isBeforeColon(text, end)
    if (isKey || (!isString && isExact(token))) continue
    pieces.push(text.slice(done, at), isString ? `"s${token.slice(1)}` : `"n${token}"`)
    done = end
  }
  return [...pieces, text.slice(done)].join("")
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
  if (plain === undefined || isTooLarge(plain)) return undefined
  const tokens = tokensOf(text)
  if (tokens.every(({ at, end }) => text.charAt(at) === '"' || isExact(text.slice(at, end)))) return plain
  return parse(tagged(text, tokens), (_, value) => {
    if (typeof value !== "string") return value
    return value.startsWith("n") ? new ExactNumber(value.slice(1)) : value.slice(1)
  })
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
 * Tells whether `writeExact` can write a value as what it is, without writing its exact numbers, and could if it stood
 * that many levels deeper.
 *
 * @category json
 * @since 0.1.0
 */
export const isWritable = (value: unknown, deeper = 0): boolean => {
  try {
    if (isTooLarge(value, deeper)) return false
    return !holdsOther(value) && JSON.stringify(value) !== undefined
  } catch {
    return false
  }
}

/** A value as `JSON.stringify` writes it, but for the digits of exact numbers. */
const written = (value: unknown, key: string): string | undefined => {
  if (value instanceof ExactNumber) return value.digits
  if (typeof value !== "object" || value === null) return JSON.stringify(value)
  if ("toJSON" in value && typeof value.toJSON === "function") return written(value.toJSON(key), key)
  if (Array.isArray(value))
    return `[${Array.from(value, (item, i) => written(item, String(i)) ?? "null").join(",")}]`
  const fields = Object.entries(value).flatMap(([name, item]) => {
    const text = written(item, name)
    return text === undefined ? [] : [`${JSON.stringify(name)}:${text}`]
  })
  return `{${fields.join(",")}}`
}

/**
 * Writes a JSON value as text, without blanks; `ExactNumber` with its digits. Undefined for what JSON cannot hold: a
 * cycle, a bigint, a function, more than 500 levels, objects that stand in so many places that a million values are added.
 *
 * @category json
 * @since 0.1.0
 */
export const writeExact = (value: unknown): string | undefined => {
  try {
    if (isTooLarge(value)) return undefined
    if (!holdsExact(value)) return JSON.stringify(value)
    return written(value, "")
  } catch {
    return undefined
  }
}
