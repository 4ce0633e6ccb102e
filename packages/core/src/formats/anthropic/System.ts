/**
 * The system prompt of a request: AN8 holds for its blocks too.
 *
 * @since 0.1.0
 */
import type { Repaired } from "../format/Format.ts"
import type { Rule } from "../format/Rule.ts"
import { isBlankText } from "./Kinds.ts"
import { placedInSystem } from "./Turns.ts"
import type { AnthropicRequest } from "./Wire.ts"

/** AN8: no block of the system prompt is blank. */
export const systemBlanks: Rule<AnthropicRequest> = {
  id: "AN8",
  check: (request) =>
    placedInSystem(request)
      .filter(({ block }) => isBlankText(block))
      .map(({ path }) => ({ path, detail: "a blank text in the system prompt" })),
}

/** A request whose system prompt holds no blank block; without a system prompt when nothing is left of it. */
export const withSystemText = (request: AnthropicRequest): Repaired<AnthropicRequest> => {
  const faults = systemBlanks.check(request)
  if (faults.length === 0) return { request, repairs: [] }
  const blank = new Set(faults.map(({ path }) => path))
  const { system, ...others } = request
  const left = Array.isArray(system) ? system.filter((_, i) => !blank.has(`system[${i}]`)) : []
  return {
    request: left.length === 0 ? others : { ...request, system: left },
    repairs: faults.map(({ path }) => ({ rule: "AN8", path, detail: "left out a blank text" })),
  }
}
