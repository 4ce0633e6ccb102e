/** The prompt of a step as one bar: how much of the budget each part takes. */
import { columns, fit, oneLine, thousands } from "./Columns.ts"
import { paint, type Style } from "./Paint.ts"

export interface BarPart {
  readonly name: string
  readonly tokens: number
}

export interface BarOptions {
  /** Columns. Default 80. */
  readonly width?: number
  readonly color?: boolean
}

/** A part with the look of its cells: told apart with colour and without. */
interface Piece extends BarPart {
  readonly cell: string
  readonly style: Style
}

const LOOKS: ReadonlyArray<readonly [cell: string, style: Style]> = [
  ["█", "blue"],
  ["▓", "cyan"],
  ["▒", "green"],
  ["░", "magenta"],
  ["▚", "yellow"],
  ["▄", "white"],
  ["▞", "red"],
  ["▀", "bold"],
]

const pieces = (parts: ReadonlyArray<BarPart>, free: number): ReadonlyArray<Piece> => [
  ...parts.map((part, i): Piece => {
    const [cell, style] = LOOKS[i % LOOKS.length] ?? ["█", "blue"]
    return { ...part, name: oneLine(part.name), cell, style }
  }),
  { name: "free", tokens: free, cell: "·", style: "dim" },
]

/**
 * Shares `cells` out in proportion to the tokens; the sum is exact. A part that is not empty gets a cell when there
 * are enough for all.
 */
export const shareCells = (tokens: ReadonlyArray<number>, cells: number): ReadonlyArray<number> => {
  const total = tokens.reduce((sum, n) => sum + n, 0)
  if (total === 0 || cells < 1) return tokens.map(() => 0)
  const least = tokens.filter((n) => n > 0).length <= cells ? 1 : 0
  const shares = tokens.map((n) => (n === 0 ? 0 : Math.max(least, Math.floor((n / total) * cells))))
  let left = cells - shares.reduce((sum, n) => sum + n, 0)
  while (left !== 0) {
    const change = Math.sign(left)
    const lack = shares.map((share, i) => change * (((tokens[i] ?? 0) / total) * cells - share))
    const may = (i: number) => (tokens[i] ?? 0) > 0 && (change > 0 || (shares[i] ?? 0) > least)
    const at = lack.reduce((best, n, i) => (may(i) && (best < 0 || n > (lack[best] ?? 0)) ? i : best), -1)
    if (at < 0) return shares
    shares[at] = (shares[at] ?? 0) + change
    left -= change
  }
  return shares
}

const percent = (tokens: number, whole: number): string =>
  whole === 0 ? "" : ` (${Math.round((100 * tokens) / whole)}%)`

/** Sets entries in lines, as many as fit in each. */
const flow = (
  entries: ReadonlyArray<readonly [plain: string, painted: string]>,
  width: number,
): ReadonlyArray<string> => {
  const lines: Array<string> = []
  let taken = width
  for (const [plain, painted] of entries) {
    const needed = columns(plain) + 2
    const goesOn = taken + needed <= width
    lines.push(goesOn ? `${lines.pop() ?? ""}  ${painted}` : painted)
    taken = goesOn ? taken + needed : columns(plain)
  }
  return lines
}

const legend = (shown: ReadonlyArray<Piece>, whole: number, width: number, color: boolean) =>
  flow(
    shown.map((piece) => {
      const text = fit(`${piece.name} ${thousands(piece.tokens)}${percent(piece.tokens, whole)}`, width - 2)
      return [`${piece.cell} ${text}`, `${paint(piece.cell, piece.style, color)} ${text}`]
    }),
    width,
  )

const heading = (used: number, budget: number): string =>
  used > budget
    ? `prompt: ${thousands(used)} tokens, ${thousands(used - budget)} over the budget of ${thousands(budget)}`
    : `prompt: ${thousands(used)} of ${thousands(budget)} tokens${percent(used, budget)}`

/** Draws the parts of a prompt inside its budget: a line of numbers, a bar, and what its pieces are. */
export const promptBar = (
  parts: ReadonlyArray<BarPart>,
  budget: number,
  options: BarOptions = {},
): string => {
  const { width = 80, color = false } = options
  const used = parts.reduce((sum, part) => sum + part.tokens, 0)
  const shown = pieces(parts, Math.max(0, budget - used)).filter((piece) => piece.tokens > 0)
  const cells = shareCells(
    shown.map((piece) => piece.tokens),
    Math.max(0, width - 2),
  )
  const bar = shown.map(({ cell, style }, i) => paint(cell.repeat(cells[i] ?? 0), style, color)).join("")
  return [
    fit(heading(used, budget), width),
    width < 3 ? "" : `[${bar}]`,
    ...legend(shown, Math.max(used, budget), width, color),
  ].join("\n")
}
