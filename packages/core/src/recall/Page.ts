/**
 * Rows in pages: what the recall tool answers for ids, each page within its tokens.
 *
 * @since 0.1.0
 */
import { fitTokens } from "../text/Unicode.ts"
import { type AnswerRoom, enveloped, fits, noRoom, quoted } from "./Envelope.ts"

/**
 * A row to show.
 *
 * @category models
 * @since 0.1.0
 */
export interface ShownRow {
  /** Its address, by which it is asked for again. */
  readonly address: string
  /** Who said it, and when, such as `user, 2026-10-05`. */
  readonly origin: string
  /** Its full text, well formed: see `fullTextOf`. */
  readonly text: string
}

/**
 * What is asked of a page.
 *
 * @category models
 * @since 0.1.0
 */
export interface PageOptions extends AnswerRoom {
  /** Where in the text of each row to begin, in UTF-16 units. */
  readonly from: number
  /** Lines that say what is not there. */
  readonly notes: ReadonlyArray<string>
}

/** A row with the stretch of its text that is shown. */
interface Stretch {
  readonly row: ShownRow
  readonly from: number
  readonly to: number
}

const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff

/** The nearest place at or before `from` that parts no surrogate pair. */
const startIn = (text: string, from: number): number => {
  const at = Math.min(text.length, Math.max(0, from))
  return isLow(text.charCodeAt(at)) ? at - 1 : at
}

const sectionOf = ({ row, from, to }: Stretch): ReadonlyArray<string> => {
  const { address, origin, text } = row
  const head = `row ${quoted(address)}, ${origin}, characters ${from} to ${to} of ${text.length}:`
  const more = to < text.length ? [`(there is more: call recall for this id alone, with page "${to}")`] : []
  return [head, text.slice(from, to), ...more]
}

const render = (
  stretches: ReadonlyArray<Stretch>,
  left: ReadonlyArray<ShownRow>,
  notes: ReadonlyArray<string>,
): string => {
  const unread =
    left.length === 0
      ? []
      : [`(no room for ${left.map(({ address }) => quoted(address)).join(", ")}: ask again)`]
  return enveloped([...stretches.flatMap(sectionOf), ...unread, ...notes])
}

/** Tokens that each row gets of what there is: short ones all that they need, the others equal shares. */
const sharesOf = (needs: ReadonlyArray<number>, room: number): ReadonlyArray<number> => {
  const shares = needs.map(() => 0)
  const order = needs.map((need, i) => ({ need, i })).sort((a, b) => a.need - b.need || a.i - b.i)
  let left = room
  for (const [done, { need, i }] of order.entries()) {
    const share = Math.min(need, Math.floor(left / (order.length - done)))
    shares[i] = share
    left -= share
  }
  return shares
}

/** Rows of a page, from where each is read. */
interface Rest {
  readonly row: ShownRow
  readonly from: number
  readonly text: string
}

const stretchesOf = (
  rests: ReadonlyArray<Rest>,
  tokens: number,
  { counter }: AnswerRoom,
): ReadonlyArray<Stretch> => {
  const most = rests.map(({ text }) => fitTokens(text, tokens, counter))
  const shares = sharesOf(
    most.map((text) => counter.count(text)),
    tokens,
  )
  return rests.map(({ row, from }, i) => {
    const stretch = fitTokens(most[i] ?? "", shares[i] ?? 0, counter)
    return { row, from, to: from + stretch.length }
  })
}

/** Whether each row that is shown gets on by a character at least. */
const getsOn = (stretches: ReadonlyArray<Stretch>): boolean =>
  stretches.every(({ row, from, to }) => to > from || from === row.text.length)

/** Attempts at stretches that fit: texts of a page count more together than apart. */
const ATTEMPTS = 12

/** All of the rows in one answer; null when they are too many for it. */
const together = (
  rests: ReadonlyArray<Rest>,
  left: ReadonlyArray<ShownRow>,
  options: PageOptions,
): string | null => {
  const { counter, maxTokens, notes } = options
  const bare = rests.map(({ row, from }) => ({ row, from, to: from }))
  let tokens = maxTokens - counter.count(render(bare, left, notes))
  for (let i = 0; i < ATTEMPTS && tokens > 0; i++) {
    const stretches = stretchesOf(rests, tokens, options)
    const text = render(stretches, left, notes)
    const excess = counter.count(text) - maxTokens
    if (excess <= 0) return getsOn(stretches) ? text : null
    tokens -= Math.max(excess, Math.ceil(tokens / ATTEMPTS))
  }
  return null
}

/**
 * Shows rows from a place in their texts on, as many and as much of each as fits. Short rows are shown whole; long ones
 * share what is left, and each says how to go on. The stretches of a row, put together, are its text.
 *
 * **Gotchas**
 *
 * The answer is a fence: tags of fences in the texts are escaped, and `parseFence` takes that back.
 *
 * **Example** (A row on one page)
 *
 * ```ts
 * import { estimateCounter, parseFence, renderRows } from "@palimpsest/core"
 *
 * const row = { address: "m2", origin: "user", text: "Tea, please." }
 * const answer = renderRows([row], { from: 0, notes: [], maxTokens: 500, counter: estimateCounter })
 * parseFence("memory-context", answer)?.payload // => 'row "m2", user, characters 0 to 12 of 12:\nTea, please.'
 * ```
 *
 * @category rendering
 * @since 0.1.0
 */
export const renderRows = (rows: ReadonlyArray<ShownRow>, options: PageOptions): string => {
  const rests = rows.map((row) => {
    const from = startIn(row.text, options.from)
    return { row, from, text: row.text.slice(from) }
  })
  for (let shown = rests.length; shown > 0; shown--) {
    const text = together(rests.slice(0, shown), rows.slice(shown), options)
    if (text !== null) return text
  }
  const none = render([], rows, options.notes)
  return fits(none, options) ? none : noRoom(options)
}
