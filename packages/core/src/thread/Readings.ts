/**
 * What the live rows of a thread say of the counts of a model.
 *
 * @since 0.1.0
 */
import { type Calibration, calibrate, type Reading, type ReadingKey } from "../count/Calibrate.ts"
import type { Thread } from "./Thread.ts"

/**
 * Finds the readings on the rows after the cut, oldest first. Rows that the cut covers are not looked at: what was
 * read on them is of another prompt.
 *
 * @category getters
 * @since 0.1.0
 */
export const readingsOf = (thread: Thread): ReadonlyArray<Reading> =>
  thread.rows.flatMap((row) => (row.kind === "message" && row.usage !== undefined ? [row.usage] : []))

/**
 * The calibration of a thread for a model: a pure function of its rows, so that it survives restarts and is the same
 * in every process. `more` are readings that no row holds, such as those of prompts that were refused.
 *
 * @category combinators
 * @since 0.1.0
 */
export const calibrationOf = (
  thread: Thread,
  key: Omit<ReadingKey, "boundary">,
  more: ReadonlyArray<Reading> = [],
): Calibration => calibrate([...readingsOf(thread), ...more], { ...key, boundary: thread.cut?.id ?? null })
