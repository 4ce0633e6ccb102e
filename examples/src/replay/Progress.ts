/** One line that moves, on a terminal; nothing in a pipe. */
import { fit, oneLine, thousands } from "./Columns.ts"

/** What is needed of a stream such as `process.stderr`. */
export interface ProgressStream {
  readonly isTTY?: boolean
  readonly columns?: number
  readonly write: (text: string) => unknown
}

const BAR = 20

/** The line for `done` of `total`. */
export const progressLine = (done: number, total: number, label: string, width: number): string => {
  const share = total <= 0 ? 1 : Math.min(1, Math.max(0, done / total))
  const filled = Math.floor(share * BAR)
  const bar = "█".repeat(filled) + "·".repeat(BAR - filled)
  return fit(`[${bar}] ${thousands(done)}/${thousands(total)} ${oneLine(label)}`, width)
}

/** Shows how far a command is: each call redraws the line, and the last one clears it. */
export const progress =
  (stream: ProgressStream) =>
  (done: number, total: number, label: string): void => {
    if (stream.isTTY !== true) return
    const line = done >= total ? "" : progressLine(done, total, label, (stream.columns ?? 80) - 1)
    stream.write(`\r\u001b[K${line}`)
  }
