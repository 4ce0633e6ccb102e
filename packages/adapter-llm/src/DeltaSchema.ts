/**
 * The shape of a summariser's answer.
 *
 * @since 0.1.0
 */
import type { Delta } from "@palimpsest/core"
import { Schema } from "effect"

const NewItem = Schema.Struct({
  kind: Schema.Literals(["task", "pending", "resolved", "constraint", "decision", "fact", "artifact"]),
  text: Schema.String.annotate({ description: "One line, in the user's language" }),
  sources: Schema.Array(Schema.String).annotate({ description: "Ids of transcript rows" }),
})

const Drop = Schema.Struct({
  id: Schema.String.annotate({ description: "Id of a noted item" }),
  source: Schema.String.annotate({ description: "Id of the transcript row that shows it" }),
})

/**
 * Decodes a delta that a model or a function of the host made. It checks the shape alone; whether ids exist and
 * texts are supported by their sources is checked by the core.
 *
 * @category schemas
 * @since 0.1.0
 */
export const DeltaSchema = Schema.Struct({
  add: Schema.Array(NewItem).annotate({ description: "New items" }),
  resolve: Schema.Array(Schema.String).annotate({ description: "Ids of noted items that are done" }),
  drop: Schema.Array(Drop).annotate({ description: "Noted items that are no longer true" }),
}).annotate({ identifier: "Changes" })

/**
 * Leaves out what carries nothing: added items without a text.
 *
 * @category combinators
 * @since 0.1.0
 */
export const withoutBlanks = (delta: Delta): Delta => ({
  ...delta,
  add: delta.add.filter((item) => item.text.trim() !== ""),
})

/**
 * Reads ids of rows as models like to write them: `row m1` or `[row m1]` for `m1`, and an id in quotes where the
 * transcript had to quote it. Other sources stay, for the core to refuse.
 *
 * @category combinators
 * @since 0.1.0
 */
export const withPlainIds = (delta: Delta, rows: ReadonlyArray<string>): Delta => {
  const known = new Set(rows)
  const spelled = new Map(
    rows.flatMap((id) =>
      [id, JSON.stringify(id)].flatMap(
        (name) =>
          [
            [name, id],
            [`row ${name}`, id],
            [`[row ${name}]`, id],
          ] as const,
      ),
    ),
  )
  const plain = (source: string): string => (known.has(source) ? source : (spelled.get(source) ?? source))
  return {
    ...delta,
    add: delta.add.map((item) => ({ ...item, sources: item.sources.map(plain) })),
    drop: delta.drop.map((drop) => ({ ...drop, source: plain(drop.source) })),
  }
}
