/** The chat that is played. Users' messages have ids of the host's; those of the others are derived. */
import { assistant, type Message, type ThreadKey, toolResult, user } from "@palimpsest/core"
import type { Input } from "@palimpsest/core/engine"

/** A model call with what was said since the one before, or something that a person does. Each is one step of one process. */
export type Turn =
  | {
      readonly _tag: "Say"
      readonly input: ReadonlyArray<Input>
      readonly response: Message
      /** The summariser gives what cannot be used. */
      readonly rejects?: boolean
    }
  | { readonly _tag: "StartOver" }
  | { readonly _tag: "Compact"; readonly focus: string }
  | { readonly _tag: "Rewind"; readonly to: string }
  | { readonly _tag: "Edit"; readonly id: string; readonly message: Message }
  /** Goes on in a fork of the chat. */
  | { readonly _tag: "Fork"; readonly chat: string }
  | { readonly _tag: "Remove"; readonly chat: string }

export const TENANT = "crash"
const FIRST = "one"

export const OPTIONS = {
  budget: { window: 2_000, reserve: 100, margin: 0 },
  system: "Be exact.",
  policy: { result: { fraction: 1, tokens: 16_000 }, minGain: 0.1, tailGroups: 1 },
}

const words = (n: number): string => Array.from({ length: n }, (_, i) => `word${i}`).join(" ")

const ask = (turn: number): Input => ({
  id: `u${turn}`,
  message: user(`Question ${turn}? Never forget rule ${turn}.`),
})

const callsOf = (turn: number) =>
  ["a", "b"].map((name) => ({ id: `${turn}${name}`, name: "look", arguments: `{"at":"${turn}${name}"}` }))

const resultsOf = (turn: number, size: number): ReadonlyArray<Input> =>
  callsOf(turn).map((call) => ({ message: toolResult(call.id, `Seen at ${call.id}: ${words(size)}`) }))

/** A question, a round of two parallel calls for each of the sizes of their results in words, and an answer. */
const exchange = (first: number, sizes: ReadonlyArray<number>, rejects = false): ReadonlyArray<Turn> =>
  [0, ...sizes].map((size, i): Turn => {
    const turn = first + i
    return {
      _tag: "Say",
      input: i === 0 ? [ask(turn)] : resultsOf(turn - 1, size),
      response: i < sizes.length ? assistant("", callsOf(turn)) : assistant(`Answer ${turn}: ${words(10)}.`),
      ...(rejects ? { rejects } : {}),
    }
  })

const startOver: Turn = { _tag: "StartOver" }

/** What a person does at the end: goes back, changes a word, goes on elsewhere, throws the first away. */
const people: ReadonlyArray<Turn> = [
  { _tag: "Rewind", to: "u90" },
  { _tag: "Say", input: [], response: assistant("Another answer.") },
  { _tag: "Edit", id: "u90", message: user("Question 90, in other words? Never forget rule 90.") },
  ...exchange(91, []),
  { _tag: "Fork", chat: "two" },
  ...exchange(92, []),
  { _tag: "Remove", chat: FIRST },
  ...exchange(93, []),
]

/**
 * The window outgrows its budget again and again, once with a summariser of no use; the user starts over, and it goes
 * on; somebody compacts by hand; then people change the thread.
 */
export const LONG: ReadonlyArray<Turn> = [
  ...exchange(0, [80, 20, 20]),
  ...exchange(4, [60, 20, 20]),
  startOver,
  ...exchange(9, [40, 40, 40]),
  ...exchange(20, [60, 60, 30], true),
  ...exchange(30, [40, 20]),
  { _tag: "Compact", focus: "the rules" },
  ...exchange(90, [20]),
  ...people,
]

/** The same in short. */
export const SHORT: ReadonlyArray<Turn> = [
  ...exchange(0, [80, 20]),
  ...exchange(3, [60, 60]),
  startOver,
  ...exchange(10, [80, 60], true),
  { _tag: "Compact", focus: "the rules" },
  ...exchange(90, []),
  ...people,
]

/** The chat that a turn is taken in: the newest fork. */
export const keyAt = (turns: ReadonlyArray<Turn>, turn: number): ThreadKey => {
  const fork = turns.slice(0, turn).findLast((one) => one._tag === "Fork")
  return { tenant: TENANT, chat: fork?._tag === "Fork" ? fork.chat : FIRST }
}

/** Every chat that there ever is. */
export const keysOf = (turns: ReadonlyArray<Turn>): ReadonlyArray<ThreadKey> => [
  { tenant: TENANT, chat: FIRST },
  ...turns.flatMap((one) => (one._tag === "Fork" ? [{ tenant: TENANT, chat: one.chat }] : [])),
]

/** Messages that are shown after the first so many turns. */
export const messagesUntil = (turns: ReadonlyArray<Turn>, turn: number): number => {
  const shown: Array<string> = []
  for (const one of turns.slice(0, turn)) {
    if (one._tag === "Say") shown.push(...one.input.map(({ id }) => id ?? ""), "")
    if (one._tag === "Rewind") shown.splice(shown.indexOf(one.to) + 1)
  }
  return shown.length
}
