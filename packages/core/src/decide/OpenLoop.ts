/**
 * Whether the model is in the middle of a tool loop whose reasoning is signed.
 *
 * Some providers bind a signature to all that stands before it: a pass inside such a loop would cost the reasoning
 * that the loop goes on from. See `ReasoningRule` of a target.
 *
 * @since 0.1.0
 */

import type { Group } from "../thread/Group.ts"
import { isRealUser, type Message } from "../thread/Message.ts"

const isSigned = ({ role, parts }: Message): boolean =>
  role === "assistant" && parts.some((part) => part.type === "reasoning" && part.signature !== undefined)

/** Calls of the newest response have results, or wait for them: the model speaks next. */
const isOpen = (newest: Group | undefined): boolean =>
  newest?.kind === "response" && (newest.entries.length > 1 || newest.closing !== null)

/**
 * Tells whether a tool loop goes on that holds signed reasoning since the user last spoke.
 *
 * @category guards
 * @since 0.1.0
 */
export const isSignedLoopOpen = (groups: ReadonlyArray<Group>): boolean => {
  if (!isOpen(groups.at(-1))) return false
  const turn = groups.findLastIndex(({ entries }) => entries.some(({ row }) => isRealUser(row.message)))
  return groups.slice(turn + 1).some(({ entries }) => entries.some(({ row }) => isSigned(row.message)))
}
