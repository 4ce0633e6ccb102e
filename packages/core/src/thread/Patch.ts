/**
 * Patches applied to a message: the reduced form in which it is sent.
 *
 * @since 0.1.0
 */
import type { Message, Part, TextPart, ToolResultPart } from "./Message.ts"
import type { Patch } from "./Row.ts"

const patchContent = (content: ToolResultPart["content"], patch: Patch): ToolResultPart["content"] => {
  const text: TextPart = { type: "text", text: patch.text }
  return patch.item === undefined ? [text] : content.map((item, i) => (i === patch.item ? text : item))
}

const patchPart = (part: Part, patch: Patch): Part => {
  switch (part.type) {
    case "tool-call":
      return { ...part, arguments: patch.text }
    case "tool-result":
      return { ...part, content: patchContent(part.content, patch) }
    case "media":
      return { type: "text", text: patch.text }
    case "text":
      return { ...part, text: patch.text }
    case "reasoning":
    case "approval":
    case "opaque":
      return part
  }
}

/**
 * Applies patches to a message. Reasoning and opaque parts are never altered; a patch for a part that is not there
 * does nothing.
 *
 * **Example** (A result sent as one line)
 *
 * ```ts
 * import { applyPatches, textOf, toolResult } from "@palimpsest/core"
 *
 * const sent = applyPatches(toolResult("c1", "a long page"), [{ part: 0, text: "[page: 3 words]" }])
 * textOf(sent.parts) // => "[page: 3 words]"
 * ```
 *
 * @category combinators
 * @since 0.1.0
 */
export const applyPatches = <M extends Message>(message: M, patches: ReadonlyArray<Patch>): M => {
  if (patches.length === 0) return message
  const parts = patches.reduce<ReadonlyArray<Part>>(
    (all, patch) => all.map((part, i) => (i === patch.part ? patchPart(part, patch) : part)),
    message.parts,
  )
  return { ...message, parts } as M
}
