/**
 * What there is to compare in a text: words, groups of letters in them, and pairs of characters where words are not
 * set apart.
 *
 * @since 0.1.0
 */

/** A feature by its hash of 32 bits, and what it counts. */
export interface Feature {
  readonly hash: number
  readonly weight: number
}

const UNSPACED =
  "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}"

/** Runs of one sort: of characters of such a script, or else of letters, marks and digits. */
const RUNS = new RegExp(`([${UNSPACED}]+)|(?:(?![${UNSPACED}])[\\p{L}\\p{N}\\p{M}])+`, "gu")

/** Accents of Latin, Greek and Cyrillic; the marks of other scripts are letters to them. */
const ACCENTS = /[\u0300-\u036f]/g

/** One spelling of a text: without case, width, ligatures and accents. No rule of any language. */
const folded = (text: string): string =>
  text.normalize("NFKD").replace(ACCENTS, "").toLowerCase().normalize("NFKC")

/** Letters of a group within a word; the edges of the word count as letters. */
const SHORTEST = 3
const LONGEST = 5
const GROUP_WEIGHT = 0.5
const SINGLE_WEIGHT = 0.3

/** Short words are mostly those that every text has. */
const FULL_LENGTH = 5

const START = 0x3c
const END = 0x3e

/** What keeps a word, a group and a pair of the same letters apart. */
const WORD = 0x9e3779b9
const GROUP = 0x85ebca6b
const PAIR = 0xc2b2ae35

/** One step of FNV-1a over code points. */
const step = (hash: number, point: number): number => Math.imul(hash ^ point, 0x01000193)

/** Mixes the bits until each depends on all: the last steps of MurmurHash3. */
const mixed = (hash: number): number => {
  const a = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  const b = Math.imul(a ^ (a >>> 13), 0xc2b2ae35)
  return (b ^ (b >>> 16)) >>> 0
}

const pointsOf = (text: string): ReadonlyArray<number> => Array.from(text, (char) => char.codePointAt(0) ?? 0)

const hashOf = (points: ReadonlyArray<number>, from: number, to: number, seed: number): number => {
  let hash = seed
  for (let i = from; i < to; i++) hash = step(hash, points[i] ?? 0)
  return mixed(hash)
}

function* wordFeatures(word: string): Generator<Feature> {
  const letters = pointsOf(word)
  const weight = Math.min(1, letters.length / FULL_LENGTH)
  yield { hash: hashOf(letters, 0, letters.length, WORD), weight }
  const points = [START, ...letters, END]
  for (let from = 0; from + SHORTEST <= points.length; from++)
    for (let size = SHORTEST; size <= LONGEST && from + size <= points.length; size++)
      yield { hash: hashOf(points, from, from + size, GROUP), weight: weight * GROUP_WEIGHT }
}

function* runFeatures(run: string): Generator<Feature> {
  const points = pointsOf(run)
  for (let at = 0; at < points.length; at++) {
    yield { hash: hashOf(points, at, at + 1, PAIR), weight: SINGLE_WEIGHT }
    if (at + 1 < points.length) yield { hash: hashOf(points, at, at + 2, PAIR), weight: 1 }
  }
}

/** Lists the features of a text, each as often as it occurs. */
export function* featuresOf(text: string): Generator<Feature> {
  for (const [run, unspaced] of folded(text).matchAll(RUNS))
    yield* unspaced === undefined ? wordFeatures(run) : runFeatures(run)
}
