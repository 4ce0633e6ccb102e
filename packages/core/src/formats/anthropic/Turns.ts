/**
 * The turns of a request: the provider reads neighbours of one role as one turn, and so do the rules.
 *
 * @since 0.1.0
 */
import { isFields } from "../format/Fields.ts"
import type { AnthropicBlock, AnthropicMessage, AnthropicRequest } from "./Wire.ts"

/** A block, and where it stands: `messages[3].content[0]`. */
export interface Placed {
  readonly path: string
  readonly block: AnthropicBlock
}

/** What one side says until the other one speaks. */
export interface Turn {
  readonly role: "user" | "assistant"
  /** Where its first message stands. */
  readonly path: string
  readonly placed: ReadonlyArray<Placed>
}

/** The blocks of a message and where they stand. A string is one text, and an empty one is nothing. */
export const placedIn = ({ content }: AnthropicMessage, path: string): ReadonlyArray<Placed> => {
  if (typeof content === "string")
    return content === "" ? [] : [{ path: `${path}.content`, block: { type: "text", text: content } }]
  return content.map((block, i) => ({ path: `${path}.content[${i}]`, block }))
}

/** The blocks of the system prompt and where they stand; none when it is a text. */
export const placedInSystem = ({ system }: AnthropicRequest): ReadonlyArray<Placed> =>
  Array.isArray(system)
    ? system.flatMap((block, i) =>
        isFields(block) && typeof block.type === "string"
          ? [{ path: `system[${i}]`, block: { ...block, type: block.type } }]
          : [],
      )
    : []

/** The side that a message is of: a system message among the others is not the model's. */
export const sideOf = ({ role }: AnthropicMessage): Turn["role"] =>
  role === "assistant" ? "assistant" : "user"

/** The turns of a request, oldest first. */
export const turnsOf = ({ messages }: AnthropicRequest): ReadonlyArray<Turn> => {
  const turns: Array<{ role: Turn["role"]; path: string; placed: Array<Placed> }> = []
  for (const [i, message] of messages.entries()) {
    const path = `messages[${i}]`
    const last = turns.at(-1)
    const placed = placedIn(message, path)
    if (last?.role === sideOf(message)) last.placed.push(...placed)
    else turns.push({ role: sideOf(message), path, placed: [...placed] })
  }
  return turns
}
