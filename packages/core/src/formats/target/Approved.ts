/**
 * Calls that a person approved and that the framework is about to run.
 *
 * @since 0.1.0
 */
import type { Slot } from "../../prompt/Layout.ts"
import type { ToolMessage } from "../../thread/Message.ts"
import type { FormatName } from "../format/Conversation.ts"

/** Frameworks that run an approved call themselves before they ask the model, unless it has a result. */
const RUNNERS: ReadonlySet<FormatName> = new Set(["ai-sdk", "ai-sdk-ui"])

const approvedIn = (slots: ReadonlyArray<Slot>): ReadonlySet<string> =>
  new Set(
    slots.flatMap(({ message }) =>
      message.role === "tool"
        ? message.parts.flatMap((part) => (part.type === "approval" && part.approved ? [part.call] : []))
        : [],
    ),
  )

/**
 * Takes away what closes approved calls at the end of a prompt, where the framework that gets it is to run them.
 *
 * @category combinators
 * @since 0.1.0
 */
export const leaveToRun = (slots: ReadonlyArray<Slot>, format: FormatName): ReadonlyArray<Slot> => {
  const last = slots.at(-1)
  if (!RUNNERS.has(format) || last?.row !== null || last.message.role !== "tool") return slots
  const approved = approvedIn(slots)
  const parts = last.message.parts.filter((part) => !approved.has(part.call))
  const message: ToolMessage = { ...last.message, parts }
  return [...slots.slice(0, -1), ...(parts.length === 0 ? [] : [{ ...last, message }])]
}
