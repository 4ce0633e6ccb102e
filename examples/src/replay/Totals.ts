/** Figures under each other: a name, a number, a remark. */
import { columns, fit, oneLine, padEnd, padStart, thousands } from "./Columns.ts"
import { paint } from "./Paint.ts"

export interface Total {
  readonly name: string
  readonly value: number | string
  readonly note?: string
}

/** Sets figures in columns: names to the left, values to the right, then the notes. */
export const totals = (
  table: ReadonlyArray<Total>,
  options: { readonly width?: number; readonly color?: boolean } = {},
): string => {
  const { width = 80, color = false } = options
  const lines = table.map(({ name, value, note = "" }) => ({
    name: oneLine(name),
    value: typeof value === "number" ? thousands(value) : oneLine(value),
    note: oneLine(note),
  }))
  const names = Math.max(0, ...lines.map((line) => columns(line.name)))
  const values = Math.max(0, ...lines.map((line) => columns(line.value)))
  return lines
    .map(({ name, value, note }) => {
      const figures = fit(`${padEnd(name, names)}  ${padStart(value, values)}`, width)
      const rest = fit(note, Math.max(0, width - columns(figures) - 2))
      return rest === "" ? figures : `${figures}  ${paint(rest, "dim", color)}`
    })
    .join("\n")
}
