/** What a worker says: a pure function of the name of a turn, so that who checks knows each byte of it. */
import { assistant, toolResult, user } from "@palimpsest/core"
import type { Input } from "@palimpsest/core/engine"

/** Rows that are stored whole or not at all. */
export interface Batch {
  readonly name: string
  readonly inputs: ReadonlyArray<Input & { readonly id: string }>
}

const words = (n: number, seed: number): string =>
  Array.from({ length: n }, (_, i) => `word${(seed * 31 + i * 7) % 997}`).join(" ")

const seedOf = (turn: string): number =>
  [...turn].reduce((sum, c) => (sum * 33 + c.charCodeAt(0)) % 100_003, 7)

/** A turn is an exchange in one piece, a question and its answer, or a tool loop in two pieces. */
export const batchesOf = (turn: string): ReadonlyArray<Batch> => {
  const seed = seedOf(turn)
  const id = (part: string) => `${turn}-${part}`
  const calls = ["a", "b"].map((name) => ({
    id: id(`call-${name}`),
    name: "look",
    arguments: `{"at":"${turn}${name}"}`,
  }))
  const question = { id: id("u"), message: user(`Turn ${turn} asks: ${words(5 + (seed % 20), seed)}?`) }
  const asks = { id: id("c"), message: assistant("", calls) }
  const results = calls.map((call, i) => ({
    id: id(`r${i}`),
    message: toolResult(call.id, `Seen by ${call.id}: ${words(10 + (seed % 60), seed + i)}`),
  }))
  const answer = { id: id("x"), message: assistant(`Turn ${turn} answers: ${words(5 + (seed % 15), seed)}.`) }
  const pieces =
    seed % 3 === 0
      ? [[question, asks, ...results, answer]]
      : seed % 3 === 1
        ? [[question], [answer]]
        : [
            [question, asks],
            [...results, answer],
          ]
  return pieces.map((inputs, i) => ({ name: `${turn}.${i}`, inputs }))
}

/** The batch of a name. */
export const batchOf = (name: string): Batch | undefined => {
  const turn = name.slice(0, name.lastIndexOf("."))
  return batchesOf(turn).find((batch) => batch.name === name)
}
