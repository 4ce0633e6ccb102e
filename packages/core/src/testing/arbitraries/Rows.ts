/**
 * Random rows: threads as a store would hand them out.
 *
 * @since 0.1.0
 */
import type fc from "fast-check"
import { defaultAccounting } from "../../count/Accounting.ts"
import { countMessage } from "../../count/Count.ts"
import type { TokenCounter } from "../../count/TokenCounter.ts"
import type { Message } from "../../thread/Message.ts"
import type { MessageRow } from "../../thread/Row.ts"
import { arbitraryThread, type ThreadOptions } from "./Messages.ts"

/**
 * Counts four UTF-16 units as one token: cheap, and the same everywhere.
 *
 * @category testing
 * @since 0.1.0
 */
export const testCounter: TokenCounter = {
  name: "test/quarter",
  count: (text) => Math.ceil(text.length / 4),
}

/**
 * Makes rows of messages: ids `m1`, `m2`, ... at positions 1, 2, ..., counted by `testCounter`.
 *
 * @category testing
 * @since 0.1.0
 */
export const rowsOf = (messages: ReadonlyArray<Message>): ReadonlyArray<MessageRow> =>
  messages.map((message, i) => ({
    kind: "message",
    id: `m${i + 1}`,
    position: i + 1,
    message,
    tokens: countMessage(message, testCounter, defaultAccounting),
    tokenizer: testCounter.name,
  }))

/**
 * Makes the rows of valid threads.
 *
 * @category arbitraries
 * @since 0.1.0
 */
export const arbitraryRows = (options: ThreadOptions = {}): fc.Arbitrary<ReadonlyArray<MessageRow>> =>
  arbitraryThread(options).map(rowsOf)
