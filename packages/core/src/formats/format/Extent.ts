/**
 * How deep and how large a value is as JSON, where one object may stand in many places.
 *
 * @since 0.1.0
 */

/** Levels of nesting that are read and written: far more than anyone sends, and far from the end of any stack. */
const DEEPEST = 500

/** Objects that are visited without a note of each: as many as nearly every request has. */
const FEW = 262_144

/** Values that shared objects may add when each of their places is written: bounds what a few kilobytes can cost. */
const SHARED = 2 ** 20

interface Extent {
  /** Levels of objects below this one. */
  readonly height: number
  /** Values that are written for it. */
  readonly values: number
}

const LEAF: Extent = { height: -1, values: 1 }
const ENDLESS: Extent = { height: Number.POSITIVE_INFINITY, values: Number.POSITIVE_INFINITY }

/** Visits each object once, however often it stands somewhere. */
const isLargeShared = (value: unknown, deepest: number): boolean => {
  const known = new Map<object, Extent>()
  let own = 1
  const extentOf = (each: unknown, depth: number): Extent => {
    if (typeof each !== "object" || each === null) return LEAF
    const found = known.get(each)
    if (found !== undefined) return found
    // What is met again inside itself has no end.
    known.set(each, ENDLESS)
    if (depth > deepest) return ENDLESS
    let [height, values] = [0, 1]
    for (const one of Object.values(each)) {
      own += 1
      const extent = extentOf(one, depth + 1)
      height = Math.max(height, extent.height + 1)
      values += extent.values
    }
    known.set(each, { height, values })
    return { height, values }
  }
  const { height, values } = extentOf(value, 0)
  return height > deepest || values > own + SHARED
}

/**
 * Whether a value would be nested deeper than 500 levels if it stood so many levels deeper, holds itself, or would be
 * written as a million values more than it has, since objects stand in many places of it.
 */
export const isTooLarge = (value: unknown, deeper = 0): boolean => {
  const deepest = DEEPEST - deeper
  let left = FEW
  const isDeep = (each: unknown, depth: number): boolean => {
    if (typeof each !== "object" || each === null) return false
    left -= 1
    return depth > deepest || left < 0 || Object.values(each).some((one) => isDeep(one, depth + 1))
  }
  return isDeep(value, 0) && (left >= 0 || isLargeShared(value, deepest))
}
