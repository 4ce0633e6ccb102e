/**
 * From the messages of a thread to a list of Chat Completions messages.
 *
 * @since 0.1.0
 */
import type { Message } from "../../thread/Message.ts"
import { conversation } from "../format/Conversation.ts"
import { wellFormedDeep } from "../format/WellFormed.ts"
import { openAiChat } from "./Format.ts"
import type { OpenAiMessage } from "./Wire.ts"

/**
 * Turns messages of a thread into Chat Completions messages, with the system prompt first. `openAiChat.encode` does
 * it for a whole conversation, in the form in which it came, and lists what could not be said.
 *
 * **Details**
 *
 * Reasoning is not sent: the official API has no field for it. Each result is one `tool` message, of text only;
 * its images follow in one user message after all results of that response. A result without text becomes
 * `(no output)`, a blank user message `(blank)`, and a response without text and calls is left out. An opaque part
 * goes back to its own format only. Names of tools and ids of calls that the API refuses are changed; lone surrogates
 * become U+FFFD. Otherwise texts, ids and arguments keep their bytes.
 *
 * **Gotchas**
 *
 * It repairs nothing: a thread with calls that have no results makes a request that `validateOpenAiChat` refuses.
 *
 * **Example** (A prompt)
 *
 * ```ts
 * import { toolResult, assistant, user } from "@palimpsest/core"
 * import { toOpenAiChat } from "@palimpsest/core/formats/openai-chat"
 *
 * const call = { id: "c1", name: "find", arguments: "{\"id\":7}" }
 * const thread = [user("Where is it?"), assistant("", [call]), toolResult("c1", "")]
 * const wire = toOpenAiChat(thread, { system: "Be brief." })
 * wire.map((message) => message.role) // => ["system", "user", "assistant", "tool"]
 * wire[3]?.content // => "(no output)"
 * ```
 *
 * @category codecs
 * @since 0.1.0
 */
export const toOpenAiChat = (
  messages: ReadonlyArray<Message>,
  options: { readonly system?: string } = {},
): ReadonlyArray<OpenAiMessage> => {
  const { system = "" } = options
  const { request } = openAiChat.encode(conversation(messages, { system: system === "" ? null : system }))
  return wellFormedDeep(request.messages)
}
