/**
 * Artifacts of a span: what its tool calls named, and how they ended.
 *
 * @since 0.1.0
 */
import type { ToolResultPart } from "../thread/Message.ts"
import type { MessageRow } from "../thread/Row.ts"
import { identifiers } from "./Identifiers.ts"
import type { NewItem } from "./Item.ts"
import { itemText } from "./ItemText.ts"
import { readRow } from "./RowText.ts"
import type { Redact } from "./SafeRedact.ts"

/** An item found, with the place of its row in the span. */
export interface Found {
  readonly item: NewItem
  readonly row: number
}

const KEY = /"[^"\\]{0,64}"\s{0,4}:/g
const NAMES = 4
/** Names come first in the arguments; what a file is filled with comes after. */
const READ_UNITS = 2000

const namesOf = (args: string): ReadonlyArray<string> =>
  identifiers(args.slice(0, READ_UNITS).replace(KEY, " ")).slice(0, NAMES)

interface Outcome {
  readonly row: string
  readonly status: ToolResultPart["status"]
}

const outcomesOf = (rows: ReadonlyArray<MessageRow>): ReadonlyMap<string, Outcome> =>
  new Map(
    rows.flatMap((row) =>
      row.message.role === "tool"
        ? row.message.parts.flatMap((part) =>
            part.type === "tool-result" ? [[part.call, { row: row.id, status: part.status }] as const] : [],
          )
        : [],
    ),
  )

/** One artifact for each tool and names that it was called with, with the outcome of the newest such call. */
export const artifactsOf = (rows: ReadonlyArray<MessageRow>, redact: Redact): ReadonlyArray<Found> => {
  const outcomes = outcomesOf(rows)
  const newest = new Map<string, Found>()
  rows.forEach((row, at) => {
    for (const { part, body } of readRow(row, redact)) {
      if (part.type !== "tool-call") continue
      const names = namesOf(body)
      if (names.length === 0) continue
      const outcome = outcomes.get(part.id)
      const what = `${part.name} ${names.join(" ")}`
      const text = itemText(`${what}: ${outcome?.status ?? "no result"}`, redact)
      const sources = outcome === undefined || outcome.row === row.id ? [row.id] : [row.id, outcome.row]
      newest.delete(what)
      newest.set(what, { item: { kind: "artifact", text, sources }, row: at })
    }
  })
  return [...newest.values()]
}
