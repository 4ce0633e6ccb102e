/**
 * Makes the messages of a conversation fit each other: each call answered once and at once, no result without a call.
 *
 * @since 0.1.0
 */
import { defaultAccounting } from "../../count/Accounting.ts"
import type { Counting } from "../../count/Count.ts"
import { groupsOf, type Repair } from "../../thread/Group.ts"
import type { Message } from "../../thread/Message.ts"
import type { Entry, Window } from "../../thread/Window.ts"
import type { Item } from "./Conversation.ts"

/** Nothing is counted here. */
const uncounted: Counting = {
  counter: { name: "none", count: () => 0 },
  accounting: defaultAccounting,
}

const entryOf = (message: Message, index: number): Entry => ({
  row: {
    kind: "message",
    id: String(index),
    position: index + 1,
    message,
    tokens: 0,
    tokenizer: uncounted.counter.name,
  },
  message,
  tokens: 0,
  fresh: 0,
  form: "verbatim",
  place: "live",
})

const windowOf = (messages: ReadonlyArray<Message>): Window => ({
  system: "",
  systemTokens: 0,
  cut: null,
  summaryTokens: 0,
  entries: messages.map(entryOf),
  recalls: [],
  prunes: [],
  failures: [],
})

/**
 * What `mend` gives.
 *
 * @category models
 * @since 0.1.0
 */
export interface Mended {
  readonly items: ReadonlyArray<Item>
  /** `row` is the index of the message, as text. */
  readonly repairs: ReadonlyArray<Repair>
}

/**
 * Mends a conversation by the same grouping that a window goes through: late results move to their calls, calls
 * without a result are closed, results without a call and second results are left out. Messages that are not
 * touched keep the form in which they came.
 *
 * @category combinators
 * @since 0.1.0
 */
export const mend = (items: ReadonlyArray<Item>): Mended => {
  const { groups, repairs } = groupsOf(windowOf(items.map(({ message }) => message)), uncounted)
  const itemOf = ({ row, message }: Entry): Item => {
    const item = items[Number(row.id)]
    return item !== undefined && item.message === message ? item : { message }
  }
  const mended = groups.flatMap(({ entries, closing }) => [
    ...entries.map(itemOf),
    ...(closing === null ? [] : [{ message: closing }]),
  ])
  return { items: mended, repairs }
}
