import type { Message, MessageRow } from "@palimpsest/core"
import {
  assistant,
  countMessage,
  defaultAccounting,
  estimateCounter,
  toolResult,
  user,
} from "@palimpsest/core"

const WORDS =
  'the order was shipped on time, but its "label" names another street than the one in src/lib/address.ts; café 42\n'.split(
    " ",
  )

/** Some text of about as many characters, another one for each number. */
const textOf = (characters: number, number: number): string => {
  let text = `#${number}`
  for (let i = number; text.length < characters; i += 7) text += ` ${WORDS[i % WORDS.length]}`
  return text
}

/** A turn of four rows: a question, a call, its result, an answer; 6,000 characters in all. */
const turn = (n: number): ReadonlyArray<Message> => [
  user(textOf(400, n)),
  assistant(textOf(200, n), [
    { id: `call-${n}`, name: "read_file", arguments: JSON.stringify({ path: textOf(60, n), from: n }) },
  ]),
  toolResult(`call-${n}`, textOf(4000, n), { name: "read_file" }),
  assistant(textOf(1200, n)),
]

/** The first messages of a long chat, 1,500 characters each on average. */
export const conversation = (rows: number): ReadonlyArray<Message> =>
  Array.from({ length: Math.ceil(rows / 4) }, (_, n) => turn(n))
    .flat()
    .slice(0, rows)

/** Messages as rows that `estimateCounter` counted. */
export const rowsOf = (messages: ReadonlyArray<Message>, prefix: string): ReadonlyArray<MessageRow> =>
  messages.map((message, i) => ({
    kind: "message",
    id: `${prefix}${i + 1}`,
    position: i + 1,
    message,
    tokens: countMessage(message, estimateCounter, defaultAccounting),
    tokenizer: estimateCounter.name,
  }))
