/**
 * From a list of Chat Completions messages to a thread.
 *
 * @since 0.1.0
 */
import type { Message } from "../../thread/Message.ts"
import { messagesIn } from "../format/Conversation.ts"
import { openAiChat } from "./Format.ts"
import { checkArguments } from "./Shape.ts"

/**
 * What `fromOpenAiChat` gives: the system prompt and the thread, or where the value is not of this format.
 *
 * @category models
 * @since 0.1.0
 */
export type OpenAiThread =
  | { readonly ok: true; readonly system: string | null; readonly messages: ReadonlyArray<Message> }
  | { readonly ok: false; readonly path: string; readonly reason: string }

/**
 * Reads a list of Chat Completions messages: what came from a file or another program, unchecked. `openAiChat.decode`
 * reads whole requests, and keeps what the messages of a thread have no place for.
 *
 * **Details**
 *
 * A first `system` or `developer` message is the system prompt; later ones become synthetic user messages. Refusals
 * are read as text, `reasoning_content` and its like as reasoning; parts that are not known here, audio
 * and calls of the old `function_call` form are kept as opaque JSON, and the results of those calls become synthetic
 * user messages, since they have no ids. Arguments keep their bytes.
 *
 * **Gotchas**
 *
 * The format has no field for the outcome of a call: each result is read as `ok`.
 *
 * **Example** (Where a value is wrong)
 *
 * ```ts
 * import { fromOpenAiChat } from "@palimpsest/core/formats/openai-chat"
 *
 * const read = fromOpenAiChat([{ role: "system", content: "Be brief." }, { role: "user", content: 7 }])
 * read.ok ? "" : `${read.path}: ${read.reason}` // => "[1].content: expected a list"
 * ```
 *
 * @category codecs
 * @since 0.1.0
 */
export const fromOpenAiChat = (json: unknown): OpenAiThread => {
  if (!Array.isArray(json)) return { ok: false, path: "", reason: "expected a list of messages" }
  const decoded = openAiChat.decode(json)
  if (!decoded.ok) return decoded
  const odd = json.map((message, i) => checkArguments(message, `[${i}]`)).find((fault) => fault !== null)
  if (odd !== undefined) return odd
  const { conversation } = decoded
  return { ok: true, system: conversation.system, messages: messagesIn(conversation) }
}
