/**
 * What the rules look at: the turns of a request. The provider reads neighbours of one role as one turn, and so do
 * the rules.
 *
 * @since 0.1.0
 */
import { isFields } from "../format/Fields.ts"
import { innerBlocks } from "./Kinds.ts"
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

/** A message, and its index. */
type Numbered = readonly [message: AnthropicMessage, index: number]

/** Messages side by side that are of one role: a first one, and those right after it. */
export const neighboursIn = (
  messages: ReadonlyArray<AnthropicMessage>,
): ReadonlyArray<readonly [Numbered, ...ReadonlyArray<Numbered>]> => {
  const all: Array<[Numbered, ...Array<Numbered>]> = []
  for (const [i, message] of messages.entries()) {
    const last = all.at(-1)
    if (last !== undefined && sideOf(last[0][0]) === sideOf(message)) last.push([message, i])
    else all.push([[message, i]])
  }
  return all
}

/** The turns of messages, oldest first. */
export const turnsOf = (messages: ReadonlyArray<AnthropicMessage>): ReadonlyArray<Turn> =>
  neighboursIn(messages).map((neighbours) => ({
    role: sideOf(neighbours[0][0]),
    path: `messages[${neighbours[0][1]}]`,
    placed: neighbours.flatMap(([message, i]) => placedIn(message, `messages[${i}]`)),
  }))

/** A request as the rules see it: made once, looked at by all. */
export interface View {
  readonly request: AnthropicRequest
  readonly turns: ReadonlyArray<Turn>
  /** Every block of the messages, those inside results right after them. */
  readonly blocks: ReadonlyArray<Placed>
}

/** Makes the view of a request. */
export const viewOf = (request: AnthropicRequest): View => {
  const turns = turnsOf(request.messages)
  const blocks = turns.flatMap(({ placed }) =>
    placed.flatMap((one) => [
      one,
      ...innerBlocks(one.block).map((block, i) => ({ path: `${one.path}.content[${i}]`, block })),
    ]),
  )
  return { request, turns, blocks }
}
