/**
 * What the server holds already, and what is new: OR8, OR9 and OR10.
 *
 * @since 0.1.0
 */
import { writeExact } from "../format/ExactJson.ts"
import { callIdOf, outputIdOf, sideOf, typeOf } from "./Kinds.ts"
import { itemsOf, type ResponsesItem, type ResponsesRequest } from "./Wire.ts"

type Items = ReadonlyArray<ResponsesItem>

const same = (a: unknown, b: unknown): boolean => writeExact(a) === writeExact(b)

/**
 * Finds the items of a request after those that the server holds, which are what was sent to it and what it answered, or
 * what it made of them when it was asked to compact. Null when the request does not begin with just these: what is held
 * may be neither pruned nor reordered, and a request that did so has to be sent whole.
 *
 * **Example** (What is new)
 *
 * ```ts
 * import { newItems } from "@palimpsest/core/formats/openai-responses"
 *
 * const hello = { role: "user", content: "Hello" }
 * const hi = { role: "assistant", content: "Hi" }
 * newItems({ input: [hello, hi, { role: "user", content: "And?" }] }, [hello, hi])?.length // => 1
 * newItems({ input: [hi] }, [hello, hi]) // => null
 * ```
 *
 * @category getters
 * @since 0.1.0
 */
export const newItems = (request: ResponsesRequest, held: Items): Items | null => {
  const items = itemsOf(request)
  return held.every((item, i) => i < items.length && same(item, items[i])) ? items.slice(held.length) : null
}

/**
 * Goes on from a response that the server stored: the request with what is new, and the id of that response. Null when
 * the request does not begin with what the server holds; it has to be sent whole then.
 *
 * **Example** (The next step of a conversation)
 *
 * ```ts
 * import { goOn } from "@palimpsest/core/formats/openai-responses"
 *
 * const hello = { role: "user", content: "Hello" }
 * const hi = { role: "assistant", content: "Hi" }
 * const next = goOn({ input: [hello, hi, { role: "user", content: "And?" }] }, { id: "resp_1", items: [hello, hi] })
 * next?.previous_response_id // => "resp_1"
 * next?.input.length // => 1
 * ```
 *
 * @category codecs
 * @since 0.1.0
 */
export const goOn = (
  request: ResponsesRequest,
  response: { readonly id: string; readonly items: Items },
): ResponsesRequest | null => {
  const input = newItems(request, response.items)
  return input === null || input.length === 0
    ? null
    : { ...request, input, previous_response_id: response.id }
}

/**
 * Leaves out what the newest compaction of a request stands for: responses and outputs before it. What users said before
 * it stays, as it does where the provider compacts a window by itself; so do calls whose outputs come after it.
 *
 * The server would read all of it again: it leaves out nothing by itself.
 *
 * **Example** (A compacted history)
 *
 * ```ts
 * import { fromCompaction } from "@palimpsest/core/formats/openai-responses"
 *
 * const compacted = { type: "compaction", encrypted_content: "ZW5j" }
 * const hello = { role: "user", content: "Hello" }
 * fromCompaction([hello, { role: "assistant", content: "Hi" }, compacted, hello]).length // => 3
 * ```
 *
 * @category combinators
 * @since 0.1.0
 */
export const fromCompaction = (items: Items): Items => {
  const at = items.findLastIndex((item) => typeOf(item) === "compaction")
  const awaited = new Set(items.slice(at + 1).flatMap((item) => outputIdOf(item) ?? []))
  return items.filter((item, i) => {
    const id = callIdOf(item)
    return i >= at || sideOf(item) === "user" || (id !== undefined && awaited.has(id))
  })
}
