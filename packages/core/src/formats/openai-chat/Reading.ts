/**
 * Small total readers of untrusted JSON, whose faults name the path.
 *
 * @since 0.1.0
 */

/** A value that cannot be read: where it is, and why. */
export interface Unreadable {
  readonly ok: false
  /** Such as `[3].tool_calls[0].id`; empty for the whole value. */
  readonly path: string
  readonly reason: string
}

/** What a reader gives. */
export type Reading<A> = { readonly ok: true; readonly value: A } | Unreadable

export const read = <A>(value: A): Reading<A> => ({ ok: true, value })

export const unreadable = (path: string, reason: string): Unreadable => ({ ok: false, path, reason })

/** A JSON object. */
export type Fields = { readonly [key: string]: unknown }

export const isFields = (json: unknown): json is Fields =>
  typeof json === "object" && json !== null && !Array.isArray(json)

/** Parses a text to an object; undefined when it is none. */
export const parseFields = (text: string): Fields | undefined => {
  try {
    const json: unknown = JSON.parse(text)
    return isFields(json) ? json : undefined
  } catch {
    return undefined
  }
}

/** What a JSON value is, for a person. */
export const kindOf = (json: unknown): string =>
  json === undefined
    ? "nothing"
    : json === null
      ? "null"
      : Array.isArray(json)
        ? "a list"
        : typeof json === "object"
          ? "an object"
          : `a ${typeof json}`

const expected = (what: string, json: unknown, path: string): Unreadable =>
  unreadable(path, `expected ${what}, found ${kindOf(json)}`)

export const readText = (json: unknown, path: string): Reading<string> =>
  typeof json === "string" ? read(json) : expected("a string", json, path)

export const readFields = (json: unknown, path: string): Reading<Fields> =>
  isFields(json) ? read(json) : expected("an object", json, path)

/** Reads each item of a list, and stops at the first that cannot be read. */
export const readList = <A>(
  json: unknown,
  path: string,
  readItem: (item: unknown, path: string) => Reading<A>,
): Reading<ReadonlyArray<A>> => {
  if (!Array.isArray(json)) return expected("a list", json, path)
  const values: Array<A> = []
  for (const [i, item] of json.entries()) {
    const reading = readItem(item, `${path}[${i}]`)
    if (!reading.ok) return reading
    values.push(reading.value)
  }
  return read(values)
}

/** Goes on with what was read. */
export const andThen = <A, B>(reading: Reading<A>, next: (value: A) => Reading<B>): Reading<B> =>
  reading.ok ? next(reading.value) : reading

export const mapRead = <A, B>(reading: Reading<A>, change: (value: A) => B): Reading<B> =>
  reading.ok ? read(change(reading.value)) : reading
