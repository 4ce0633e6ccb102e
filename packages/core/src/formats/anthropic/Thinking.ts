/**
 * Thinking in a request: AN10, AN11, AN12, AN14 and AN15.
 *
 * A block of thinking is sent as it came or not at all; nothing here changes what it says.
 *
 * @since 0.1.0
 */
import type { Rule } from "../format/Rule.ts"
import { loneSurrogates } from "../format/WellFormed.ts"
import type { Fault, Finder } from "./Fault.ts"
import { isThinking, isThinkingOn, textBlock, thinkingMode } from "./Kinds.ts"
import type { Placed, Turn, View } from "./Turns.ts"
import type { AnthropicBlock } from "./Wire.ts"

const ofAssistant = ({ turns }: View): ReadonlyArray<Turn> => turns.filter(({ role }) => role === "assistant")

const thinkingIn = (turns: ReadonlyArray<Turn>): ReadonlyArray<Placed> =>
  turns.flatMap(({ placed }) => placed.filter(({ block }) => isThinking(block)))

/** What binds a block of thinking to its provider. */
const sealOf = (block: AnthropicBlock): unknown => (block.type === "thinking" ? block.signature : block.data)

/** AN14: thinking has its signature. */
export const signed: Finder = (view) =>
  thinkingIn(ofAssistant(view))
    .filter(({ block }) => typeof sealOf(block) !== "string" || sealOf(block) === "")
    .map(({ path }) => ({ rule: "AN14", path, detail: "thinking without a signature", instead: [] }))

/** AN11: thinking that holds half of a character cannot be sent as it came. */
export const whole: Finder = (view) =>
  thinkingIn(ofAssistant(view))
    .filter(({ block }) => loneSurrogates(block).length > 0)
    .map(({ path }) => ({ rule: "AN11", path, detail: "thinking with half of a character", instead: [] }))

/** AN15: no turn ends with thinking. */
export const ending: Finder = (view) =>
  ofAssistant(view).flatMap(({ placed }) => {
    const said = placed.findLastIndex(({ block }) => !isThinking(block))
    return placed
      .slice(said + 1)
      .map(({ path }) => ({ rule: "AN15", path, detail: "thinking at the end of a message", instead: [] }))
  })

/** AN15: thinking is no place for a cache breakpoint. */
export const unmarked: Finder = (view) =>
  thinkingIn(ofAssistant(view))
    .filter(({ block }) => "cache_control" in block)
    .map(({ path, block }) => {
      const { cache_control: _, ...others } = block
      return {
        rule: "AN15",
        path,
        detail: "a cache breakpoint on thinking",
        instead: [{ ...others, type: block.type }],
      }
    })

/** The turn that the model is to go on with, when the request ends in one. */
const prefillOf = ({ turns }: View): Turn | undefined => {
  const last = turns.at(-1)
  return last?.role === "assistant" ? last : undefined
}

/** AN10: a prefill ends without blanks. */
export const trimmed: Finder = (view) => {
  const last = prefillOf(view)?.placed.at(-1)
  const text = last?.block.type === "text" ? last.block.text : undefined
  if (last === undefined || typeof text !== "string" || text.trimEnd() === text) return []
  const block = { ...last.block, ...textBlock(text.trimEnd()) }
  return [{ rule: "AN10", path: last.path, detail: "blanks at the end of a prefill", instead: [block] }]
}

/**
 * AN10: with thinking turned off the last message cannot hold thinking. The API's message is "When thinking is
 * disabled, an `assistant` message in the final position cannot contain `thinking`" (tailcallhq/forgecode#1195).
 */
export const unthought: Finder = (view): ReadonlyArray<Fault> => {
  const last = thinkingMode(view.request) === "disabled" ? prefillOf(view) : undefined
  return thinkingIn(last === undefined ? [] : [last]).map(({ path }) => ({
    rule: "AN10",
    path,
    detail: "thinking in a prefill, with thinking turned off",
    instead: [],
  }))
}

/** Whether a request asks the model to go on with a text: a response that was paused ends in another block. */
const hasPrefill = (view: View): boolean => {
  const last = prefillOf(view)
  const type = last?.placed.at(-1)?.block.type
  return last !== undefined && (type === undefined || type === "text")
}

/** AN10: with thinking on, the model begins its answer itself. */
export const unfilled: Rule<View> = {
  id: "AN10",
  check: (view) =>
    isThinkingOn(view.request) && hasPrefill(view)
      ? [{ path: prefillOf(view)?.path ?? "messages", detail: "a prefill with thinking on" }]
      : [],
}

/**
 * AN12: with thinking of a fixed budget, the response whose calls were just answered begins with thinking. Adaptive
 * thinking has no such rule: there the model may call a tool without a thought before.
 */
export const begun: Rule<View> = {
  id: "AN12",
  check: ({ request, turns }) => {
    const [asking, answering] = turns.slice(-2)
    const isLoop =
      asking?.role === "assistant" && answering?.placed.some(({ block }) => block.type === "tool_result")
    const first = asking?.placed[0]
    return thinkingMode(request) === "enabled" && isLoop && first !== undefined && !isThinking(first.block)
      ? [{ path: first.path, detail: `expected thinking before the calls, and found ${first.block.type}` }]
      : []
  },
}
