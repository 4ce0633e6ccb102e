/**
 * Clients that say again what they said: what of it the thread has already, behind its cut as well.
 *
 * @since 0.1.0
 */
import { messageId } from "../thread/Id.ts"
import type { ThreadKey } from "../thread/Row.ts"
import type { Thread } from "../thread/Thread.ts"
import { find, type Input, lastOf } from "./StepState.ts"

/**
 * Finds the ids of the first inputs when they are the whole thread, told again without ids of the host. A derived id
 * is of all that stands before it: when one of them is the newest of the thread, so is everything up to it.
 *
 * @category getters
 * @since 0.1.0
 */
export const toldAgain = (
  key: ThreadKey,
  thread: Thread,
  inputs: ReadonlyArray<Input>,
): ReadonlyArray<string> => {
  const newest = lastOf(thread).id
  if (newest === "" || inputs.some((input) => input.id !== undefined)) return []
  const ids: Array<string> = []
  for (const { message } of inputs) {
    ids.push(messageId(key, ids.at(-1) ?? "", message))
    if (ids.at(-1) === newest) return ids
  }
  return []
}

/**
 * Finds the first id of the host that the window does not know, where a cut may cover it: only the store knows whether
 * it is new. What follows a new one is new.
 *
 * @category getters
 * @since 0.1.0
 */
export const unknownId = (thread: Thread, inputs: ReadonlyArray<Input>): string | null =>
  thread.cut === null
    ? null
    : (inputs.flatMap(({ id }) => id ?? []).find((id) => find(thread, id) === undefined) ?? null)
