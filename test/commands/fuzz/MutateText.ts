/** Mutations of the text of a file, blind to what it says. */
import { nastyString } from "./Nasty.ts"
import type { Rng } from "./Rng.ts"

type TextMutation = (text: string, rng: Rng) => string

const cut: TextMutation = (text, rng) => text.slice(0, rng.int(text.length + 1))

const flip: TextMutation = (text, rng) => {
  const at = rng.int(text.length + 1)
  const flipped = String.fromCharCode(text.charCodeAt(at) ^ (1 << rng.int(8)))
  return text === "" ? text : text.slice(0, at) + flipped + text.slice(at + 1)
}

const PIECES = [
  "9007199254740993123456789",
  "1e999",
  "-",
  "null",
  '"\\ud800"',
  "\u0000",
  "\ud83d",
  ",",
  "}",
  "]",
  '"',
  "\\",
  "\n",
  "\ufeff",
  '"__proto__":{"polluted":true},',
  "[".repeat(600),
  "[".repeat(50_000),
  '{"a":'.repeat(2000),
] as const

const insert: TextMutation = (text, rng) => {
  const at = rng.int(text.length + 1)
  return text.slice(0, at) + (rng.chance(0.8) ? rng.pick(PIECES) : nastyString(rng)) + text.slice(at)
}

const erase: TextMutation = (text, rng) => {
  const at = rng.int(text.length + 1)
  return text.slice(0, at) + text.slice(at + 1 + rng.int(rng.chance(0.8) ? 8 : text.length))
}

const double: TextMutation = (text, rng) => {
  const at = rng.int(text.length + 1)
  const piece = text.slice(at, at + 1 + rng.int(200))
  return text.slice(0, at) + piece.repeat(1 + rng.int(rng.chance(0.1) ? 500 : 3)) + text.slice(at)
}

const digits: TextMutation = (text, rng) =>
  text.replace(/\d+/g, (found) => (rng.chance(0.05) ? `${found}${found}.0e1` : found))

const lines: TextMutation = (text, rng) => {
  const all = text.split("\n")
  const at = rng.int(all.length)
  const kept = rng.chance(0.5) ? all.toSpliced(at, 1) : all.toSpliced(rng.int(all.length), 0, all[at] ?? "")
  return kept.join("\n")
}

const MUTATIONS: readonly [TextMutation, ...ReadonlyArray<TextMutation>] = [
  cut,
  flip,
  flip,
  insert,
  insert,
  erase,
  double,
  digits,
  lines,
]

/** Mutates a text once or a few times. */
export const mutateText = (text: string, rng: Rng): string => {
  let mutated = text
  for (let times = 1 + rng.int(3); times > 0; times--) mutated = rng.pick(MUTATIONS)(mutated, rng)
  return mutated
}
