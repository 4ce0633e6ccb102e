import type { Cost } from "./Cost.ts"
import type { Spec } from "./Threads.ts"

/** A thread with what a step on it cost. */
export interface Point {
  readonly spec: Spec
  readonly cost: Cost
  readonly milliseconds: number
}

/** What was asked of a figure, and what it was. */
export interface Verdict {
  readonly name: string
  readonly reached: number
  readonly bound: number
  readonly holds: boolean
}

const verdict = (name: string, reached: number, bound: number): Verdict => ({
  name,
  reached,
  bound,
  holds: reached <= bound,
})

type Pair = readonly [x: number, y: number]

/** Slope of the straight line through points, by least squares. */
const slope = (points: ReadonlyArray<Pair>): number => {
  const mean = (values: ReadonlyArray<number>) =>
    values.reduce((sum, value) => sum + value, 0) / values.length
  const x = mean(points.map(([one]) => one))
  const y = mean(points.map(([, one]) => one))
  const over = points.reduce((sum, [a, b]) => sum + (a - x) * (b - y), 0)
  return over / points.reduce((sum, [a]) => sum + (a - x) ** 2, 0)
}

/** The power of x with which y grows: 0 for a constant, 1 for a line through the origin. */
export const growth = (points: ReadonlyArray<Pair>): number =>
  slope(points.map(([x, y]) => [Math.log10(x), Math.log10(y)]))

const spread = (values: ReadonlyArray<number>): number => Math.max(...values) / Math.min(...values)

/** Against the age of a thread nothing may grow. */
export const ageBounds = (age: ReadonlyArray<Point>): ReadonlyArray<Verdict> => [
  verdict("rows read, oldest thread / youngest", spread(age.map(({ cost }) => cost.rows)), 1),
  verdict("bytes read, oldest thread / youngest", spread(age.map(({ cost }) => cost.bytes)), 1.01),
  verdict("pages touched, oldest thread / youngest", spread(age.map(({ cost }) => cost.pages)), 1.5),
  verdict(
    "time against age: power of growth, from the least to the most rows",
    growth(age.map(({ spec, milliseconds }) => [spec.rows, milliseconds])),
    0.03,
  ),
]

/** How far points are from the line through the first and the last of them, as a share of its height there. */
const bend = (points: ReadonlyArray<Pair>): number => {
  const [first, last] = [points[0], points.at(-1)]
  if (first === undefined || last === undefined) return Number.NaN
  const rise = (last[1] - first[1]) / (last[0] - first[0])
  return Math.max(...points.map(([x, y]) => Math.abs(y / (first[1] + rise * (x - first[0])) - 1)))
}

/** Against the window everything grows like the window: along a straight line. */
export const windowBounds = (windows: ReadonlyArray<Point>): ReadonlyArray<Verdict> => {
  const of = (y: (point: Point) => number) => windows.map((point): Pair => [point.spec.window, y(point)])
  const large = of(({ milliseconds }) => milliseconds).slice(Math.floor(windows.length / 2))
  return [
    verdict("rows read against the window: off a straight line by", bend(of(({ cost }) => cost.rows)), 0.02),
    verdict(
      "bytes read against the window: off a straight line by",
      bend(of(({ cost }) => cost.bytes)),
      0.02,
    ),
    verdict("time against the window: power of growth, of the larger half", growth(large), 1.1),
  ]
}

/** A thread that was rewound or forked costs what a plain one with its window costs. */
export const shapeBounds = (plain: Point, shapes: ReadonlyArray<Point>): ReadonlyArray<Verdict> =>
  shapes.flatMap(({ spec, cost, milliseconds }) => [
    verdict(`rows read beyond those of a plain thread, ${spec.shape}`, cost.rows - plain.cost.rows, 50),
    verdict(`pages touched, ${spec.shape} / plain`, cost.pages / plain.cost.pages, 2),
    verdict(`time, ${spec.shape} / plain`, milliseconds / plain.milliseconds, 1.5),
  ])

/** Other chats in the same tables change nothing but the height of the indexes. */
export const crowdBounds = (alone: Cost, among: Cost): ReadonlyArray<Verdict> => [
  verdict("rows read, beside the crowd / before it came", among.rows / alone.rows, 1.05),
  verdict("pages touched, beside the crowd / before it came", among.pages / alone.pages, 2),
]

/** Each hot statement is a range of an index. */
export const planBound = (faults: ReadonlyArray<string>): Verdict =>
  verdict("plans that are no range of an index, or read more than a window", faults.length, 0)
