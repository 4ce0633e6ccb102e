/**
 * The rules of Anthropic's Messages API, checked on a request before it is sent.
 *
 * AN13, AN16, AN17 and AN24 are of histories, not of requests: no request shows them.
 *
 * @since 0.1.0
 */
import { type Rule, runRules, type Violation } from "../format/Rule.ts"
import { blanks, compactions, errors, inputs } from "./Blocks.ts"
import { breakpoints } from "./Cache.ts"
import { type Finder, ruleOf } from "./Fault.ts"
import { images } from "./Images.ts"
import type { Limits } from "./Limits.ts"
import { countable, filled, roles, userFirst } from "./Messages.ts"
import { answered, called, ids, misplaced, resultsFirst } from "./Pairs.ts"
import { together } from "./Servers.ts"
import { systemBlanks } from "./System.ts"
import { begun, ending, signed, trimmed, unfilled, unmarked, unthought, whole } from "./Thinking.ts"
import { declared } from "./Tools.ts"
import { type View, viewOf } from "./Turns.ts"
import type { AnthropicRequest } from "./Wire.ts"

/** Finders of faults of single blocks: what they find is both refused and repaired by them. */
export const findersFor = (limits: Limits): ReadonlyArray<Finder> => [
  images(limits),
  inputs,
  compactions,
  errors,
  together,
  unthought,
  trimmed,
  unmarked,
  ending,
  whole,
  signed,
  blanks,
  misplaced,
]

const rulesFor = (limits: Limits): ReadonlyArray<Rule<View>> => [
  userFirst,
  roles,
  answered,
  resultsFirst,
  called,
  ids,
  ruleOf("AN7", inputs),
  ruleOf("AN8", blanks),
  systemBlanks,
  filled,
  ruleOf("AN10", trimmed, unthought),
  unfilled,
  ruleOf("AN11", whole),
  begun,
  ruleOf("AN14", signed),
  ruleOf("AN15", ending, unmarked, misplaced),
  ruleOf("AN18", together, misplaced),
  breakpoints(limits),
  ruleOf("AN20", images(limits)),
  countable(limits),
  ruleOf("AN22", compactions, misplaced),
  declared,
  ruleOf("AN25", errors),
]

/** Makes the function that runs the rules, in their order, over a request. */
export const checkFor = (limits: Limits): ((request: AnthropicRequest) => ReadonlyArray<Violation>) => {
  const rules = rulesFor(limits)
  return (request) => runRules(rules, viewOf(request))
}
