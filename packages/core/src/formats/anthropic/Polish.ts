/**
 * Makes a request of the Messages API valid whose calls and results fit each other already.
 *
 * Passes are made until one changes nothing. Each takes something away or puts it in its one lawful form, and what
 * is taken away may bring out the next fault: a message that holds nothing any more, a turn that now ends in thinking.
 *
 * @since 0.1.0
 */
import type { Repaired } from "../format/Format.ts"
import type { WireRepair } from "../format/Rule.ts"
import { withFewBreakpoints } from "./Cache.ts"
import { type Finder, withoutFaults } from "./Fault.ts"
import type { Limits } from "./Limits.ts"
import { arranged } from "./PolishTurns.ts"
import { findersFor } from "./Rules.ts"
import { withSystemText } from "./System.ts"
import { begun, unfilled, whole } from "./Thinking.ts"
import { withTools } from "./Tools.ts"
import type { AnthropicMessage, AnthropicRequest } from "./Wire.ts"

type Step = (request: AnthropicRequest) => Repaired<AnthropicRequest>

const unchanged = (request: AnthropicRequest): Repaired<AnthropicRequest> => ({ request, repairs: [] })

/** What a user says so that a response which cannot be gone on with is followed by an answer. */
const GO_ON: AnthropicMessage = { role: "user", content: "(go on)" }

/** AN10: with thinking on, the user has the last word. */
const withLastWord: Step = (request) => {
  if (unfilled.check(request).length === 0) return unchanged(request)
  const { messages } = request
  return {
    request: { ...request, messages: [...messages, GO_ON] },
    repairs: [{ rule: "AN10", path: `messages[${messages.length}]`, detail: "added a user message" }],
  }
}

/** AN12: a loop of tools that began without thinking goes on without it. */
const withLawfulLoop: Step = (request) =>
  begun.check(request).length === 0
    ? unchanged(request)
    : {
        request: { ...request, thinking: { type: "disabled" } },
        repairs: [{ rule: "AN12", path: "thinking", detail: "turned thinking off for this request" }],
      }

const withoutFaultsOf =
  (finders: ReadonlyArray<Finder>): Step =>
  (request) =>
    withoutFaults(
      request,
      finders.flatMap((find) => find(request)),
    )

/** More passes than any request needs. */
const PASSES = 50

/** Makes the function that repairs requests within limits. */
export const polishFor = (limits: Limits): Step => {
  const steps: ReadonlyArray<Step> = [
    withoutFaultsOf(findersFor(limits)),
    (request) => arranged(request, limits),
    withSystemText,
    withLastWord,
    withLawfulLoop,
    (request) => withFewBreakpoints(request, limits),
    withTools,
  ]
  return (given) => {
    const repairs: Array<WireRepair> = []
    let request = given
    for (let pass = 0, before = -1; before < repairs.length && pass < PASSES; pass++) {
      before = repairs.length
      for (const step of steps) {
        const made = step(request)
        request = made.request
        repairs.push(...made.repairs)
      }
    }
    return { request, repairs }
  }
}

/** Leaves out thinking that would have to be changed before it can be sent. */
export const unaltered: Step = withoutFaultsOf([whole])
