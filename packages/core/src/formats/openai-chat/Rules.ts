/**
 * The rules of Chat Completions, checked on a request before it is sent, and their repairs.
 *
 * @since 0.1.0
 */
import { type RepairStep, untilUnchanged } from "../format/RepairSteps.ts"
import type { Rule, WireRepair } from "../format/Rule.ts"
import { forConverse, takenByConverse } from "./Bedrock.ts"
import type { Dialect } from "./Dialect.ts"
import { instructionsFirst, withFirstInstructions } from "./Instructions.ts"
import { answered, asked, eachMessage, ids } from "./Pairs.ts"
import { resultIsText, withTextResults } from "./Results.ts"
import { type Fix, fixesOf } from "./Says.ts"
import { thought, withReasoning } from "./Thinking.ts"
import { inOrder, ordered } from "./Turns.ts"
import type { OpenAiChatRequest, OpenAiMessage } from "./Wire.ts"

type Step = RepairStep<OpenAiChatRequest>

const isOrdered = ({ name }: Dialect): boolean =>
  name === "mistral" || name === "strict" || name === "bedrock"

/** The rules of a dialect; `OC10`, that strings hold whole characters, is every format's. */
export const rulesOf = (dialect: Dialect): ReadonlyArray<Rule<OpenAiChatRequest>> => [
  answered,
  asked,
  ...fixesOf(dialect).map(({ rule, find }) => eachMessage(rule, find)),
  resultIsText(dialect),
  ...(dialect.reasoning === "wanted" ? [thought] : []),
  instructionsFirst(dialect),
  ...ids(dialect),
  ...(isOrdered(dialect) ? [ordered(dialect)] : []),
  ...(dialect.name === "bedrock" ? [takenByConverse] : []),
]

/** Messages with the faults of single ones repaired, one kind after the other. */
const fixed =
  (fixes: ReadonlyArray<Fix>): Step =>
  (request) => {
    const repairs: Array<WireRepair> = []
    const fix = (message: OpenAiMessage, i: number): ReadonlyArray<OpenAiMessage> => {
      let now: ReadonlyArray<OpenAiMessage> = [message]
      for (const { rule, find, instead } of fixes)
        now = now.flatMap((one) => {
          const found = find(one)
          if (found.length === 0) return [one]
          const next = instead(one)
          const done = next.length === 0 ? "left out" : "changed"
          repairs.push({ rule, path: `messages[${i}]`, detail: `${done}: ${found.join(", ")}` })
          return next
        })
      return now
    }
    const messages = request.messages.flatMap(fix)
    return { request: repairs.length === 0 ? request : { ...request, messages }, repairs }
  }

/** Makes the function that repairs requests of a dialect whose calls and results fit each other already. */
export const polishOf = (dialect: Dialect): Step =>
  untilUnchanged([
    fixed(fixesOf(dialect)),
    withTextResults(dialect),
    withFirstInstructions(dialect),
    ...(isOrdered(dialect) ? [inOrder(dialect)] : []),
    ...(dialect.reasoning === "wanted" ? [withReasoning] : []),
    ...(dialect.name === "bedrock" ? [forConverse] : []),
  ])
