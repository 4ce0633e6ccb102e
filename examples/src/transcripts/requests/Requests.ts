/** Messages and requests in the formats of providers and frameworks. */
import type { Format, FormatName } from "@palimpsest/core/formats"
import { aiSdk } from "@palimpsest/core/formats/ai-sdk"
import { aiSdkUi } from "@palimpsest/core/formats/ai-sdk-ui"
import { anthropic } from "@palimpsest/core/formats/anthropic"
import { effectPrompt } from "@palimpsest/core/formats/effect-prompt"
import { gemini } from "@palimpsest/core/formats/gemini"
import { langchain } from "@palimpsest/core/formats/langchain"
import { openAiChat } from "@palimpsest/core/formats/openai-chat"
import { openAiResponses } from "@palimpsest/core/formats/openai-responses"
import { Result } from "effect"
import { textAt } from "../Fields.ts"
import { malformed, type Reading, whole } from "../Reader.ts"
import type { Source } from "../Source.ts"
import { FORMATS, type Transcript, type TranscriptError, transcriptOf } from "../Transcript.ts"
import { type Chat, chatsIn, placeIn } from "./Chats.ts"
import { formatOf } from "./Signs.ts"

/** A format, and the field in which its requests hold their messages. */
interface Known {
  readonly key: string
  readonly format: Format<unknown>
}

/** The formats of requests. */
export const REQUEST_FORMATS: { readonly [name in FormatName]: Known } = {
  "openai-chat": { key: "messages", format: openAiChat },
  "openai-responses": { key: "input", format: openAiResponses },
  anthropic: { key: "messages", format: anthropic },
  gemini: { key: "contents", format: gemini },
  "ai-sdk": { key: "messages", format: aiSdk },
  "ai-sdk-ui": { key: "messages", format: aiSdkUi },
  langchain: { key: "messages", format: langchain },
  "effect-prompt": { key: "content", format: effectPrompt },
}

/** A chat as its format takes it: the request where the list stands in the field that the format names. */
export const requestOf = (chat: Chat): { readonly name: FormatName; readonly request: unknown } => {
  const name = formatOf(chat)
  return { name, request: chat.key === REQUEST_FORMATS[name].key ? chat.value : chat.list }
}

const readChat = (chat: Chat, file: string, number: string): Result.Result<Transcript, TranscriptError> => {
  const { name, request } = requestOf(chat)
  const decoded = REQUEST_FORMATS[name].format.decode(request)
  if (!decoded.ok) {
    const inside = request === chat.value || chat.key === null ? decoded.path : `${chat.key}${decoded.path}`
    const why = `${placeIn(chat, inside)}: ${decoded.reason}`
    const remedy = `Each message must have the form of ${FORMATS[name]}.`
    return Result.fail(malformed(file, FORMATS[name], why, remedy))
  }
  const said = decoded.conversation.items.map(({ message, raw }) => ({
    message,
    origin: { ids: [], ...(raw === undefined ? {} : { raw }) },
  }))
  const id = chat.key === null ? "" : textAt(chat.value, "id")
  return Result.succeed(
    transcriptOf(name, id === "" ? `${file}${number}` : id, said, { system: decoded.conversation.system }),
  )
}

/** Reads the chats of a file; undefined when it holds no list of messages. */
export const readRequests = (source: Source): Reading | undefined => {
  const chats = chatsIn(source)
  if (chats === undefined) return undefined
  return Result.flatMap(whole(source), () =>
    Result.all(chats.map((chat, i) => readChat(chat, source.name, chats.length === 1 ? "" : `#${i + 1}`))),
  )
}
