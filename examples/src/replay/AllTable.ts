/** What came of a folder of transcripts, as a table. */
import { columns, fit, many, oneLine, padEnd, padStart, thousands } from "./Columns.ts"
import { estimatorTable } from "./EstimatorTable.ts"
import { errorsOf, type FileReport } from "./PlayAll.ts"

type Row = ReadonlyArray<string>

/** Sets rows in columns: the first two to the left, the others to the right. */
const table = (rows: ReadonlyArray<Row>): string => {
  const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => columns(row[i] ?? ""))))
  const cell = (text: string, i: number): string =>
    i < 2 ? padEnd(text, widths[i] ?? 0) : padStart(text, widths[i] ?? 0)
  return rows.map((row) => row.map(cell).join("  ").trimEnd()).join("\n")
}

const percent = (share: number): string =>
  `${share < 0 ? "−" : ""}${Math.abs(Math.round(share * 1000) / 10)} %`

const windowName = (window: number): string => (window % 1000 === 0 ? `${window / 1000}K` : String(window))

const rowOf = (report: FileReport & { readonly _tag: "Replayed" }): Row => [
  fit(oneLine(report.file), 60),
  report.format,
  thousands(report.messages),
  thousands(report.windows[0]?.tally.calls ?? 0),
  ...report.windows.map(({ tally: { passes } }) => thousands(passes.prune + passes.summary)),
  thousands(report.windows.reduce((sum, { tally }) => sum + tally.cannotFit, 0)),
  thousands(report.windows.reduce((sum, { faults }) => sum + faults.length, 0)),
  report.meanError === null ? "" : `${percent(report.meanError)} of ${thousands(report.counted.length)}`,
  String(report.seconds),
]

const isReplayed = (report: FileReport): report is FileReport & { readonly _tag: "Replayed" } =>
  report._tag === "Replayed"

/** The files that were replayed, those that were not and why, and how far the estimator was off. */
export const allTable = (reports: ReadonlyArray<FileReport>, windows: ReadonlyArray<number>): string => {
  const head: Row = [
    "file",
    "format",
    "messages",
    "calls",
    ...windows.map((window) => `passes ${windowName(window)}`),
    "cannot fit",
    "broken",
    "mean error",
    "s",
  ]
  const replayed = reports.filter(isReplayed)
  const refused = reports.flatMap((report) =>
    report._tag === "Refused"
      ? [`${oneLine(report.file)}\n  ${report.error.kind}: ${oneLine(report.error.reason)}`]
      : [],
  )
  const errors = estimatorTable(errorsOf(reports), 160)
  const passedOver = replayed.filter((report) => report.passedOver > 0)
  return [
    table([head, ...replayed.map(rowOf)]),
    ...(refused.length === 0 ? [] : ["\nnot read:", ...refused]),
    ...(passedOver.length === 0 ? [] : ["\npassed over, since --limit was given:"]),
    ...passedOver.map((report) => `${report.file}: ${many(report.passedOver, "chat")}`),
    "\nestimate against what the provider counted, of what prompts grew by:",
    errors === "" ? "no file says it" : errors,
  ].join("\n")
}

/** The same as one JSON object. */
export const allJson = (reports: ReadonlyArray<FileReport>, folder: string): string => {
  const sum = (of: (report: FileReport & { readonly _tag: "Replayed" }) => number) =>
    reports.filter(isReplayed).reduce((total, report) => total + of(report), 0)
  return JSON.stringify({
    folder,
    files: reports.length,
    read: reports.filter(isReplayed).length,
    refused: reports.filter((report) => !isReplayed(report)).length,
    calls: sum(({ windows }) => windows.reduce((calls, { tally }) => calls + tally.calls, 0)),
    broken: sum(({ windows }) => windows.reduce((faults, at) => faults + at.faults.length, 0)),
    errors: errorsOf(reports),
    reports: reports.map((report) => {
      if (!isReplayed(report))
        return { file: report.file, refused: report.error.kind, reason: report.error.reason }
      const { _tag, counted, ...rest } = report
      return { ...rest, growths: counted.length }
    }),
  })
}
