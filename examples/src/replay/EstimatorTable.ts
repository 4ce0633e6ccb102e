/** How far estimates were off, by model and script, as a table. */
import type { ErrorSpread, EstimatorError } from "@palimpsest/core"
import { columns, fit, oneLine, padEnd, padStart, thousands } from "./Columns.ts"

const HEADINGS = ["model", "script", "calls", "error before", "error after"]

/** A share as a signed percentage: a minus is too low. */
const percent = (share: number): string => {
  const figure = (100 * Math.abs(share)).toFixed(1)
  return `${figure === "0.0" ? "" : share < 0 ? "−" : "+"}${figure} %`
}

const spread = ({ lowest, median, highest }: ErrorSpread): string =>
  lowest === highest ? percent(median) : `${percent(median)} (${percent(lowest)} … ${percent(highest)})`

/**
 * Sets errors in columns: the median, and in brackets the lowest and the highest. Empty when there is nothing to tell.
 */
export const estimatorTable = (rows: ReadonlyArray<EstimatorError>, width = 80): string => {
  if (rows.length === 0) return ""
  const cells = rows.map(({ model, script, calls, before, after }) => [
    oneLine(model),
    script,
    thousands(calls),
    spread(before),
    spread(after),
  ])
  const lines = [HEADINGS, ...cells]
  const widths = HEADINGS.map((_, i) => Math.max(...lines.map((line) => columns(line[i] ?? ""))))
  const set = (line: ReadonlyArray<string>): string =>
    line
      .map((cell, i) => (i === 2 ? padStart : padEnd)(cell, widths[i] ?? 0))
      .join("  ")
      .trimEnd()
  return lines.map((line) => fit(set(line), width)).join("\n")
}
