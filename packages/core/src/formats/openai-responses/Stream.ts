/**
 * The items of a streamed response, each as it was when it was done: OR7.
 *
 * @since 0.1.0
 */
import { isFields } from "../format/Fields.ts"
import { checkItem } from "./Shape.ts"
import type { ResponsesItem } from "./Wire.ts"

const isItem = (value: unknown): value is ResponsesItem => checkItem(value, "") === null

/**
 * Takes the items of a response from the events of its stream. What `response.output_item.added` holds is not yet
 * what is to be sent back: the encrypted reasoning in it is another one, which the API refuses.
 *
 * **Example** (Events of a stream)
 *
 * ```ts
 * import { itemsOfStream } from "@palimpsest/core/formats/openai-responses"
 *
 * const reasoning = { type: "reasoning", id: "rs_1", summary: [] }
 * const items = itemsOfStream([
 *   { type: "response.output_item.added", output_index: 0, item: { ...reasoning, encrypted_content: "b2xk" } },
 *   { type: "response.output_item.done", output_index: 0, item: { ...reasoning, encrypted_content: "bmV3" } },
 * ])
 * items.map((item) => item.encrypted_content) // => ["bmV3"]
 * ```
 *
 * @category codecs
 * @since 0.1.0
 */
export const itemsOfStream = (events: ReadonlyArray<unknown>): ReadonlyArray<ResponsesItem> => {
  const done = events.flatMap((event, i) => {
    if (!isFields(event) || event.type !== "response.output_item.done" || !isItem(event.item)) return []
    const { output_index: index } = event
    return [{ at: typeof index === "number" ? index : i, item: event.item }]
  })
  return done.toSorted((a, b) => a.at - b.at).map(({ item }) => item)
}
