/**
 * Calls and their results: AN3, AN4, AN5 and AN6.
 *
 * What these rules ask for is made by mending a conversation before its request is polished; only blocks on the wrong
 * side are left to be taken out.
 *
 * @since 0.1.0
 */
import { isLegalId } from "../format/Ids.ts"
import type { Rule, Violation } from "../format/Rule.ts"
import type { Fault, Finder } from "./Fault.ts"
import { isServerCall, isServerResult, isThinking, textBlock } from "./Kinds.ts"
import type { Placed, Turn, View } from "./Turns.ts"
import { CALL_IDS } from "./Wire.ts"

type Found = Omit<Violation, "rule">

const callsIn = (turn: Turn | undefined): ReadonlyArray<Placed> =>
  turn?.role === "assistant" ? turn.placed.filter(({ block }) => block.type === "tool_use") : []

const resultsIn = (turn: Turn | undefined): ReadonlyArray<Placed> =>
  turn?.role === "user" ? turn.placed.filter(({ block }) => block.type === "tool_result") : []

/** AN3: each call has one result in the next turn. */
export const answered: Rule<View> = {
  id: "AN3",
  check: (view) => {
    const { turns } = view
    const unanswered = turns.flatMap((turn, i) => {
      const results = resultsIn(turns[i + 1]).map(({ block }) => block.tool_use_id)
      return callsIn(turn).flatMap(({ path, block }): ReadonlyArray<Found> => {
        const count = results.filter((id) => id === block.id).length
        return count === 1 ? [] : [{ path, detail: `${count} results in the next message` }]
      })
    })
    return [...unanswered, ...misplacedAs("AN3", view)]
  },
}

/** AN4: the results of a turn come before what else the user says. */
export const resultsFirst: Rule<View> = {
  id: "AN4",
  check: ({ turns }) =>
    turns.flatMap((turn) => {
      const other = turn.placed.findIndex(({ block }) => block.type !== "tool_result")
      const late = other < 0 || turn.role !== "user" ? [] : turn.placed.slice(other)
      return late
        .filter(({ block }) => block.type === "tool_result")
        .map(({ path }) => ({ path, detail: "a result after something else in the message" }))
    }),
}

/** AN5: each result has its call in the turn before. */
export const called: Rule<View> = {
  id: "AN5",
  check: (view) => {
    const { turns } = view
    const orphans = turns.flatMap((turn, i) => {
      const calls = new Set(callsIn(turns[i - 1]).map(({ block }) => block.id))
      return resultsIn(turn)
        .filter(({ block }) => !calls.has(block.tool_use_id))
        .map(({ path }) => ({ path, detail: "no call of it in the message before" }))
    })
    return [...orphans, ...misplacedAs("AN5", view)]
  },
}

/** AN6: ids are of the alphabet, and none stands twice. */
export const ids: Rule<View> = {
  id: "AN6",
  check: ({ turns }) => {
    const seen = new Set<unknown>()
    return turns.flatMap(callsIn).flatMap(({ path, block: { id } }): ReadonlyArray<Found> => {
      const isTwice = seen.has(id)
      seen.add(id)
      if (isTwice) return [{ path, detail: "the id of another call" }]
      return typeof id === "string" && isLegalId(id, CALL_IDS)
        ? []
        : [{ path, detail: "an id that is not of letters, digits, dashes and underscores" }]
    })
  },
}

/** The rule that keeps a block off a side, or null where it may stand. */
const misplacement = ({ block }: Placed, { role }: Turn): string | null => {
  if (role === "assistant") return block.type === "tool_result" ? "AN5" : null
  if (block.type === "tool_use") return "AN3"
  if (isThinking(block)) return "AN15"
  if (isServerCall(block) || isServerResult(block)) return "AN18"
  return block.type === "compaction" ? "AN22" : null
}

/** Blocks on the wrong side. What a compaction says is kept as text. */
export const misplaced: Finder = ({ turns }) =>
  turns.flatMap((turn) =>
    turn.placed.flatMap((placed): ReadonlyArray<Fault> => {
      const rule = misplacement(placed, turn)
      if (rule === null) return []
      const { content, type } = placed.block
      const instead = type === "compaction" && typeof content === "string" ? [textBlock(content)] : []
      return [{ rule, path: placed.path, detail: `a block that a ${turn.role} cannot send`, instead }]
    }),
  )

const misplacedAs = (id: string, view: View): ReadonlyArray<Found> =>
  misplaced(view)
    .filter(({ rule }) => rule === id)
    .map(({ path, detail }) => ({ path, detail }))
