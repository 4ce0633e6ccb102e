/** Which deaths a chat dies. */

import type { Left } from "./KillAtEach.ts"
import type { Death } from "./Life.ts"

export type History = ReadonlyArray<Death>

/** Each event of a chat, on the sides asked for, as the one death of a history. */
export const atEach = ({ events }: Pick<Left, "events">, sides: ReadonlyArray<Death["side"]>) =>
  sides.flatMap((side) => events.map((_, i): History => [{ at: i + 1, side }]))

/** Each event inside of a transaction, whose connection outlives the process. */
export const orphans = ({ events }: Pick<Left, "events">) =>
  events.flatMap(
    ({ isWithin }, i): ReadonlyArray<History> => (isWithin ? [[{ at: i + 1, side: "orphaned" }]] : []),
  )

/** Each operation of the store, done late; but for rewinds, which hide whatever was said before they come. */
export const late = ({ events }: Pick<Left, "events">) =>
  events.flatMap(
    ({ isFirst, kind }, i): ReadonlyArray<History> =>
      isFirst && kind !== "rewind" ? [[{ at: i + 1, side: "late" }]] : [],
  )

/** Each message to the server. */
export const onTheWire = ({ messages }: Pick<Left, "messages">, side: "torn" | "cut") =>
  Array.from({ length: messages }, (_, i): History => [{ at: i + 1, side }])

/** A second death in the life that follows the first: in the turn that is tried again, and a while later. */
export const twice = ({ events }: Pick<Left, "events">) =>
  Array.from(
    { length: Math.floor(events.length / 5) },
    (_, i): History => [
      { at: 1 + i * 5, side: i % 2 === 0 ? "after" : "before" },
      { at: 1 + ((i * 7) % 40), side: i % 3 === 0 ? "after" : "before" },
    ],
  )

/** One in so many of a list. */
export const oneIn = <A>(every: number, list: ReadonlyArray<A>, from = 0): ReadonlyArray<A> =>
  list.filter((_, i) => i % every === from % every)
