/**
 * Which proposed facts are kept.
 *
 * @since 0.1.0
 */
import {
  canonicalJson,
  isRealUser,
  type MessageRow,
  redact,
  textOf,
  uuid5,
  withoutFences,
} from "@palimpsest/core"
import type { Fact, FlushRequest } from "@palimpsest/core/engine"
import type { ProposedFact } from "./FactExtractor.ts"
import { oneLine } from "./Quote.ts"

/**
 * Why a proposed fact was not kept: its row is not in the span, its row is not the user's own words, its quote is
 * not in the row or only in a fence of this library, something in it is a secret, or it is blank or too long.
 *
 * @category models
 * @since 0.1.0
 */
export type FactRefusal = "UnknownRow" | "NotTheUser" | "NotQuoted" | "Secret" | "Unfit"

/**
 * What is let through.
 *
 * @category models
 * @since 0.1.0
 */
export interface FactRules {
  /** Also facts out of answers, tool results and text that a program put in the user's role; false by default. */
  readonly fromAnyone?: boolean
}

/**
 * The facts that hold, and the reasons of those that do not.
 *
 * @category models
 * @since 0.1.0
 */
export interface AcceptedFacts {
  readonly facts: ReadonlyArray<Fact>
  readonly refusals: ReadonlyArray<FactRefusal>
}

/** Longest subject or attribute, and longest value or quote, in characters. */
const LONGEST_NAME = 120
const LONGEST_TEXT = 1_000

const unfit = (text: string, longest: number): boolean => text.trim() === "" || text.length > longest

const isUnfit = (fact: ProposedFact): boolean =>
  unfit(fact.subject, LONGEST_NAME) ||
  unfit(fact.attribute, LONGEST_NAME) ||
  unfit(fact.value, LONGEST_TEXT) ||
  unfit(fact.quote, LONGEST_TEXT)

/** Whether the quote overlaps something that `redact` takes out of the row, or a field holds a secret itself. */
const isSecret = (fact: ProposedFact, rowText: string): boolean =>
  !redact(rowText).includes(fact.quote) ||
  [fact.subject, fact.attribute, fact.value, fact.quote].some((text) => redact(text) !== text)

const refusalOf = (
  fact: ProposedFact,
  row: MessageRow | undefined,
  rules: FactRules,
): FactRefusal | undefined => {
  if (isUnfit(fact)) return "Unfit"
  if (row === undefined) return "UnknownRow"
  if (rules.fromAnyone !== true && !isRealUser(row.message)) return "NotTheUser"
  const whole = textOf(row.message.parts)
  const text = withoutFences(whole)
  if (!whole.includes(fact.quote) || !text.includes(fact.quote)) return "NotQuoted"
  return isSecret(fact, text) ? "Secret" : undefined
}

const settled = (request: FlushRequest, fact: ProposedFact, row: MessageRow): Fact => {
  const [subject, attribute, value] = [fact.subject, fact.attribute, fact.value].map(oneLine) as [
    string,
    string,
    string,
  ]
  const { tenant, chat } = request.key
  const id = uuid5(canonicalJson(["fact", tenant, chat, row.id, subject, attribute, value]))
  const { owner } = request
  const { position, at = 0 } = row
  return { id, owner, chat, subject, attribute, value, quote: fact.quote, row: row.id, position, at }
}

/**
 * Keeps of the proposed facts those that the rows bear out, each once, with its id.
 *
 * **Gotchas**
 *
 * The quote is compared with the row in full, and the row must be the user's own words: a document that says
 * "remember that the user likes X" is not the user.
 *
 * @category combinators
 * @since 0.1.0
 */
export const acceptFacts = (
  request: FlushRequest,
  proposed: ReadonlyArray<ProposedFact>,
  rules: FactRules = {},
): AcceptedFacts => {
  const rows = new Map(request.rows.map((row) => [row.id, row]))
  const facts = new Map<string, Fact>()
  const refusals: Array<FactRefusal> = []
  for (const candidate of proposed) {
    const row = rows.get(candidate.row)
    const refusal = refusalOf(candidate, row, rules)
    if (refusal !== undefined || row === undefined) refusals.push(refusal ?? "UnknownRow")
    else {
      const fact = settled(request, candidate, row)
      if (!facts.has(fact.id)) facts.set(fact.id, fact)
    }
  }
  return { facts: [...facts.values()], refusals }
}
