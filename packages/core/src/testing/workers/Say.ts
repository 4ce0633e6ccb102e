/**
 * What workers say: groups of messages, each text of which is said once in a history.
 *
 * @since 0.1.0
 */
import type { Input } from "../../engine/StepState.ts"
import { assistant, type Message, toolResult, user } from "../../thread/Message.ts"
import type { Deed } from "./Script.ts"

const WORDS =
  "The order ord_4711 was shipped to Oslo. Never touch the prod database. src/thread/Row.ts exports rank. "

/** A text of about so many tokens of four units, which begins with a name of its own. */
const text = (name: string, size: number): string =>
  `${name}: ${WORDS.repeat(Math.ceil((size * 4) / WORDS.length))}`.slice(0, Math.max(12, size * 4))

const work = (name: string, calls: number, answered: number, size: number): ReadonlyArray<Message> => {
  const ids = Array.from({ length: calls }, (_, i) => `${name}c${i}`)
  const asked = ids.map((id) => ({ id, name: "look", arguments: `{"at":"${id}"}` }))
  return [
    assistant(calls === 0 ? text(`${name} answers`, size) : "", asked),
    ...ids.slice(0, answered).map((id) => toolResult(id, text(`${id} found`, size))),
  ]
}

const question = (name: string, size: number) => user(text(`${name} asks`, Math.ceil(size / 3)))

/**
 * The messages of a group that a worker says as its n-th.
 *
 * @category constructors
 * @since 0.1.0
 */
export const groupOf = (
  deed: Extract<Deed, { tag: "say" }>,
  worker: number,
  nth: number,
): ReadonlyArray<Input> => {
  const name = `w${worker}n${nth}`
  const messages = [
    ...(deed.what === "works" ? [] : [question(name, deed.size)]),
    ...(deed.what === "asks" ? [] : work(name, deed.calls, deed.answered, deed.size)),
  ]
  return messages.map((message, i) => (deed.isNamed ? { id: `${name}i${i}`, message } : { message }))
}

/**
 * The message that several workers bring.
 *
 * @category constructors
 * @since 0.1.0
 */
export const sharedOf = ({ name, content }: Extract<Deed, { tag: "shared" }>): Input => ({
  id: `shared${name}`,
  message: user(`shared ${name} in words ${content}`),
})

/**
 * What is there before the workers come.
 *
 * @category constructors
 * @since 0.1.0
 */
export const exchangesOf = (sizes: ReadonlyArray<number>): ReadonlyArray<Input> =>
  sizes.flatMap((size, i) =>
    [question(`b${i}`, size), ...work(`b${i}`, i % 3, i % 3, size)].map((message, k) => ({
      id: `b${i}i${k}`,
      message,
    })),
  )

/**
 * The content that the n-th edit of a worker gives to a message, or null for one that has calls.
 *
 * @category constructors
 * @since 0.1.0
 */
export const editedOf = (message: Message, worker: number, nth: number): Message | null => {
  const name = `w${worker}e${nth} edits`
  if (message.role === "user") return user(text(name, 8))
  if (message.role === "tool") {
    const [part] = message.parts
    return part?.type === "tool-result" ? toolResult(part.call, text(name, 20)) : null
  }
  return null
}
