/**
 * Law 3, for what no single request of the Messages API shows: thinking is sent as it came or not at all, and a slice
 * of a thread that is counted is one that could be sent.
 *
 * @since 0.1.0
 */
import fc from "fast-check"
import { anthropic } from "../../formats/anthropic/Format.ts"
import { isThinking } from "../../formats/anthropic/Kinds.ts"
import { turnsOf } from "../../formats/anthropic/Turns.ts"
import type { AnthropicBlock, AnthropicRequest } from "../../formats/anthropic/Wire.ts"
import { conversation } from "../../formats/format/Conversation.ts"
import { isFields } from "../../formats/format/Fields.ts"
import { wellFormed } from "../../text/Unicode.ts"
import type { AssistantMessage, Message } from "../../thread/Message.ts"
import { applyPatches } from "../../thread/Patch.ts"
import { arbitraryThread } from "../arbitraries/Messages.ts"
import { wireText } from "../arbitraries/Wire.ts"
import { anthropicMessages } from "../arbitraries/wire/Anthropic.ts"
import { anthropicFrame } from "../arbitraries/wire/AnthropicFrame.ts"
import { type Law, property } from "../Law.ts"

/** A block of thinking as text, without the breakpoint that no such block may carry. */
const bytesOf = ({ cache_control: _, ...block }: AnthropicBlock): string => JSON.stringify(block)

const thinkingIn = (request: AnthropicRequest): ReadonlyArray<string> =>
  turnsOf(request.messages).flatMap(({ placed }) =>
    placed.flatMap(({ block }) => (isThinking(block) ? [bytesOf(block)] : [])),
  )

/** Whether some of a list is left, in its order and as it was. */
const isLeftOf = (some: ReadonlyArray<string>, all: ReadonlyArray<string>): boolean =>
  all.reduce((next, one) => (some[next] === one ? next + 1 : next), 0) === some.length

const isRequest = (value: unknown): value is AnthropicRequest =>
  isFields(value) && Array.isArray(value.messages)

const neverAltered = property(
  "repair leaves each block of thinking as it came, or leaves it out",
  fc.property(anthropicFrame, anthropicMessages, (frame, messages) => {
    const request: unknown = { ...frame, messages }
    return isRequest(request) && isLeftOf(thinkingIn(anthropic.repair(request).request), thinkingIn(request))
  }),
)

const wholeText = wireText.map(wellFormed)

/** A signed response that goes on after its thinking. */
const signedResponse: fc.Arbitrary<AssistantMessage> = fc
  .array(
    fc.record(
      {
        type: fc.constant("reasoning" as const),
        text: wholeText,
        signature: fc.constantFrom("c2ln", "c2lnMg=="),
        redacted: fc.constant(true),
      },
      { requiredKeys: ["type", "text", "signature"] },
    ),
    { minLength: 1, maxLength: 3 },
  )
  .map((reasoning) => ({
    role: "assistant",
    format: "anthropic",
    parts: [
      ...reasoning,
      { type: "text", text: "Let me look." },
      { type: "tool-call", id: "c1", name: "find", arguments: '{"a":1}' },
    ],
  }))

/** The first blocks that are written for a message. */
const firstOf = (message: Message, count: number): ReadonlyArray<AnthropicBlock> =>
  turnsOf(anthropic.encode(conversation([message])).request.messages)
    .flatMap(({ placed }) => placed.map(({ block }) => block))
    .slice(0, count)

const neverReduced = property(
  "whatever becomes of the rest of a response, its thinking is written as it was read",
  fc.property(
    signedResponse,
    fc.array(fc.record({ part: fc.nat(4), text: wireText })),
    (response, patches) => {
      const expected = response.parts.flatMap((part): ReadonlyArray<object> => {
        if (part.type !== "reasoning") return []
        const { text: thinking, signature } = part
        return part.redacted === true
          ? [{ type: "redacted_thinking", data: signature }]
          : [{ type: "thinking", thinking, signature }]
      })
      const written = firstOf(applyPatches(response, patches), expected.length)
      return JSON.stringify(written) === JSON.stringify(expected)
    },
  ),
)

/** Rules that a slice may break by where it begins and ends, and by its images; never those of calls and results. */
const OF_SLICES = ["AN1", "AN10", "AN20"]

const slices = property(
  "a slice between turns breaks no rule of calls and results, and any other slice is valid once it is repaired",
  fc.property(arbitraryThread({ endless: 0, groups: 2 }), fc.nat(), fc.nat(), (thread, from, to) => {
    const borders = thread.flatMap(({ role }, i) => (role === "user" ? [i] : []))
    const at = (pick: number): number => borders[pick % Math.max(1, borders.length)] ?? 0
    const encoded = (start: number, end: number) =>
      anthropic.encode(conversation(thread.slice(start, end))).request
    const whole = anthropic.validate(encoded(Math.min(at(from), at(to)), Math.max(at(from), at(to))))
    const any = encoded(from % (thread.length + 1), thread.length)
    return (
      whole.every(({ rule }) => OF_SLICES.includes(rule)) &&
      anthropic.validate(anthropic.repair(any).request).length === 0
    )
  }),
)

/**
 * Says that thinking is never altered, and that only whole turns are counted as they are.
 *
 * @category laws
 * @since 0.1.0
 */
export const anthropicThinkingLaw: Law = {
  number: 3,
  title: "Validity: anthropic, its thinking and its slices",
  properties: [neverAltered, neverReduced, slices],
}
