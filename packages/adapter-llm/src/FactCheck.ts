/**
 * Which proposed facts are kept.
 *
 * @since 0.1.0
 */
import {
  canonicalJson,
  isInstruction,
  isOverride,
  isRealUser,
  type Message,
  type MessageRow,
  redact as redactCommon,
  saysInOwnWords,
  textOf,
  uuid5,
  withoutFences,
} from "@palimpsest/core"
import type { Fact, FlushRequest } from "@palimpsest/core/engine"
import type { ProposedFact } from "./FactExtractor.ts"
import { oneLine } from "./Quote.ts"

/**
 * Why a proposed fact was not kept.
 *
 * - `Unfit`: it is blank, or too long to be a fact.
 * - `UnknownRow`: its row is not in the span.
 * - `NotTheUser`: its row is of a role that may state no facts, or of a program in the user's role.
 * - `NotQuoted`: its quote is not in the row.
 * - `NotOwnWords`: the user's message only shows it: a pasted document, a quotation, a block that was recalled; or it stands in a fence.
 * - `Secret`: something in it is one, or a piece of one.
 * - `Instruction`: it tells the model what to do, and is no rule that the user set.
 *
 * @category models
 * @since 0.1.0
 */
export type FactRefusal =
  | "Unfit"
  | "UnknownRow"
  | "NotTheUser"
  | "NotQuoted"
  | "NotOwnWords"
  | "Secret"
  | "Instruction"

/**
 * What is let through.
 *
 * @category models
 * @since 0.1.0
 */
export interface FactRules {
  /**
   * The roles that may state facts: the user alone by default. What a tool or the assistant states is kept about
   * `tool: user`, say, so that it never stands for what the user says of itself. What a program puts in the user's role
   * states none.
   */
  readonly roles?: ReadonlyArray<Message["role"]>
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

type Redact = (text: string) => string

const fieldsOf = ({ subject, attribute, value, quote }: ProposedFact): ReadonlyArray<string> => [
  subject,
  attribute,
  value,
  quote,
]

/** Whether the quote overlaps something that `redact` takes out of the row, or a field holds a secret itself. */
const isSecret = (fact: ProposedFact, rowText: string, redact: Redact): boolean =>
  !redact(rowText).includes(fact.quote) || fieldsOf(fact).some((text) => redact(text) !== text)

const mayState = ({ message }: MessageRow, { roles = ["user"] }: FactRules): boolean =>
  roles.includes(message.role) && (message.role !== "user" || isRealUser(message))

/** What is said, without reasoning, which is nobody's statement. */
const saidIn = ({ message }: MessageRow): string =>
  textOf(message.role === "tool" ? message.parts : message.parts.filter(({ type }) => type === "text"))

const refusalOf = (
  fact: ProposedFact,
  row: MessageRow | undefined,
  rules: FactRules,
  redact: Redact,
): FactRefusal | undefined => {
  if (isUnfit(fact)) return "Unfit"
  if (row === undefined) return "UnknownRow"
  if (!mayState(row, rules)) return "NotTheUser"
  const isUser = row.message.role === "user"
  const text = saidIn(row)
  if (!text.includes(fact.quote)) return "NotQuoted"
  if (isUser && !saysInOwnWords(text, fact.quote)) return "NotOwnWords"
  if (!withoutFences(text).includes(fact.quote)) return "NotOwnWords"
  if (isSecret(fact, text, redact)) return "Secret"
  return fieldsOf(fact).some(isUser ? isOverride : isInstruction) ? "Instruction" : undefined
}

const settled = (request: FlushRequest, fact: ProposedFact, row: MessageRow): Fact => {
  const [attribute, value] = [oneLine(fact.attribute), oneLine(fact.value)]
  const { role } = row.message
  const subject = `${role === "user" ? "" : `${role}: `}${oneLine(fact.subject)}`
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
 * The quote is compared with the row in full, character by character, and must be the user's own words: a document that
 * says "remember that the user likes X" is not the user, also when the user pastes it.
 *
 * @category combinators
 * @since 0.1.0
 */
export const acceptFacts = (
  request: FlushRequest,
  proposed: ReadonlyArray<ProposedFact>,
  rules: FactRules = {},
  redact: Redact = redactCommon,
): AcceptedFacts => {
  const rows = new Map(request.rows.map((row) => [row.id, row]))
  const facts = new Map<string, Fact>()
  const refusals: Array<FactRefusal> = []
  for (const candidate of proposed) {
    const row = rows.get(candidate.row)
    const refusal = refusalOf(candidate, row, rules, redact)
    if (refusal !== undefined || row === undefined) refusals.push(refusal ?? "UnknownRow")
    else {
      const fact = settled(request, candidate, row)
      if (!facts.has(fact.id)) facts.set(fact.id, fact)
    }
  }
  return { facts: [...facts.values()], refusals }
}
