/**
 * Where a request to Anthropic marks what is to be cached: at the borders of what stays the same.
 *
 * A mark costs nothing where nothing changed before it, and at most four are allowed. A later request finds an entry
 * only up to 20 blocks before one of its own marks (documentation of the Messages API, "Prompt caching"), so one mark
 * stands just where the request before ended.
 *
 * @since 0.1.0
 */

import type { AnthropicBlock, AnthropicMessage, AnthropicRequest } from "../anthropic/Wire.ts"
import { isFields } from "../format/Fields.ts"

/**
 * Borders of a prompt, as numbers of messages of the request.
 *
 * @category models
 * @since 0.1.0
 */
export interface Borders {
  /** Messages that stay until the next pass: the head and the running summary. */
  readonly stable: number
}

/** Most marks of a request, and most blocks that the provider looks back from one. */
const MOST = 4
const LOOK_BACK = 20

const MARK = { type: "ephemeral" } as const

/** The place of a block: its message, and its index there. */
interface Place {
  readonly message: number
  readonly block: number
}

const blocksOf = ({ content }: AnthropicMessage): ReadonlyArray<AnthropicBlock> =>
  typeof content === "string" ? [{ type: "text", text: content }] : content

/** A mark stands on no reasoning and on no blank text. */
const mayCarry = (block: AnthropicBlock): boolean =>
  block.type !== "thinking" &&
  block.type !== "redacted_thinking" &&
  !(block.type === "text" && (typeof block.text !== "string" || block.text.trim() === ""))

const placesOf = (messages: ReadonlyArray<AnthropicMessage>): ReadonlyArray<Place> =>
  messages.flatMap((message, at) =>
    blocksOf(message).flatMap((block, i) => (mayCarry(block) ? [{ message: at, block: i }] : [])),
  )

/** The last place before a message. */
const before = (places: ReadonlyArray<Place>, message: number): Place | undefined =>
  places.findLast((place) => place.message < message)

const numberOf = (messages: ReadonlyArray<AnthropicMessage>, { message, block }: Place): number =>
  messages.slice(0, message).reduce((sum, each) => sum + blocksOf(each).length, block)

/** Where marks go in the messages, most useful first: the end, where the request before ended, the stable border. */
const wanted = (messages: ReadonlyArray<AnthropicMessage>, { stable }: Borders): ReadonlyArray<Place> => {
  const places = placesOf(messages)
  const end = places.at(-1)
  if (end === undefined) return []
  const last = messages.findLastIndex(({ role }) => role === "assistant")
  const previous = last === -1 ? undefined : before(places, last)
  const border = before(places, stable)
  const isFar = (a: Place, b: Place) => numberOf(messages, b) - numberOf(messages, a) > LOOK_BACK
  const between = previous !== undefined && isFar(previous, end) ? before(places, last + 1) : undefined
  return [end, previous, border, between].filter((place) => place !== undefined)
}

const marked = (message: AnthropicMessage, blocks: ReadonlySet<number>): AnthropicMessage =>
  blocks.size === 0
    ? message
    : {
        ...message,
        content: blocksOf(message).map((block, i) =>
          blocks.has(i) ? { ...block, cache_control: MARK } : block,
        ),
      }

const bare = <A>(value: A): A => {
  if (!isFields(value)) return value
  const { cache_control: _, ...rest } = value
  return { ...rest, ...(Array.isArray(value.content) ? { content: value.content.map(bare) } : {}) } as A
}

/** A request without marks: its own, those of its tools and of its messages, inside results too. */
const withoutMarks = ({ cache_control: _, ...request }: AnthropicRequest): AnthropicRequest => ({
  ...request,
  ...(Array.isArray(request.tools) ? { tools: request.tools.map(bare) } : {}),
  messages: request.messages.map(bare),
})

const markSystem = (system: AnthropicRequest["system"]): AnthropicRequest["system"] => {
  const blocks = typeof system === "string" ? [{ type: "text", text: system }] : system
  if (!Array.isArray(blocks)) return system
  const last = blocks.findLastIndex(mayCarry)
  if (last === -1 && typeof system === "string") return system
  return blocks.map((block, i) => (i === last ? { ...block, cache_control: MARK } : bare(block)))
}

const holdsMark = (system: AnthropicRequest["system"]): boolean =>
  Array.isArray(system) && system.some((block) => block.cache_control !== undefined)

/**
 * Puts the marks of a request: at most four, on the system prompt, at the stable border, where the request before
 * ended, and at the end. Marks that were there before are taken away.
 *
 * **Example** (A short chat)
 *
 * ```ts
 * import { cacheMarks } from "@palimpsest/core/formats/anthropic"
 *
 * const request = { system: "Be brief.", messages: [{ role: "user" as const, content: "Hello" }] }
 * JSON.stringify(cacheMarks(request, { stable: 0 })).match(/cache_control/g)?.length // => 2
 * ```
 *
 * @category caching
 * @since 0.1.0
 */
export const cacheMarks = (request: AnthropicRequest, borders: Borders): AnthropicRequest => {
  const system = markSystem(request.system)
  const plain = withoutMarks(request)
  const chosen = wanted(plain.messages, borders).slice(0, holdsMark(system) ? MOST - 1 : MOST)
  const blocksAt = (at: number) =>
    new Set(chosen.filter(({ message }) => message === at).map(({ block }) => block))
  return {
    ...plain,
    ...(system === undefined ? {} : { system }),
    messages: plain.messages.map((message, at) => marked(message, blocksAt(at))),
  }
}
