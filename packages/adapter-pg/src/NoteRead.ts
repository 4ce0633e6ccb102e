/**
 * What is told of a read: how many rows came, and how large they were.
 *
 * @since 0.1.0
 */
import { bytesRead, rowsRead } from "@palimpsest/core/engine"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"

const units = (row: object): number =>
  Object.values(row).reduce<number>(
    (sum, column) => sum + (typeof column === "string" ? column.length : 0),
    0,
  )

/**
 * Tells rows and their size in metrics and in the span of the operation. The size is that of the text columns, in UTF-16
 * units: bytes, where text is ASCII.
 *
 * @category metrics
 * @since 0.1.0
 */
export const noteRead = Effect.fnUntraced(function* (operation: string, rows: ReadonlyArray<object>) {
  const bytes = rows.reduce((sum: number, row) => sum + units(row), 0)
  yield* Metric.update(Metric.withAttributes(rowsRead, { operation }), rows.length)
  yield* Metric.update(Metric.withAttributes(bytesRead, { operation }), bytes)
  yield* Effect.annotateCurrentSpan({ rows: rows.length, bytes })
})
