/**
 * Random texts of the kinds that break memories: fences, halves of surrogate pairs, joined emoji, long runs.
 *
 * @since 0.1.0
 */
import fc from "fast-check"
import { type FenceName, fenceNames, renderFence } from "../../text/Fence.ts"

const BRICKS = [
  "a",
  "word ",
  " ",
  "\t",
  "\n",
  "\r\n",
  "\r",
  "\0",
  "\\",
  "<",
  "/",
  "7",
  "é",
  "e\u0301",
  "漢字",
  "🚀",
  "👨‍👩‍👧",
  "🇺🇦🇺🇦",
  "\ufffd",
  "\ud83d",
  "\ude80",
  "<|endoftext|>",
]
const TAGS = fenceNames.flatMap((name) => [
  `<${name}>`,
  `</${name}>`,
  `<\\${name}>`,
  `<\\/${name.toUpperCase()}>`,
  `</${name.toUpperCase()}>`,
  `\uff1c/${name}\uff1e`,
])

const brick = fc.constantFrom(...BRICKS)
const joined = (parts: fc.Arbitrary<string>, maxLength: number): fc.Arbitrary<string> =>
  fc.array(parts, { maxLength }).map((all) => all.join(""))

/**
 * Makes the name of a fence.
 *
 * @category testing
 * @since 0.1.0
 */
export const arbitraryFenceName: fc.Arbitrary<FenceName> = fc.constantFrom(...fenceNames)

const ragged = joined(fc.oneof({ weight: 4, arbitrary: brick }, fc.constantFrom(...TAGS), fc.string()), 24)

/**
 * Makes any text: plain and binary, whole and half characters, tags of fences, and fences around such texts.
 *
 * @category testing
 * @since 0.1.0
 */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: ragged },
  fc.string({ unit: "binary" }),
  fc
    .tuple(arbitraryFenceName, ragged, ragged)
    .map(([name, note, payload]) => renderFence(name, note, payload)),
)

/**
 * Makes a text with unbroken runs around the length from which they are counted in slices.
 *
 * @category testing
 * @since 0.1.0
 */
export const longRuns: fc.Arbitrary<string> = joined(
  fc.tuple(brick, fc.constantFrom(1, 2, 128, 255, 256, 257, 600)).map(([run, times]) => run.repeat(times)),
  6,
)

const spaces = fc.constantFrom("", "", "", " ", "\t", " ".repeat(8), " ".repeat(9))
const lineEnd = fc.constantFrom("\n", "\n", "\n", "\r\n", "\r", "")
const tagLine = fc.tuple(spaces, fc.constantFrom(...TAGS), spaces, lineEnd).map((parts) => parts.join(""))
const opener = arbitraryFenceName.map((name) => `<${name}>\n`)
const block = fc
  .tuple(arbitraryFenceName, joined(brick, 3))
  .map(([name, payload]) => `${renderFence(name, "note", payload)}\n`)
const line = fc.oneof(
  { weight: 3, arbitrary: tagLine },
  opener,
  block,
  fc.tuple(joined(brick, 3), lineEnd).map((parts) => parts.join("")),
  fc.constantFrom("An inline `<memory-context>` mention.\n", "<memory-context> and more\n", "<memory-con\n"),
)

/**
 * Makes a model's output of lines, many of them tags of fences, or nearly.
 *
 * @category testing
 * @since 0.1.0
 */
export const fencedLines: fc.Arbitrary<string> = joined(line, 12)

/**
 * Cuts a text into chunks, empty ones and halves of surrogate pairs included.
 *
 * @category testing
 * @since 0.1.0
 */
export const chunksOf = (text: string): fc.Arbitrary<ReadonlyArray<string>> =>
  fc.array(fc.nat({ max: text.length }), { maxLength: 12 }).map((cuts) => {
    const ends = [...cuts, text.length].sort((a, b) => a - b)
    return ends.map((end, i) => text.slice(ends[i - 1] ?? 0, end))
  })
