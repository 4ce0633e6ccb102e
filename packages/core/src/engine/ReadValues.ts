/**
 * Reads the large values of what is sent or recalled, and of nothing else.
 *
 * @since 0.1.0
 */
import { Effect, Ref, Result } from "effect"
import { describeMedia } from "../prepass/Images.ts"
import type { Prompt } from "../prompt/Layout.ts"
import { promptReferences, promptWithValues } from "../prompt/Values.ts"
import type { MediaPart } from "../thread/Message.ts"
import { withoutReferences } from "../thread/References.ts"
import type { MessageRow } from "../thread/Row.ts"
import { rowReferences, rowWithValues } from "../thread/RowValues.ts"
import { type RowError, StoreError } from "./Errors.ts"
import type { Degradation } from "./Report.ts"
import type { StepContext } from "./StepContext.ts"
import { find } from "./StepState.ts"

type Values = ReadonlyMap<string, string>

/** The store's answer. A port that dies of a fault of its own, or gives no map, is one that fails. */
const ask = ({ blobs, key }: StepContext, ids: ReadonlyArray<string>): Effect.Effect<Values, StoreError> => {
  const failed = (reason: string) => new StoreError({ operation: "get blobs", reason, isRetryable: false })
  if (blobs === null) {
    return Effect.fail(failed("rows refer to large values, and no BlobStore is provided"))
  }
  return blobs.get(key, ids).pipe(
    Effect.map((values) => new Map(values)),
    Effect.catchDefect(() => Effect.fail(failed("it died, or gave no values"))),
  )
}

/** The values of some ids: what the process holds, and one request for the rest, which may fail. */
const read = Effect.fn("Palimpsest.values")(function* (context: StepContext, ids: ReadonlyArray<string>) {
  const { values } = yield* Ref.get(context.state)
  const held = new Map([...values].filter(([id]) => ids.includes(id)))
  const others = ids.filter((id) => !held.has(id))
  yield* Effect.annotateCurrentSpan({ "values.held": held.size, "values.read": others.length })
  const found = others.length === 0 ? Result.succeed(held) : yield* Effect.result(ask(context, others))
  return { held, found: Result.map(found, (more): Values => new Map([...held, ...more])) }
})

/** Rows of a prompt of which something is still missing. */
const lostRows = ({ slots }: Prompt, values: Values): ReadonlyArray<string> =>
  slots.flatMap((slot) => {
    const filled = rowWithValues(slot, values)
    const isLost = rowReferences(filled).length > 0 || (slot.raw !== undefined && filled.raw === undefined)
    return isLost && slot.row !== null ? [slot.row] : []
  })

const missing = (rows: ReadonlyArray<string>, failure: StoreError | null): Degradation => ({
  stage: "store",
  reason: `${failure?.message ?? "their values are not there"} (large values of ${[...new Set(rows)].join(", ")})`,
  instead: "a text for each image or file that is missing",
})

/** Values are held while they are not stored, and while they are sent: a long step reads each once. */
const holdOnly = (context: StepContext, ids: ReadonlyArray<string>, values: Values) =>
  Ref.update(context.state, (now) => {
    const wanted = new Set([...ids, ...now.unsaved.flatMap(rowReferences)])
    const all = [...now.values, ...values]
    return { ...now, values: new Map(all.filter(([id]) => wanted.has(id))) }
  })

/**
 * Puts the large values of a prompt into it, those of what is sent alone, in one request. What cannot be had is told,
 * and a text stands for it.
 *
 * @category combinators
 * @since 0.1.0
 */
export const fillPrompt = Effect.fnUntraced(function* (
  context: StepContext,
  prompt: Prompt,
): Effect.fn.Return<{ readonly prompt: Prompt; readonly lost: ReadonlyArray<Degradation> }> {
  const ids = promptReferences(prompt)
  if (ids.length === 0) return { prompt, lost: [] }
  const { held, found } = yield* read(context, ids)
  const values = Result.getOrElse(found, () => held)
  yield* holdOnly(context, ids, values)
  const rows = lostRows(prompt, values)
  const failure = Result.isFailure(found) ? found.failure : null
  return {
    prompt: promptWithValues(prompt, values, context.settings),
    lost: rows.length === 0 ? [] : [missing(rows, failure)],
  }
})

/**
 * Reads a row in full, with its large values. For one that is not there any more a text stands.
 *
 * @category combinators
 * @since 0.1.0
 */
export const recallRow = Effect.fnUntraced(function* (
  context: StepContext,
  id: string,
): Effect.fn.Return<MessageRow | null, StoreError | RowError> {
  const known = find((yield* Ref.get(context.state)).thread, id)
  const row = known ?? (yield* context.store.row(context.key, id))
  if (row === null) return null
  const ids = rowReferences(row)
  if (ids.length === 0) return row
  const { found } = yield* read(context, ids)
  const whole = rowWithValues(row, yield* Effect.fromResult(found))
  const line = (media: MediaPart) => `[${describeMedia(media)}: it is not there any more]`
  return { ...whole, message: withoutReferences(whole.message, line) }
})
