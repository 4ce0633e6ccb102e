/**
 * Tools of a request whose history holds calls: AN23.
 *
 * Bedrock refuses blocks of tools in a request without tools. A request that names no model is not yet one that is
 * sent: its tools are not known here, and are not missed.
 *
 * @since 0.1.0
 */
import type { Repaired } from "../format/Format.ts"
import type { Rule } from "../format/Rule.ts"
import { type View, viewOf } from "./Turns.ts"
import type { AnthropicRequest } from "./Wire.ts"

const hasTools = ({ tools }: AnthropicRequest): boolean => Array.isArray(tools) && tools.length > 0

/** Names of the tools that the history calls, in their order. */
const calledNames = ({ blocks }: View): ReadonlyArray<string> => {
  const calls = blocks.filter(({ block }) => block.type === "tool_use")
  return [...new Set(calls.flatMap(({ block }) => (typeof block.name === "string" ? [block.name] : [])))]
}

/** Whether a request is one that is sent, and without tools. */
const isWithout = (request: AnthropicRequest): boolean =>
  typeof request.model === "string" && !hasTools(request)

/** AN23: a history of calls comes with tools. */
export const declared: Rule<View> = {
  id: "AN23",
  check: (view) =>
    isWithout(view.request) && calledNames(view).length > 0
      ? [{ path: "tools", detail: "no tools, and calls in the history" }]
      : [],
}

/** A name in the alphabet of names of tools. */
const legalName = (name: string): string => name.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 64) || "tool"

/** A request with the tools of its history, which the model is told not to call. */
export const withTools = (request: AnthropicRequest): Repaired<AnthropicRequest> => {
  const names = isWithout(request) ? [...new Set(calledNames(viewOf(request)).map(legalName))] : []
  if (names.length === 0) return { request, repairs: [] }
  const tools = names.map((name) => ({
    name,
    description: "Called earlier; cannot be called now.",
    input_schema: { type: "object" },
  }))
  return {
    request: { ...request, tools, tool_choice: { type: "none" } },
    repairs: [{ rule: "AN23", path: "tools", detail: "added the tools that the history calls" }],
  }
}
