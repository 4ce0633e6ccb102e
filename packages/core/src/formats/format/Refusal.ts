/**
 * The refusal of a call by a person, in a format whose results only succeed or fail: it is sent as a failure.
 *
 * @since 0.1.0
 */
import type { ToolResultPart } from "../../thread/Message.ts"
import type { Loss } from "./Conversation.ts"

type Note = (kind: Loss["kind"], what: string, why: string) => void

/** Takes down that a result was a refusal. */
export const noteRefusal = ({ call, status }: ToolResultPart, note: Note): void => {
  if (status === "denied") note("changed", `the refusal of the call ${call}`, "it is sent as a failure")
}
