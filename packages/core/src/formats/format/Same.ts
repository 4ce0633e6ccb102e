/**
 * Whether messages say the same.
 *
 * @since 0.1.0
 */
import type { Message } from "../../thread/Message.ts"

/** Whether two lists of messages say the same. */
export const sameMessages = (a: ReadonlyArray<Message>, b: ReadonlyArray<Message>): boolean =>
  a.length === b.length && a.every((message, i) => sameMessage(message, b[i]))

/** Whether two values are the same; a stored one may have its keys in another order. */
const sameMessage = (a: unknown, b: unknown): boolean => {
  if (a === b) return true
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const [left, right] = [Object.entries(a), Object.entries(b)].map((all) =>
    all.filter(([, v]) => v !== undefined),
  )
  if (left === undefined || right === undefined || left.length !== right.length) return false
  const others = new Map(right)
  return left.every(([key, value]) => others.has(key) && sameMessage(value, others.get(key)))
}
