/**
 * Which reasoning of earlier responses is sent: a decision on plain data.
 *
 * Signed reasoning goes out unaltered or not at all. Which of it a provider still takes depends on who signed it and,
 * for some models, on whether anything before it has changed.
 *
 * @since 0.1.0
 */
import type { AssistantMessage, Message } from "../../thread/Message.ts"
import type { FormatName, Item } from "../format/Conversation.ts"
import { familyOf, type Target } from "./Target.ts"

/**
 * A message of a history, and whether what stands before it is what stood there when it was written.
 *
 * @category models
 * @since 0.1.0
 */
export interface Remembered extends Item {
  readonly prefix: "kept" | "changed"
}

/**
 * Why reasoning is left out.
 *
 * @category models
 * @since 0.1.0
 */
export type ReasoningDrop =
  | "the format has no place for it"
  | "another family of models signed it"
  | "what stands before it has changed"
  | "its turn is over"
  | "nothing signed it"

/**
 * What the policy decides: the messages that are sent, the reasoning that is not, and whether the model may think.
 *
 * @category models
 * @since 0.1.0
 */
export interface Thought {
  readonly items: ReadonlyArray<Item>
  readonly dropped: ReadonlyArray<{ readonly message: number; readonly why: ReasoningDrop }>
  /**
   * `off` when a tool loop goes on whose reasoning cannot be sent: the provider wants it back as long as thinking is
   * on. Otherwise the host's own choice stands.
   */
  readonly thinking: "free" | "off"
}

/** Who signed something, as the family of models: by the model's name, else by the format of its provider. */
const BY_FORMAT: Partial<Record<FormatName, string>> = {
  anthropic: "anthropic",
  gemini: "google",
  "openai-responses": "openai",
}

const signerOf = ({ model, format }: AssistantMessage): string | undefined => {
  if (model !== undefined) return familyOf(model)
  return Object.entries(BY_FORMAT).find(([name]) => name === format)?.[1]
}

const isReasoning = (part: AssistantMessage["parts"][number]): boolean => part.type === "reasoning"

const holdsReasoning = (message: Message): message is AssistantMessage =>
  message.role === "assistant" && message.parts.some(isReasoning)

const isSigned = ({ parts }: AssistantMessage): boolean =>
  parts.some((part) => part.type === "reasoning" && part.signature !== undefined)

/** Index of the first message of the turn that goes on: what follows the newest words of a user. */
const turnStart = (items: ReadonlyArray<Item>): number =>
  items.findLastIndex(({ message }) => message.role === "user" && message.synthetic !== true) + 1

/** Whether the model is in the middle of a tool loop: the newest thing said are results. */
const isLoopOpen = (items: ReadonlyArray<Item>): boolean => items.at(-1)?.message.role === "tool"

const whyNot = (
  message: AssistantMessage,
  { prefix }: Remembered,
  inTurn: boolean,
  { reasoning, family }: Target,
): ReasoningDrop | null => {
  if (reasoning === "none") return "the format has no place for it"
  if (!isSigned(message)) return reasoning === "turn" ? null : "nothing signed it"
  if (signerOf(message) !== family) return "another family of models signed it"
  if (reasoning === "prefix" && prefix === "changed") return "what stands before it has changed"
  return reasoning === "turn" && !inTurn ? "its turn is over" : null
}

/** The response without its reasoning; its form as it came holds the reasoning, and goes with it. */
const without = (message: AssistantMessage): Item => ({
  message: { ...message, parts: message.parts.filter((part) => !isReasoning(part)) },
})

/**
 * Decides which reasoning is sent to a target.
 *
 * **Example** (A response from before a pass)
 *
 * ```ts
 * import type { AssistantMessage } from "@palimpsest/core"
 * import { makeTarget, thinkingPolicy } from "@palimpsest/core/formats"
 *
 * const message: AssistantMessage = {
 *   role: "assistant",
 *   format: "anthropic",
 *   parts: [{ type: "reasoning", text: "Hm.", signature: "c2ln" }, { type: "text", text: "Yes." }],
 * }
 * const target = makeTarget({ format: "anthropic", model: "claude-fable-5-1", window: 200_000 })
 * thinkingPolicy([{ message, prefix: "kept" }], target).dropped // => []
 * thinkingPolicy([{ message, prefix: "changed" }], target).dropped[0]?.why // => "what stands before it has changed"
 * ```
 *
 * @category decisions
 * @since 0.1.0
 */
export const thinkingPolicy = (history: ReadonlyArray<Remembered>, target: Target): Thought => {
  const start = turnStart(history)
  const dropped: Array<Thought["dropped"][number]> = []
  let isLost = false
  const items = history.map((item, at): Item => {
    const { message, raw } = item
    const plain: Item = raw === undefined ? { message } : { message, raw }
    if (!holdsReasoning(message)) return plain
    const why = whyNot(message, item, at >= start, target)
    if (why === null) return plain
    dropped.push({ message: at, why })
    isLost ||= at >= start && isSigned(message)
    return without(message)
  })
  const isOff = isLost && isLoopOpen(history) && target.reasoning !== "none"
  return { items, dropped, thinking: isOff ? "off" : "free" }
}
