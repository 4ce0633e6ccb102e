/** A thread as a person sees it: nothing is gone, and each boundary says what its pass did. */
import { type Mark, type MessageRow, order, type Pass, type Row } from "@palimpsest/core"
import { columns, fit, oneLine, thousands } from "./Columns.ts"
import { messageLines } from "./MessageLines.ts"
import { paint } from "./Paint.ts"

export interface ThreadViewOptions {
  /** Columns. Default 80. */
  readonly width?: number
  readonly color?: boolean
  /** Message rows shown between two boundaries before the newest one; more are collapsed. Default 4. */
  readonly covered?: number
  /** Message rows shown after the newest boundary; more are collapsed. Default 40. */
  readonly live?: number
}

/** A stretch of rows up to a boundary: the mark that ends it, or null for the live one. */
interface Stretch {
  readonly rows: ReadonlyArray<Row>
  readonly end: Mark | null
}

const isCut = (row: Row): row is Extract<Row, { kind: "summary" | "reset" }> =>
  row.kind === "summary" || row.kind === "reset"

const stretches = (rows: ReadonlyArray<Row>): ReadonlyArray<Stretch> => {
  const all: Array<Stretch> = []
  let open: Array<Row> = []
  for (const row of [...rows].sort(order)) {
    if (!isCut(row)) {
      open.push(row)
      continue
    }
    all.push({ rows: open, end: row })
    open = []
  }
  return [...all, { rows: open, end: null }]
}

const passWords = (pass: Pass): string => `${thousands(pass.before)} → ${thousands(pass.after)} tokens`

const plural = (n: number, word: string): string => `${thousands(n)} ${word}${n === 1 ? "" : "s"}`

const markWords = (mark: Mark): string => {
  const revised = mark.revision === 0 ? "" : ` · revision ${mark.revision}`
  switch (mark.kind) {
    case "summary": {
      const { pass } = mark
      const writer = pass.outcome === "model" ? pass.model : pass.outcome
      return `summary · ${plural(pass.rows, "row")} · ${passWords(pass)} · ${writer} · generation ${pass.generation}${revised}`
    }
    case "reset":
      return `start over${revised}`
    case "prune":
      return `prune · ${plural(mark.pass.rows, "row")} sent reduced · ${passWords(mark.pass)}${revised}`
    case "recall":
      return `recall · ${plural(mark.sources.length, "source")} · ${plural(mark.tokens, "token")}${revised}`
  }
}

/** A line across the page with words in it. */
const across = (words: string, stroke: string, width: number): string => {
  const start = fit(`${stroke.repeat(4)} ${oneLine(words)}`, width)
  const room = width - columns(start) - 1
  return room < 1 ? start : `${start} ${stroke.repeat(room)}`
}

const markLine = (mark: Mark, width: number, color: boolean): string =>
  isCut(mark)
    ? paint(across(markWords(mark), "─", width), "bold", color)
    : paint(across(markWords(mark), "┄", width), "dim", color)

/** Ids of the message rows of a stretch that are shown: the first and last ones, and those in `kept`. */
const shownIds = (stretch: Stretch, most: number, kept: ReadonlySet<string>): ReadonlySet<string> => {
  const ids = stretch.rows.filter((row) => row.kind === "message").map((row) => row.id)
  if (ids.length <= most + 1) return new Set(ids)
  const first = stretch.end === null ? 0 : Math.ceil(most / 2)
  const last = most - first
  return new Set([
    ...ids.slice(0, first),
    ...ids.slice(ids.length - last),
    ...ids.filter((id) => kept.has(id)),
  ])
}

interface Look {
  readonly width: number
  readonly color: boolean
  readonly most: number
  /** Ids of covered rows that are still sent verbatim. */
  readonly kept: ReadonlySet<string>
}

const stretchLines = (stretch: Stretch, look: Look): ReadonlyArray<string> => {
  const { width, color } = look
  const shown = shownIds(stretch, look.most, look.kept)
  const lines: Array<string> = []
  let hidden = 0
  const tellHidden = () => {
    const words = `… ${plural(hidden, "earlier row")}, still readable`
    if (hidden > 0) lines.push(paint(fit(words, width), "dim", color))
    hidden = 0
  }
  const showMessage = (row: MessageRow) => {
    tellHidden()
    lines.push(...messageLines(row, look.kept.has(row.id) ? "still sent" : "", { width, color }))
  }
  for (const row of stretch.rows) {
    if (row.kind !== "message") {
      tellHidden()
      lines.push(markLine(row, width, color))
    } else if (shown.has(row.id)) showMessage(row)
    else hidden += 1
  }
  tellHidden()
  return stretch.end === null ? lines : [...lines, markLine(stretch.end, width, color)]
}

/**
 * Draws a thread in its order: messages shortened to a line each, a line across at each boundary, long stretches
 * collapsed. Rows before the newest boundary that are still sent are always shown.
 */
export const threadView = (rows: ReadonlyArray<Row>, options: ThreadViewOptions = {}): string => {
  const { width = 80, color = false, covered = 4, live = 40 } = options
  const all = stretches(rows)
  const newest = all.at(-2)?.end
  const kept = new Set(newest?.kind === "summary" ? [...newest.head, ...newest.carry] : [])
  return all
    .flatMap((stretch) => {
      const most = Math.max(0, stretch.end === null ? live : covered)
      return stretchLines(stretch, { width, color, most, kept })
    })
    .join("\n")
}
