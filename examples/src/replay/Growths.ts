/**
 * How far estimates are off, from what providers reported of recorded chats.
 *
 * A recording has neither the tools nor, often, the system prompt, so totals cannot be compared. What a prompt grew by
 * since an earlier one of the same model can: it is the messages between them.
 */
import { type CountedPrompt, type Counting, countMessage, type Message, scriptOf } from "@palimpsest/core"
import type { Origin, Transcript } from "../transcripts/Transcript.ts"

/** Below this growth the numbers are more of overheads than of texts. */
const LEAST = 500

/** A prompt that a provider counted. */
interface Measured {
  readonly model: string
  readonly prompt: number
  /** Index of its response. */
  readonly at: number
}

const measuredAt = ({ usage, model }: Origin, at: number): Measured | null =>
  usage === undefined || model === undefined ? null : { model, prompt: usage.prompt, at }

/** All texts of a message, whatever they are for. */
const textIn = (message: Message): string =>
  message.parts
    .flatMap((part) => {
      if (part.type === "tool-call") return [part.arguments]
      if (part.type === "tool-result")
        return part.content.flatMap((item) => (item.type === "text" ? [item.text] : []))
      return part.type === "text" || part.type === "reasoning" ? [part.text] : []
    })
    .join("\n")

/** What is sent again of a message: reasoning that nobody signed is not. */
const sentAgain = (message: Message): Message =>
  message.role === "assistant"
    ? {
        ...message,
        parts: message.parts.filter((part) => part.type !== "reasoning" || part.signature !== undefined),
      }
    : message

/** Growths of the prompts of a chat, as they were estimated and as they were. */
export const growths = (
  { name, messages, origins }: Pick<Transcript, "name" | "messages" | "origins">,
  { counter, accounting }: Counting,
): ReadonlyArray<CountedPrompt> => {
  const found: Array<CountedPrompt> = []
  let base: Measured | null = null
  let boundary: string | null = null
  for (const [at, origin] of origins.entries()) {
    if (origin.isBoundary === true) {
      base = null
      boundary = String(at)
    }
    const here = measuredAt(origin, at)
    if (here === null) continue
    const real: number = base === null ? 0 : here.prompt - base.prompt
    if (base === null || base.model !== here.model || real < 0) base = here
    else if (real >= LEAST) {
      const between = messages.slice(base.at, at).map(sentAgain)
      const estimated = between.reduce((sum, each) => sum + countMessage(each, counter, accounting), 0)
      const script = scriptOf(between.map(textIn).join("\n"))
      found.push({ model: here.model, script, estimated, reported: real, chat: name, boundary })
      base = here
    }
  }
  return found
}

/** The mean of how far estimates are off, up or down, as a share of what is real; null when there are none. */
export const meanError = (prompts: ReadonlyArray<CountedPrompt>): number | null =>
  prompts.length === 0
    ? null
    : prompts.reduce((sum, { estimated, reported }) => sum + Math.abs(estimated / reported - 1), 0) /
      prompts.length
