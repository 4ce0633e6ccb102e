/**
 * The line of a thread: which rows of which chats it shows, after rewinds and forks. Rows themselves never move.
 *
 * Each row has a time: a message its position, a mark or a failure the newest position when it was put. A line is a
 * list of stretches of time, each of one chat; a row is shown when its time lies in a stretch of its chat.
 *
 * @since 0.1.0
 */

/**
 * A stretch of a line: the rows of one chat whose time is greater than `low` and at most `high`.
 *
 * @category models
 * @since 0.1.0
 */
export interface Stretch {
  /** The chat that the rows are stored in. */
  readonly source: string
  readonly low: number
  readonly high: number
}

/**
 * A line: stretches in order of time, the last of which is open.
 *
 * @category models
 * @since 0.1.0
 */
export type Line = ReadonlyArray<Stretch>

/**
 * The end of an open stretch.
 *
 * @category constants
 * @since 0.1.0
 */
export const OPEN: number = Number.MAX_SAFE_INTEGER

/**
 * The line of a chat that was never rewound and is no fork. Marks before the first message have the time 0.
 *
 * @category constructors
 * @since 0.1.0
 */
export const wholeLine = (chat: string): Line => [{ source: chat, low: -1, high: OPEN }]

/**
 * Tells whether a line shows what was stored in a chat at a time.
 *
 * @category guards
 * @since 0.1.0
 */
export const shows = (line: Line, source: string, time: number): boolean =>
  line.some((stretch) => stretch.source === source && stretch.low < time && time <= stretch.high)

/** The part of a line up to a time that it shows. */
const upTo = (line: Line, time: number): Line =>
  line.filter(({ low }) => low < time).map((stretch) => ({ ...stretch, high: Math.min(stretch.high, time) }))

/**
 * What a line becomes when it goes on after a time, in a chat whose times up to `end` are used.
 *
 * **Example** (A rewind to the second of five messages)
 *
 * ```ts
 * import { goesOn, shows, wholeLine } from "@palimpsest/core"
 *
 * const line = goesOn(wholeLine("7"), 2, "7", 5)
 * const times = [1, 2, 3, 4, 5, 6].filter((time) => shows(line, "7", time))
 * times // => [1, 2, 6]
 * ```
 *
 * @category combinators
 * @since 0.1.0
 */
export const goesOn = (line: Line, time: number, chat: string, end: number): Line => [
  ...upTo(line, time),
  { source: chat, low: end, high: OPEN },
]
