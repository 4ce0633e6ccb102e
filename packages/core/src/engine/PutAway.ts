/**
 * Puts the large values of what a host says out of its rows, where the store keeps such values.
 *
 * @since 0.1.0
 */
import { Effect, Ref, Result, Schema } from "effect"
import { readReference } from "../text/ValueReference.ts"
import { mediaOf } from "../thread/Media.ts"
import { rawWithReferences } from "../thread/RawReferences.ts"
import { withReferences } from "../thread/References.ts"
import { rowReferences } from "../thread/RowValues.ts"
import { MessageCodec } from "./Codecs.ts"
import { RowError, type StoreError } from "./Errors.ts"
import type { StepContext } from "./StepContext.ts"
import type { Input, StepState } from "./StepState.ts"
import { valueFault } from "./StoredRow.ts"
import type { NewMessage } from "./ThreadStore.ts"

/** What of an input goes into its row, and the values that it refers to. */
export interface PutAway {
  readonly content: Pick<NewMessage, "message" | "raw">
  readonly values: ReadonlyMap<string, string>
}

const isMessage = Schema.is(MessageCodec)

const contentOf = ({ message, raw }: Input): PutAway["content"] => ({
  message,
  ...(raw === undefined ? {} : { raw }),
})

const referring = (operation: string, { id }: Input): RowError =>
  new RowError({
    operation,
    row: id ?? "derived",
    reason: "it holds a reference to a large value of a thread in the place of the value",
    remedy: "Read the row with `recall` of its step, which gives the value itself",
  })

/** A value that no store keeps would hold back every row after it: it is refused at once. */
const checked = (operation: string, { id }: Input, put: PutAway): Result.Result<PutAway, RowError> => {
  const fault = [...put.values.values()].map(valueFault).find((reason) => reason !== null)
  return fault === undefined || fault === null
    ? Result.succeed(put)
    : Result.fail(
        new RowError({
          operation,
          row: id ?? "derived",
          reason: fault,
          remedy: "Keep it elsewhere, and give its address",
        }),
      )
}

/**
 * Puts the large values of an input away. A value that reads as a reference is refused: of what it is a reference,
 * and whether it is there, nobody knows. What is no message is left for the check of rows.
 *
 * @category combinators
 * @since 0.1.0
 */
export const putAway = (
  operation: string,
  input: Input,
  { blobs, settings }: StepContext,
): Result.Result<PutAway, RowError> => {
  const content = contentOf(input)
  if (!isMessage(input.message)) return Result.succeed({ content, values: new Map() })
  const given = [...mediaOf(input.message).map(({ data }) => data), `${input.raw?.text}`]
  if (given.some((text) => readReference(text) !== null)) return Result.fail(referring(operation, input))
  if (blobs === null) return Result.succeed({ content, values: new Map() })
  const above = settings.policy.valuesAbove
  const { message, values } = withReferences(input.message, above)
  if (typeof input.raw?.text !== "string") {
    return checked(operation, input, { content: { ...content, message }, values })
  }
  const form = rawWithReferences(input.raw, values, above)
  const all = new Map([...values, ...form.values])
  return checked(operation, input, { content: { message, raw: form.raw }, values: all })
}

/**
 * Keeps values in the process until they are stored and sent.
 *
 * @category combinators
 * @since 0.1.0
 */
export const hold = (state: StepState, values: ReadonlyMap<string, string>): StepState =>
  values.size === 0 ? state : { ...state, values: new Map([...state.values, ...values]) }

/**
 * Stores the values of rows, before the rows: when the process dies between the two, a value is left that nothing
 * refers to, and never a row without its value.
 *
 * @category combinators
 * @since 0.1.0
 */
export const storeValues = Effect.fnUntraced(function* (
  { blobs, key, state }: StepContext,
  rows: ReadonlyArray<NewMessage>,
): Effect.fn.Return<void, StoreError> {
  if (blobs === null) return
  const { values } = yield* Ref.get(state)
  const kept = [...new Set(rows.flatMap(rowReferences))].flatMap((id) => {
    const text = values.get(id)
    return text === undefined ? [] : [{ id, text }]
  })
  if (kept.length === 0) return
  yield* blobs.put(key, kept)
  yield* Effect.annotateCurrentSpan({ "checkpoint.values": kept.length })
})
