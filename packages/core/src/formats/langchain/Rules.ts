/**
 * The rules of LangChain's messages: what the converters of its integrations, and the providers behind them, refuse or
 * silently lose.
 *
 * @since 0.1.0
 */
import type { Rule } from "../format/Rule.ts"
import { elementFaults } from "./Element.ts"
import { SEQUENCE } from "./Sequence.ts"
import { type LangChainRequest, viewOf } from "./Wire.ts"

const ofMessages = (id: string): Rule<LangChainRequest> => ({
  id,
  check: ({ messages }) =>
    messages.flatMap((message, i) => {
      const view = viewOf(message)
      const faults = view === null ? [] : elementFaults(view)
      return faults
        .filter(({ rule }) => rule === id)
        .map(({ detail }) => ({ path: `messages[${i}]`, detail }))
    }),
})

/** The rules, in their order. That no instruction to remove a message is among them (LC5) is part of the shape. */
export const RULES: ReadonlyArray<Rule<LangChainRequest>> = [
  ...["LC1", "LC2", "LC7", "LC8"].map(ofMessages),
  ...SEQUENCE,
]
