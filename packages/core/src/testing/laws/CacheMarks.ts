/**
 * Law 6, for requests to Anthropic: the marks of a request are few, stand where it stays the same, and let the next
 * request find what this one put into the cache.
 *
 * @since 0.1.0
 */
import fc from "fast-check"
import { anthropic } from "../../formats/anthropic/Format.ts"
import type { AnthropicBlock, AnthropicMessage, AnthropicRequest } from "../../formats/anthropic/Wire.ts"
import { writeExact } from "../../formats/format/ExactJson.ts"
import { isFields } from "../../formats/format/Fields.ts"
import { cacheMarks } from "../../formats/target/CacheMarks.ts"
import { anthropicMessages } from "../arbitraries/wire/Anthropic.ts"
import { anthropicFrame } from "../arbitraries/wire/AnthropicFrame.ts"
import { type Law, property } from "../Law.ts"

/** Most marks of a request, and most blocks that the provider looks back from one ("Prompt caching"). */
const MOST = 4
const LOOK_BACK = 20

/** A valid request, and how many of its messages stay until the next pass. */
const marking = fc.tuple(anthropicFrame, anthropicMessages, fc.nat(8)).map(([frame, messages, stable]) => {
  const { request } = anthropic.repair({ ...frame, messages })
  return { request, stable: Math.min(stable, request.messages.length) }
})

const blocksOf = ({ content }: AnthropicMessage): ReadonlyArray<AnthropicBlock> =>
  typeof content === "string" ? [{ type: "text", text: content }] : content

const isMarked = (value: unknown): boolean => isFields(value) && value.cache_control !== undefined

const isBlank = ({ type, text }: AnthropicBlock): boolean => type === "text" && String(text).trim() === ""

const isThought = ({ type }: AnthropicBlock): boolean => type === "thinking" || type === "redacted_thinking"

const mayCarry = (block: AnthropicBlock): boolean => !isBlank(block) && !isThought(block)

/** How often a field stands anywhere in a value. */
const timesIn = (value: unknown, field: string): number => {
  if (typeof value !== "object" || value === null) return 0
  const inside = Object.values(value).reduce<number>((sum, each) => sum + timesIn(each, field), 0)
  return inside + (isFields(value) && value[field] !== undefined ? 1 : 0)
}

/** A request without marks, each text as a block. */
const bare = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(bare)
  if (!isFields(value)) return value
  const own = Object.entries(value).flatMap(([key, each]) => {
    if (key === "cache_control") return []
    const isText = (key === "content" && "role" in value) || key === "system"
    return [[key, isText && typeof each === "string" ? [{ type: "text", text: each }] : bare(each)]]
  })
  return Object.fromEntries(own)
}

const few = property(
  "at most four marks, none on thinking or on a blank text, and a valid request stays one",
  fc.property(marking, ({ request, stable }) => {
    const marked = cacheMarks(request, { stable })
    const blocks = [...marked.messages.flatMap(blocksOf), ...systemOf(marked)]
    return (
      timesIn(marked, "cache_control") <= MOST &&
      blocks.every((block) => !isMarked(block) || mayCarry(block)) &&
      anthropic.validate(marked).length === 0
    )
  }),
)

const isRequest = (value: unknown): value is AnthropicRequest => anthropic.decode(value).ok

const neverOdd = property(
  "no mark on thinking or on a blank text, in a request that is not valid either",
  fc.property(anthropicMessages, fc.nat(8), (messages, stable) => {
    const request: unknown = { messages }
    if (!isRequest(request)) return true
    const blocks = cacheMarks(request, { stable }).messages.flatMap(blocksOf)
    return blocks.every((block) => !isMarked(block) || mayCarry(block))
  }),
)

const systemOf = ({ system }: AnthropicRequest): ReadonlyArray<AnthropicBlock> =>
  typeof system === "string" ? [{ type: "text", text: system }] : Array.isArray(system) ? system : []

const unaltered = property(
  "marks change nothing else, and putting them again changes nothing",
  fc.property(marking, ({ request, stable }) => {
    const marked = cacheMarks(request, { stable })
    return (
      writeExact(bare(marked)) === writeExact(bare(request)) &&
      writeExact(cacheMarks(marked, { stable })) === writeExact(marked)
    )
  }),
)

/** Numbers of the blocks of messages that carry a mark. */
const placesIn = (request: AnthropicRequest): ReadonlyArray<number> =>
  request.messages.flatMap(blocksOf).flatMap((block, i) => (isMarked(block) ? [i] : []))

/** The number of the last block of some messages that may carry a mark; -1 where none does. */
const lastOf = (messages: ReadonlyArray<AnthropicMessage>): number =>
  messages.flatMap(blocksOf).findLastIndex(mayCarry)

const borders = property(
  "marks stand at the end of the system prompt, of what stays until the next pass, and of the request",
  fc.property(marking, ({ request, stable }) => {
    const marked = cacheMarks(request, { stable })
    const places = [-1, ...placesIn(marked)]
    const system = systemOf(marked)
    return (
      system.every((block, i) => isMarked(block) === (i === system.findLastIndex(mayCarry))) &&
      places.includes(lastOf(request.messages.slice(0, stable))) &&
      places.includes(lastOf(request.messages))
    )
  }),
)

/** What a step appends: a response of some blocks, and what answers it. */
const step = fc.integer({ min: 1, max: 30 }).map(
  (calls): ReadonlyArray<AnthropicMessage> => [
    {
      role: "assistant",
      content: Array.from({ length: calls }, (_, i) => ({
        type: "tool_use",
        id: `s${i}`,
        name: "find",
        input: {},
      })),
    },
    {
      role: "user",
      content: Array.from({ length: calls }, (_, i) => ({
        type: "tool_result",
        tool_use_id: `s${i}`,
        content: "found",
      })),
    },
  ],
)

const found = property(
  "the next request has a mark from which the provider finds what this one cached, and no more than four",
  fc.property(marking, fc.array(step, { minLength: 1, maxLength: 3 }), ({ request, stable }, steps) => {
    let before = cacheMarks(request, { stable })
    return steps.every((messages) => {
      const next = cacheMarks({ ...before, messages: [...before.messages, ...messages] }, { stable })
      const cached = placesIn(before).at(-1)
      before = next
      if (timesIn(next, "cache_control") > MOST) return false
      if (cached === undefined) return true
      return placesIn(next).some((place) => place >= cached && place - cached <= LOOK_BACK)
    })
  }),
)

/**
 * Says where `cacheMarks` puts its marks.
 *
 * @category laws
 * @since 0.1.0
 */
export const cacheMarksLaw: Law = {
  number: 6,
  title: "Prefix stability: the marks of the Messages API",
  properties: [few, neverOdd, unaltered, borders, found],
}
