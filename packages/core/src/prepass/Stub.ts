/**
 * The informative line that stands for an old tool result.
 *
 * @since 0.1.0
 */
import { wellFormed } from "../text/Unicode.ts"
import type { ToolResultPart } from "../thread/Message.ts"
import { argumentsOf } from "./Asked.ts"
import { exitCodeOf, idsOf, oneLine, shapeOf, sizeOf } from "./Facts.ts"
import { recallHint, type StubInput, type StubRegistry, type StubRule, stubName, toolOf } from "./StubRule.ts"

export { defaultStubs } from "./DefaultStubs.ts"
export type { StubInput, StubRegistry, StubRule } from "./StubRule.ts"

/** UTF-16 units of a whole line, and of what a rule says at least when the row's id is long. */
const LINE = 300
const LEAST = 80

const mediaOf = (result: ToolResultPart): string => {
  const names = result.content.flatMap((item) => (item.type === "media" ? [item.name ?? item.mediaType] : []))
  return names.length === 0 ? "" : `with ${oneLine(names.join(", "), 60)}`
}

/** What a result was, for any tool: its name, arguments, size, shape and ids. */
const general = ({ call, result, text }: StubInput): string => {
  const asked = [oneLine(toolOf({ call, result }), 60), argumentsOf(call)].filter((piece) => piece !== "")
  const came = [sizeOf(text), shapeOf(text), idsOf(text)].filter((piece) => piece !== "")
  return `${asked.join(" ")}: ${came.join(", ")}`
}

/** What a rule says; null when it fails, says nothing, or says more than a line and more than there was. */
const ruled = (rule: StubRule | undefined, input: StubInput): string | null => {
  try {
    const said: unknown = rule?.(input)
    const most = Math.max(LINE, input.text.length)
    return typeof said === "string" && said.trim() !== "" && said.length <= most ? said : null
  } catch {
    return null
  }
}

const outcome = ({ result, text }: StubInput): string => {
  const exit = exitCodeOf(text)
  return exit === "" ? result.status : `${result.status}, exit ${exit}`
}

/**
 * Renders a tool result as one line: what was asked, what came, its status, and how to recall it in full. The line
 * is a function of the row and the call alone, well formed, and of some 300 UTF-16 units at most.
 *
 * **Example** (A tool without a rule)
 *
 * ```ts
 * import { stub } from "@palimpsest/core"
 *
 * stub(
 *   {
 *     row: "m3",
 *     call: { type: "tool-call", id: "c1", name: "orders", arguments: '{"customer_id":17}' },
 *     result: { type: "tool-result", call: "c1", status: "ok", content: [] },
 *     text: '[{"id":4711,"total":20}]',
 *   },
 *   new Map(),
 * )
 * // => '[orders customer_id=17: 1 line, 24 characters, JSON array of 1, ids 4711; ok; recall("m3")]'
 * ```
 *
 * @category rendering
 * @since 0.1.0
 */
export const stub = (input: StubInput, rules: StubRegistry): string => {
  const tool = toolOf(input)
  const said = ruled(rules.get(tool) ?? rules.get(stubName(tool)), input) ?? general(input)
  const media = mediaOf(input.result)
  const end = `${media === "" ? "" : ` ${media}`}; ${outcome(input)}; ${recallHint(input.row)}]`
  return wellFormed(`[${oneLine(said, Math.max(LEAST, LINE - end.length - 1))}${end}`)
}
