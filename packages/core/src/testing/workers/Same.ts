/**
 * Tells whether two values of plain data are the same.
 *
 * @since 0.1.0
 */

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

const keysOf = (value: Readonly<Record<string, unknown>>): ReadonlyArray<string> =>
  Object.keys(value).filter((key) => value[key] !== undefined)

/**
 * Compares plain data. The order of keys does not count; a field that is undefined is none.
 *
 * @category guards
 * @since 0.1.0
 */
export const same = (a: unknown, b: unknown): boolean => {
  if (Object.is(a, b)) return true
  if (!isObject(a) || !isObject(b) || Array.isArray(a) !== Array.isArray(b)) return false
  const keys = keysOf(a)
  return keys.length === keysOf(b).length && keys.every((key) => same(a[key], b[key]))
}
