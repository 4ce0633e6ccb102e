/**
 * Fences that a model repeated in its answer: left out of what is sent, from the start.
 *
 * @since 0.1.0
 */
import { scrub } from "../text/Scrub.ts"
import type { Message } from "../thread/Message.ts"
import type { Patch } from "../thread/Row.ts"
import { isSigned } from "./Reduce.ts"

/** Stands where nothing else was said: no provider takes a blank text. */
const NOTHING_ELSE = "…"

/**
 * The patches that take whole fences out of the texts of a response. The row keeps what the provider gave, byte for
 * byte; what is sent again is without them, in each later prompt alike. Empty for most messages.
 *
 * **Gotchas**
 *
 * A response with signed parts is sent as it came, or not at all: there a host scrubs what it shows, and the fence
 * stays in the prompt until the row is covered.
 *
 * **Example** (A memory that was repeated)
 *
 * ```ts
 * import { assistant, scrubAtIngest } from "@palimpsest/core"
 *
 * const message = assistant("Sure.\n<memory-context>\nold\n</memory-context>\nBooked.")
 * scrubAtIngest(message) // => [{ part: 0, text: "Sure.\nBooked." }]
 * ```
 *
 * @category combinators
 * @since 0.1.0
 */
export const scrubAtIngest = (message: Message): ReadonlyArray<Patch> => {
  if (message.role !== "assistant" || isSigned(message)) return []
  return message.parts.flatMap((part, i) => {
    if (part.type !== "text") return []
    const text = scrub(part.text)
    return text === part.text ? [] : [{ part: i, text: text.trim() === "" ? NOTHING_ELSE : text }]
  })
}
