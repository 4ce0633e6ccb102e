/**
 * Removes fences from what a model streams.
 *
 * @since 0.1.0
 */
import { Stream } from "effect"
import { scrubChunk, scrubEnd, scrubStart } from "../text/Scrub.ts"

const shown = (text: string): ReadonlyArray<string> => (text === "" ? [] : [text])

/**
 * Scrubs a stream of a model's text: what comes out, joined, is what `scrub` makes of the whole. Where the stream fails,
 * what was held back is not shown: the start of a line that may have been a tag, or of a fence.
 *
 * **Example** (A fence in pieces)
 *
 * ```ts
 * import { scrubStream } from "@palimpsest/core/engine"
 * import { Effect, Stream } from "effect"
 *
 * const chunks = Stream.make("Su", "re.\n<memory-", "context>\nold\n</memory-context>\nBoo", "ked.")
 * const text = await Effect.runPromise(Stream.mkString(scrubStream(chunks)))
 * text // => "Sure.\nBooked."
 * ```
 *
 * @category combinators
 * @since 0.1.0
 */
export const scrubStream = <E, R>(chunks: Stream.Stream<string, E, R>): Stream.Stream<string, E, R> =>
  Stream.mapAccum(
    chunks,
    () => scrubStart,
    (state, chunk) => {
      const step = scrubChunk(state, chunk)
      return [step.state, shown(step.text)] as const
    },
    { onHalt: (state) => shown(scrubEnd(state)) },
  )
