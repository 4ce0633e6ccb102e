/**
 * Makes a request of the Messages API valid whose calls and results fit each other already.
 *
 * Passes are made until one changes nothing. Each takes something away or puts it in its one lawful form, and what
 * is taken away may bring out the next fault: a message that holds nothing any more, a turn that now ends in thinking.
 *
 * @since 0.1.0
 */
import { type RepairStep, unchanged, untilUnchanged } from "../format/RepairSteps.ts"
import { withFewBreakpoints } from "./Cache.ts"
import { type Finder, withoutFaults } from "./Fault.ts"
import { isThinkingOn } from "./Kinds.ts"
import type { Limits } from "./Limits.ts"
import { arranged } from "./PolishTurns.ts"
import { findersFor } from "./Rules.ts"
import { withSystemText } from "./System.ts"
import { begun, unfilled, whole } from "./Thinking.ts"
import { withTools } from "./Tools.ts"
import { viewOf } from "./Turns.ts"
import type { AnthropicMessage, AnthropicRequest } from "./Wire.ts"

type Step = RepairStep<AnthropicRequest>

/** What a user says so that a response which cannot be gone on with is followed by an answer. */
const GO_ON: AnthropicMessage = { role: "user", content: "(go on)" }

/** AN10: with thinking on, the user has the last word. */
const withLastWord: Step = (request) => {
  if (!isThinkingOn(request) || unfilled.check(viewOf(request)).length === 0) return unchanged(request)
  const { messages } = request
  return {
    request: { ...request, messages: [...messages, GO_ON] },
    repairs: [{ rule: "AN10", path: `messages[${messages.length}]`, detail: "added a user message" }],
  }
}

/** AN12: a loop of tools that began without thinking goes on without it. */
const withLawfulLoop: Step = (request) =>
  !isThinkingOn(request) || begun.check(viewOf(request)).length === 0
    ? unchanged(request)
    : {
        request: { ...request, thinking: { type: "disabled" } },
        repairs: [{ rule: "AN12", path: "thinking", detail: "turned thinking off for this request" }],
      }

const withoutFaultsOf =
  (finders: ReadonlyArray<Finder>): Step =>
  (request) => {
    const view = viewOf(request)
    return withoutFaults(
      request,
      finders.flatMap((find) => find(view)),
    )
  }

/** Makes the function that repairs requests within limits. */
export const polishFor = (limits: Limits): Step =>
  untilUnchanged([
    withoutFaultsOf(findersFor(limits)),
    (request) => arranged(request, limits),
    withSystemText,
    withLastWord,
    withLawfulLoop,
    (request) => withFewBreakpoints(request, limits),
    withTools,
  ])

/** Leaves out thinking that would have to be changed before it can be sent. */
export const unaltered: Step = withoutFaultsOf([whole])
