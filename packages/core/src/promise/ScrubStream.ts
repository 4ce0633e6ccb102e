/**
 * Removes fences from what a model streams, for hosts without Effect.
 *
 * @since 0.1.0
 */
import { scrubChunk, scrubEnd, scrubStart } from "../text/Scrub.ts"

/**
 * Scrubs a stream of a model's text: what comes out, joined, is what `scrub` makes of the whole. A host that stops
 * reading ends the stream that it reads from; where that one fails, what was held back is not shown.
 *
 * **Example** (A fence in pieces)
 *
 * ```ts
 * import { scrubStream } from "@palimpsest/core/promise"
 *
 * async function* reply() {
 *   yield "Su"
 *   yield "re.\n<memory-"
 *   yield "context>\nold\n</memory-context>\nBoo"
 *   yield "ked."
 * }
 * let text = ""
 * for await (const chunk of scrubStream(reply())) text += chunk
 * text // => "Sure.\nBooked."
 * ```
 *
 * @category combinators
 * @since 0.1.0
 */
export async function* scrubStream(chunks: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
  let state = scrubStart
  for await (const chunk of chunks) {
    const step = scrubChunk(state, chunk)
    state = step.state
    if (step.text !== "") yield step.text
  }
  const rest = scrubEnd(state)
  if (rest !== "") yield rest
}
