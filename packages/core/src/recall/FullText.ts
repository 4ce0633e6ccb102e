/**
 * All that is to be read in a message, as one text.
 *
 * @since 0.1.0
 */
import { describeMedia } from "../prepass/Images.ts"
import { wellFormed } from "../text/Unicode.ts"
import type { Message, Part, ToolResultPart } from "../thread/Message.ts"

const contentOf = (item: ToolResultPart["content"][number]): string => {
  switch (item.type) {
    case "text":
      return item.text
    case "media":
      return `[${describeMedia(item)}; it cannot be read as text]`
    case "opaque":
      return item.json
  }
}

const partText = (part: Part): ReadonlyArray<string> => {
  switch (part.type) {
    case "text":
    case "media":
    case "opaque":
      return [contentOf(part)]
    case "tool-call":
      return [`[call of ${part.name}]`, part.arguments]
    case "tool-result":
      return [`[result of ${part.name ?? part.call}: ${part.status}]`, ...part.content.map(contentOf)]
    case "approval":
      return [`[${part.approved ? "approved" : "denied"}: ${part.call}]`, part.reason ?? ""]
    case "reasoning":
      return []
  }
}

/**
 * Writes a message as one well-formed text: each text, each call with its arguments and each result in full; a
 * description for an image. Reasoning is left out.
 *
 * **Example** (A result)
 *
 * ```ts
 * import { fullTextOf, toolResult } from "@palimpsest/core"
 *
 * fullTextOf(toolResult("c1", "shipped", { name: "find_order" })) // => "[result of find_order: ok]\nshipped"
 * ```
 *
 * @category rendering
 * @since 0.1.0
 */
export const fullTextOf = (message: Message): string =>
  wellFormed(message.parts.flatMap((part) => partText(part)).join("\n"))
