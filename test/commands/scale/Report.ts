import { table } from "../Command.ts"
import type { Point, Verdict } from "./Bounds.ts"
import { plot } from "./Plot.ts"
import type { Found } from "./Run.ts"

/** Where the page and its plot stand. */
export const PAGE = "docs/scale.md"
export const PLOT = "docs/scale.svg"

const HEAD = ["thread", "rows", "window", "ms", "rows read", "pages", "bytes", "statements"]

const cells = ({ spec, cost, milliseconds }: Point): ReadonlyArray<string> => [
  spec.shape,
  spec.rows.toLocaleString("en"),
  String(spec.window),
  milliseconds.toFixed(1),
  String(cost.rows),
  String(cost.pages),
  cost.bytes.toLocaleString("en"),
  String(cost.statements),
]

const shown = (value: number): string => String(Number(value.toFixed(3)))

const verdictCells = ({ name, reached, bound, holds }: Verdict): ReadonlyArray<string> => [
  holds ? "holds" : "MISSED",
  shown(reached),
  shown(bound),
  name,
]

const pointsOf = ({ age, windows, shapes }: Found): ReadonlyArray<Point> => [...age, ...windows, ...shapes]

const sizesOf = ({ database, tables, plans }: Found): string => {
  const [messages, marks, chats] = [tables.messages, tables.marks, tables.chats].map((n) =>
    n.toLocaleString("en"),
  )
  return (
    `PostgreSQL ${database}, with ${messages} messages and ${marks} marks of ${chats} chats in the same tables. ` +
    `${plans.statements} statements were explained, ${plans.explained} times in all.`
  )
}

/** What is printed. */
export const textOf = (found: Found): string =>
  [
    sizesOf(found),
    table([HEAD, ...pointsOf(found).map(cells)]),
    ...found.plans.faults.map((fault) => `  ${fault}`),
    table([["", "reached", "bound", "what"], ...found.verdicts.map(verdictCells)]),
  ].join("\n\n")

const markdown = (rows: ReadonlyArray<ReadonlyArray<string>>): string => {
  const [head = [], ...rest] = rows.map((row) => `| ${row.join(" | ")} |`)
  return [head, `|${" --- |".repeat(rows[0]?.length ?? 0)}`, ...rest].join("\n")
}

/** The page: figures of one run, with their plot. */
export const pageOf = (found: Found): string => `# Scale

What a step costs (open, append a question, prompt, append the answer, end), on threads of every age, beside other chats.
\`npm run -s scale -- --write\` loads the tables, measures, and writes this page; \`--url\` takes a server and \`--rows\`
the age of the oldest thread. Rows and pages are the database's own counts of what it touched; bytes are those of the
answers. Times are medians of one run on one machine: only their ratios mean something elsewhere.

![Time and rows read, against the age of the thread and against its window](scale.svg)

${sizesOf(found)} Each was planned with and without statistics, and once for all values, and had to be a range of an
index.

${markdown([HEAD, ...pointsOf(found).map(cells)])}

A \`hidden\` thread was rewound in the middle of its window, over 5,000 rows; a \`rewound\` one was rewound 1,000 times; a
\`forked\` one is a fork of a fork, with its cut in the first chat.

## Bounds

${markdown([["", "reached", "bound", "what"], ...found.verdicts.map(verdictCells)])}
`

const AGE = { label: "rows of the thread, of which 60 are in the window", isLog: true }
const SIZE = { label: "rows of the window", isLog: false }

/** The plot: time and rows read, against age and against the window. */
export const plotOf = ({ age, windows }: Found): string => {
  const rows = (points: ReadonlyArray<Point>, x: (point: Point) => number) => [
    { name: "rows read", points: points.map((point) => [x(point), point.cost.rows] as const) },
    { name: "pages touched", points: points.map((point) => [x(point), point.cost.pages] as const) },
  ]
  const time = (points: ReadonlyArray<Point>, x: (point: Point) => number) => [
    { name: "a whole step", points: points.map((point) => [x(point), point.milliseconds] as const) },
  ]
  const byAge = (point: Point) => point.spec.rows
  const bySize = (point: Point) => point.spec.window
  return plot([
    { title: "Time, against the age of the thread", x: AGE, y: "milliseconds", series: time(age, byAge) },
    { title: "Time, against the window", x: SIZE, y: "milliseconds", series: time(windows, bySize) },
    {
      title: "Reads, against the age of the thread",
      x: AGE,
      y: "rows, pages of 8 kB",
      series: rows(age, byAge),
    },
    { title: "Reads, against the window", x: SIZE, y: "rows, pages of 8 kB", series: rows(windows, bySize) },
  ])
}
