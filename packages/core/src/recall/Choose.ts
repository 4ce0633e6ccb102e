/**
 * What of all that was found is shown, in the words in which it is shown.
 *
 * @since 0.1.0
 */
import type { Recalled } from "../prompt/Recall.ts"
import { oneLine } from "../summary/ItemText.ts"
import { rowAddress } from "../thread/Address.ts"
import { dayOf } from "./Day.ts"
import type { MemoryDocument } from "./Document.ts"
import { termsOf } from "./Terms.ts"

/**
 * A fact, as far as it is shown.
 *
 * @category models
 * @since 0.1.0
 */
export interface ShownFact {
  readonly id: string
  readonly chat: string
  readonly row: string
  readonly subject: string
  readonly attribute: string
  readonly value: string
  readonly quote: string
  readonly at: number
}

/**
 * What there is to choose from.
 *
 * @category models
 * @since 0.1.0
 */
export interface Choice {
  /** The chat of the step: its rows are named without it. */
  readonly chat: string
  readonly query: string
  /** Ids of the rows of this chat that are sent anyway. */
  readonly visible: ReadonlySet<string>
  /** Best first. */
  readonly found: ReadonlyArray<MemoryDocument>
  /** Facts that hold, latest first. */
  readonly facts: ReadonlyArray<ShownFact>
  /** Facts said in rows that were found that no longer hold. */
  readonly superseded: ReadonlyArray<ShownFact>
}

/** Most facts that are shown: those that the query names come first. */
const MOST_FACTS = 8

/** The address by which the model asks for the whole row. */
const originOf = (here: string, chat: string, row: string): string => {
  if (row === "") return "told by the host"
  return rowAddress(row, chat === here ? null : chat)
}

const dated = (at: number): { readonly date?: string } => {
  const day = at === 0 ? null : dayOf(at)
  return day === null ? {} : { date: day }
}

const shares = (a: ReadonlySet<string>, b: ReadonlyArray<string>): number =>
  new Set(b.filter((term) => a.has(term))).size

/** Facts that share a word with the query, those that share most first; of equal ones the latest. */
const factsFor = ({ facts, query, chat, visible }: Choice): ReadonlyArray<Recalled> => {
  const asked = new Set(termsOf(query))
  return facts
    .filter((fact) => fact.chat !== chat || !visible.has(fact.row))
    .map((fact) => ({
      fact,
      shared: shares(asked, termsOf(`${fact.subject} ${fact.attribute} ${fact.value}`)),
    }))
    .filter(({ shared }) => shared > 0)
    .sort((a, b) => b.shared - a.shared || b.fact.at - a.fact.at)
    .slice(0, MOST_FACTS)
    .map(({ fact }) => ({
      id: fact.id,
      text: `${fact.subject}: ${fact.attribute}: ${fact.value}`,
      origin: originOf(chat, fact.chat, fact.row),
      ...dated(fact.at),
    }))
}

/** What stands for words that no longer hold. */
const OUTDATED = "[…]"

/** A text without what no longer holds; empty when nothing else is said. */
const withoutOutdated = (document: MemoryDocument, superseded: ReadonlyArray<ShownFact>): string => {
  const quotes = superseded
    .filter(({ chat, row, quote }) => chat === document.chat && row === document.row && quote !== "")
    .map(({ quote }) => quote)
  const text = quotes.reduce((sofar, quote) => sofar.split(quote).join(OUTDATED), document.text)
  return text !== document.text && termsOf(text.split(OUTDATED).join(" ")).length === 0 ? "" : text
}

/**
 * Chooses the memories of a step: facts that hold and that the query names, then what was said, best first. Nothing that
 * is visible, nothing that a tool gave, and nothing that a later fact took the place of.
 *
 * @category combinators
 * @since 0.1.0
 */
export const chooseMemories = (choice: Choice): ReadonlyArray<Recalled> => {
  const { chat, visible, found, superseded } = choice
  const said = found
    .filter((one) => one.role !== "tool" && (one.chat !== chat || !visible.has(one.row)))
    .map((one) => ({ one, text: oneLine(withoutOutdated(one, superseded)) }))
    .filter(({ text }) => text !== "")
    .map(({ one, text }) => ({
      id: `${one.chat}/${one.row}/${one.piece}`,
      text,
      origin: originOf(chat, one.chat, one.row),
      ...dated(one.at),
    }))
  return [...factsFor(choice), ...said]
}
