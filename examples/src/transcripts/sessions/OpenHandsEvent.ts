/** What an event of OpenHands is to a chat. */
import type { Message } from "@palimpsest/core"
import type { Said, Usage } from "../Transcript.ts"

/** `response` is the id of the response that it is a piece of; empty where it is none, or whole. */
export type Event =
  | { readonly _tag: "Said"; readonly said: Said; readonly response: string }
  | { readonly _tag: "System"; readonly text: string }
  | { readonly _tag: "Beside"; readonly kind: string }

/** Makes an event of a message. */
export const saidEvent = (
  message: Message,
  id: string,
  response = "",
  model = "",
  usage: Usage | undefined = undefined,
): Event => ({
  _tag: "Said",
  response,
  said: {
    message: message.role === "assistant" && model !== "" ? { ...message, model } : message,
    origin: {
      ids: [id],
      ...(usage === undefined ? {} : { usage }),
      ...(model === "" ? {} : { model }),
    },
  },
})

/** Makes an event of the words of a user. */
export const userEvent = (text: string, id: string): Event =>
  text === ""
    ? { _tag: "Beside", kind: "empty message" }
    : saidEvent({ role: "user", parts: [{ type: "text", text }] }, id)

/** Makes an event of what the program says in the user's role: the summary of what it forgot. */
export const programEvent = (text: string, id: string): Event =>
  text === ""
    ? { _tag: "Beside", kind: "condensation" }
    : {
        _tag: "Said",
        response: "",
        said: {
          message: { role: "user", synthetic: true, parts: [{ type: "text", text }] },
          origin: { ids: [id], isBoundary: true },
        },
      }
