/** Makes an input that fails smaller, as long as it fails in the same way. */
import { isFields } from "./Mutate.ts"

/** Ways to make a value smaller, the biggest steps first. */
const smaller = function* (value: unknown): Generator<unknown> {
  if (typeof value === "string") {
    if (value === "") return
    yield ""
    yield value.slice(0, value.length >> 1)
    yield value.slice(value.length >> 1)
    if (value.length < 40) for (let i = 0; i < value.length; i++) yield value.slice(0, i) + value.slice(i + 1)
    return
  }
  if (Array.isArray(value)) {
    for (let size = value.length; size >= 1; size >>= 1)
      for (let at = 0; at < value.length; at += size) yield value.toSpliced(at, size)
    for (let at = 0; at < value.length; at++)
      for (const each of smaller(value[at])) yield value.with(at, each)
    return
  }
  if (!isFields(value) || Object.getPrototypeOf(value) !== Object.prototype) return
  const entries = Object.entries(value)
  for (const [name] of entries) yield Object.fromEntries(entries.filter(([key]) => key !== name))
  for (const [name, each] of entries) {
    if (each !== null && typeof each === "object")
      yield Object.fromEntries(entries.map(([key, own]) => [key, key === name ? null : own]))
    for (const less of smaller(each))
      yield Object.fromEntries(entries.map(([key, own]) => [key, key === name ? less : own]))
  }
}

/** Makes an input smaller while `fails` holds; at most `tries` inputs are tried. */
export const minimise = (input: unknown, fails: (input: unknown) => boolean, tries = 4000): unknown => {
  let smallest = input
  let left = tries
  for (let isSmaller = true; isSmaller && left > 0; ) {
    isSmaller = false
    for (const next of smaller(smallest)) {
      left -= 1
      if (left <= 0) break
      if (!fails(next)) continue
      smallest = next
      isSmaller = true
      break
    }
  }
  return smallest
}
