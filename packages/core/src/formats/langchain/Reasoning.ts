/**
 * Where reasoning stands in LangChain's messages: what is signed, as the integration of its provider keeps it, so that
 * it comes back to that provider unaltered; what is not, beside the content.
 *
 * @since 0.1.0
 */
import type { AssistantMessage, Part, ReasoningPart } from "../../thread/Message.ts"
import type { Loss } from "../format/Conversation.ts"
import type { Fields } from "../format/Fields.ts"
import type { Block } from "./Wire.ts"

/** Collects what cannot be said, for one message. */
export type Note = (kind: Loss["kind"], what: string, why: string) => void

/** What reasoning adds to a response. */
export interface WrittenReasoning {
  /** Blocks of the content, in place of their parts. */
  readonly blocks: ReadonlyMap<Part, ReadonlyArray<Block>>
  readonly kwargs: Fields
  readonly metadata: Fields
}

/** The names that the integrations go by in `model_provider`. */
const PROVIDERS: ReadonlyMap<string, string> = new Map([
  ["anthropic", "anthropic"],
  ["gemini", "google-genai"],
  ["openai-responses", "openai"],
])

const blockOf = ({ text, signature, redacted }: ReasoningPart): Block =>
  redacted === true
    ? { type: "redacted_thinking", data: signature }
    : { type: "thinking", thinking: text, signature }

/** An item of OpenAI's Responses. */
const itemOf = ({ id, text, signature }: ReasoningPart): Fields => ({
  ...(id === undefined ? {} : { id }),
  type: "reasoning",
  summary: text === "" ? [] : [{ type: "summary_text", text }],
  ...(signature === undefined ? {} : { encrypted_content: signature }),
})

const isBound = ({ signature, id }: ReasoningPart): boolean => signature !== undefined || id !== undefined

/** Reasoning without a signature, which some servers want back: one text. */
const plainKwargs = (plain: ReadonlyArray<ReasoningPart>, note: Note): Fields => {
  const texts = plain.map(({ text }) => text).filter((text) => text !== "")
  if (texts.length > 1) note("changed", "reasoning", "the format has one place for it")
  return texts.length === 0 ? {} : { reasoning_content: texts.join("\n\n") }
}

const responsesKwargs = (bound: ReadonlyArray<ReasoningPart>, note: Note): Fields => {
  const [first, ...others] = bound
  for (const _ of others) note("dropped", "reasoning", "the format has a place for one item")
  return first === undefined ? {} : { reasoning: itemOf(first) }
}

/** Writes the reasoning of a response. */
export const writeReasoning = ({ parts, format }: AssistantMessage, note: Note): WrittenReasoning => {
  const all = parts.filter((part) => part.type === "reasoning")
  const kwargs = plainKwargs(
    all.filter((part) => !isBound(part)),
    note,
  )
  const bound = all.filter(isBound)
  const provider = PROVIDERS.get(format ?? "")
  const metadata = provider === undefined ? {} : { model_provider: provider }
  if (format === "openai-responses")
    return { blocks: new Map(), kwargs: { ...responsesKwargs(bound, note), ...kwargs }, metadata }
  const isKept = ({ signature, redacted }: ReasoningPart): boolean =>
    signature !== undefined &&
    signature !== "" &&
    (redacted === true ? format === "anthropic" : provider !== undefined)
  for (const _ of bound.filter((part) => !isKept(part)))
    note("dropped", "reasoning", "it has no signature of a provider that is known")
  const blocks = new Map(bound.filter(isKept).map((part) => [part, [blockOf(part)]] as const))
  return { blocks, kwargs, metadata }
}
