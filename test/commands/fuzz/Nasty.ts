/** Values that have broken readers of data: of JSON, and of programs that hand over what JSON cannot hold. */
import { ExactNumber } from "@palimpsest/core/formats"
import type { Rng } from "./Rng.ts"

const cycle = (): unknown => {
  const own: Record<string, unknown> = { type: "text", text: "round" }
  own.self = own
  return own
}

/** Values of all types. */
export const NASTY: readonly [unknown, ...ReadonlyArray<unknown>] = [
  null,
  undefined,
  true,
  0,
  -0,
  1e308,
  -1e-308,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  2 ** 53,
  new ExactNumber("9007199254740993"),
  new ExactNumber("1.0"),
  new ExactNumber("1e400"),
  [],
  {},
  [[]],
  [null],
  { type: "text" },
  { type: "text", text: null },
  { role: "user" },
  JSON.parse('{"__proto__":{"polluted":true}}'),
  JSON.parse('{"constructor":{"prototype":{"polluted":true}}}'),
  10n,
  Symbol("s"),
  () => "called",
  new Date(0),
  new Map([["a", 1]]),
  new Uint8Array([1, 2, 3]),
  new URL("https://example.org/a.png"),
  Object.create(null),
  {
    toJSON: () => {
      throw new Error("toJSON")
    },
  },
  { toJSON: () => undefined },
  cycle(),
]

const STRINGS = [
  "",
  " ",
  "\n",
  "\ud800",
  "\udc00a",
  "a\ud800",
  "\u0000",
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  "null",
  "[]",
  "{}",
  "{",
  "1e400",
  "9007199254740993",
  '{"__proto__":{"polluted":true}}',
  '{"$arguments":"x"}',
  "data:",
  "data:image/png;base64,",
  "data:;base64,aGVs",
  "https://example.org/a.png",
  "user",
  "assistant",
  "model",
  "system",
  "tool",
  "developer",
  "human",
  "ai",
  "remove",
  "text",
  "image",
  "tool_use",
  "tool_result",
  "thinking",
  "redacted_thinking",
  "c1",
  "a b|c",
  '"exact:1"',
  "exact:1.0",
  "(no output)",
  "(blank)",
] as const

const LONG = ["a", "\\", '"', "漢", "\ud800", "{", "[", " ", "\n", "0"] as const

/** A string that somebody's code tripped over; now and then a very long one. */
export const nastyString = (rng: Rng): string =>
  rng.chance(0.04) ? rng.pick(LONG).repeat(1 + rng.int(300_000)) : rng.pick(STRINGS)
