/**
 * The system prompt of a request: AN8 holds for its blocks too.
 *
 * @since 0.1.0
 */
import type { Repaired } from "../format/Format.ts"
import type { Rule } from "../format/Rule.ts"
import { isBlankText } from "./Kinds.ts"
import { placedInSystem, type View } from "./Turns.ts"
import type { AnthropicRequest } from "./Wire.ts"

const blankPaths = (request: AnthropicRequest): ReadonlyArray<string> =>
  placedInSystem(request)
    .filter(({ block }) => isBlankText(block))
    .map(({ path }) => path)

/** AN8: no block of the system prompt is blank. */
export const systemBlanks: Rule<View> = {
  id: "AN8",
  check: ({ request }) =>
    blankPaths(request).map((path) => ({ path, detail: "a blank text in the system prompt" })),
}

/** A request whose system prompt holds no blank block; without a system prompt when nothing is left of it. */
export const withSystemText = (request: AnthropicRequest): Repaired<AnthropicRequest> => {
  const blank = new Set(blankPaths(request))
  if (blank.size === 0) return { request, repairs: [] }
  const { system, ...others } = request
  const left = Array.isArray(system) ? system.filter((_, i) => !blank.has(`system[${i}]`)) : []
  return {
    request: left.length === 0 ? others : { ...request, system: left },
    repairs: [...blank].map((path) => ({ rule: "AN8", path, detail: "left out a blank text" })),
  }
}
