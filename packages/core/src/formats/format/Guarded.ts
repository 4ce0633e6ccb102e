/**
 * Values that fail when they are looked at: getters and proxies that throw.
 *
 * @since 0.1.0
 */
import type { Format } from "./Format.ts"

const UNREAD = "it holds a getter or a proxy that fails when it is read"

const PLAIN: ReadonlyArray<unknown> = [Object.prototype, Array.prototype, null]

const isPlainObject = (value: object): boolean =>
  PLAIN.includes(Object.getPrototypeOf(value)) &&
  Object.values(Object.getOwnPropertyDescriptors(value)).every((own) => "value" in own)

/** Whether a value is data and nothing else: looking at it runs no code. */
const isPlain = (value: unknown): boolean => {
  const seen = new Set<unknown>()
  const open: Array<unknown> = [value]
  try {
    for (let each = open.pop(); each !== undefined || open.length > 0; each = open.pop()) {
      if (typeof each !== "object" || each === null || seen.has(each)) continue
      if (!isPlainObject(each)) return false
      seen.add(each)
      for (const one of Object.values(each)) open.push(one)
    }
    return true
  } catch {
    return false
  }
}

/** Plain data fails only by a fault of the format: that is not hidden, but shows again. */
const attempt = <A>(input: unknown, act: (input: unknown) => A, instead: () => A): A => {
  try {
    return act(input)
  } catch {
    return isPlain(input) ? act(input) : instead()
  }
}

/** A format for which what cannot be looked at is a value of another shape, and no exception. */
export const guarded = <Request>(format: Format<Request>): Format<Request> => ({
  ...format,
  decode: (input) => attempt(input, format.decode, () => ({ ok: false, path: "", reason: UNREAD })),
  validate: (input) => attempt(input, format.validate, () => [{ rule: "shape", path: "", detail: UNREAD }]),
  repair: (input) =>
    attempt(input, format.repair, () => ({
      request: format.repair([]).request,
      repairs: [{ rule: "shape", path: "", detail: `left out all of it: ${UNREAD}` }],
    })),
})
