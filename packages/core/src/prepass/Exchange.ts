/**
 * Calls and their results, found in the rows of a window at any distance.
 *
 * @since 0.1.0
 */
import { type ToolCallPart, type ToolResultPart, textOf } from "../thread/Message.ts"
import { applyPatches } from "../thread/Patch.ts"
import type { MessageRow } from "../thread/Row.ts"
import { type StubInput, toolOf } from "./StubRule.ts"

/** A result in its row, with the call that it answers, its tool and its text. */
export interface Exchange extends StubInput {
  /** Index of the result in its message. */
  readonly part: number
  readonly tool: string
  /** An error after which the same tool has not yet succeeded. */
  readonly unfixed: boolean
  /** The content in which it is sent until now, its cap applied. */
  readonly sent: ToolResultPart["content"]
  /** Tokens of that, where its row holds nothing else; null where they are not known. */
  readonly tokens: number | null
}

/** The place of a part in a window. */
export const place = (row: string, part: number): string => `${part}:${row}`

/** What there is to know of the calls of a window. */
export interface Exchanges {
  /** Results in the order of the window. */
  readonly results: ReadonlyArray<Exchange>
  /** The result of each call that has one, by the call's place. */
  readonly byCall: ReadonlyMap<string, Exchange>
}

interface Found extends Omit<Exchange, "unfixed"> {
  readonly asked: string
}

/** Pairs each result with the nearest call before it that has its id. */
const pair = (rows: ReadonlyArray<MessageRow>): ReadonlyArray<Found> => {
  const calls = new Map<string, { readonly call: ToolCallPart; readonly asked: string }>()
  const found: Array<Found> = []
  const take = (row: MessageRow, result: ToolResultPart, part: number): void => {
    const { call, asked } = calls.get(result.call) ?? { call: null, asked: "" }
    const capped = applyPatches(row.message, row.cap ?? []).parts[part]
    found.push({
      row: row.id,
      call,
      asked,
      result,
      part,
      tool: toolOf({ call, result }),
      text: textOf(result.content),
      sent: capped?.type === "tool-result" ? capped.content : result.content,
      tokens: row.message.parts.length === 1 ? row.tokens : null,
    })
  }
  for (const row of rows) {
    for (const [i, part] of row.message.parts.entries()) {
      if (part.type === "tool-call") calls.set(part.id, { call: part, asked: place(row.id, i) })
      else if (part.type === "tool-result") take(row, part, i)
    }
  }
  return found
}

/** Marks the errors that no later success of the same tool has made old. */
const withUnfixed = <F extends Found>(found: ReadonlyArray<F>): ReadonlyArray<F & Exchange> => {
  const succeeded = new Set<string>()
  return found
    .toReversed()
    .map((each) => {
      const unfixed = each.result.status === "error" && !succeeded.has(each.tool)
      if (each.result.status === "ok") succeeded.add(each.tool)
      return { ...each, unfixed }
    })
    .reverse()
}

/** Finds the results of a window and their calls, at any distance. */
export const exchangesOf = (rows: ReadonlyArray<MessageRow>): Exchanges => {
  const results = withUnfixed(pair(rows))
  return { results, byCall: new Map(results.map((each) => [each.asked, each])) }
}
