/** The chat that is played. Users' messages have ids of the host's; those of the others are derived. */
import { assistant, type Message, type ThreadKey, toolResult, user } from "@palimpsest/core"
import type { Input } from "@palimpsest/core/engine"

/** A model call with what was said since the one before, or a "start over". Each is one step of one process. */
export type Turn =
  | { readonly _tag: "Say"; readonly input: ReadonlyArray<Input>; readonly response: Message }
  | { readonly _tag: "StartOver" }

export const KEY: ThreadKey = { tenant: "crash", chat: "one" }

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
const exchange = (first: number, sizes: ReadonlyArray<number>): ReadonlyArray<Turn> =>
  [0, ...sizes].map((size, i): Turn => {
    const turn = first + i
    return {
      _tag: "Say",
      input: i === 0 ? [ask(turn)] : resultsOf(turn - 1, size),
      response: i < sizes.length ? assistant("", callsOf(turn)) : assistant(`Answer ${turn}: ${words(10)}.`),
    }
  })

const startOver: Turn = { _tag: "StartOver" }

/** The window outgrows its budget again and again, the user starts over, and it goes on. */
export const LONG: ReadonlyArray<Turn> = [
  ...exchange(0, [80, 20, 20]),
  ...exchange(4, [60, 20, 20]),
  startOver,
  ...exchange(9, [40, 40, 40]),
  ...exchange(13, []),
]

/** The same in short, for a database that is slower. */
export const SHORT: ReadonlyArray<Turn> = [
  ...exchange(0, [80, 20]),
  ...exchange(3, [60, 60]),
  startOver,
  ...exchange(7, []),
]

/** Messages of the first so many turns. */
export const messagesUntil = (turns: ReadonlyArray<Turn>, turn: number): number =>
  turns.slice(0, turn).reduce((sum, one) => sum + (one._tag === "Say" ? one.input.length + 1 : 0), 0)
