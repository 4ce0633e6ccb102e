/**
 * The rules of LangChain's messages: what the converters of its integrations, and the providers behind them, refuse or
 * silently lose.
 *
 * @since 0.1.0
 */
import type { Rule } from "../format/Rule.ts"
import { ELEMENT_RULES } from "./Element.ts"
import { SEQUENCE } from "./Sequence.ts"
import { type LangChainRequest, viewOf } from "./Wire.ts"

const ofMessages = ({ id, faults }: (typeof ELEMENT_RULES)[number]): Rule<LangChainRequest> => ({
  id,
  check: ({ messages }) =>
    messages.flatMap((message, i) => {
      const view = viewOf(message)
      return view === null ? [] : faults(view).map((detail) => ({ path: `messages[${i}]`, detail }))
    }),
})

/** The rules, in their order. That no instruction to remove a message is among them (LC5) is part of the shape. */
export const RULES: ReadonlyArray<Rule<LangChainRequest>> = [...ELEMENT_RULES.map(ofMessages), ...SEQUENCE]
