/** Chats in the form of OpenAI's Chat Completions. */
import { fromOpenAiChat } from "@palimpsest/core/formats/openai-chat"
import { Result } from "effect"
import { type Transcript, TranscriptError } from "./Transcript.ts"

/** A list of messages, and where in the file it stands. */
export interface Chat {
  readonly path: string
  readonly messages: unknown
}

const REMEDY = "Each message needs a role, and content or tool_calls, as in a Chat Completions request."

/** Reads one chat. */
export const readChat = (
  chat: Chat,
  file: string,
  name: string,
): Result.Result<Transcript, TranscriptError> => {
  const reading = fromOpenAiChat(chat.messages)
  if (!reading.ok) {
    const reason = `${chat.path}${reading.path}: ${reading.reason}`
    return Result.fail(new TranscriptError({ name: file, reason, remedy: REMEDY }))
  }
  const { system, messages } = reading
  const origins = messages.map(() => ({ ids: [] }))
  return Result.succeed({ format: "openai-chat", name, system, messages, origins, skipped: 0, notes: [] })
}

/** Reads the chats of a file. Several are numbered from 1. */
export const readChats = (
  chats: ReadonlyArray<Chat>,
  file: string,
): Result.Result<ReadonlyArray<Transcript>, TranscriptError> =>
  Result.all(chats.map((chat, i) => readChat(chat, file, chats.length === 1 ? file : `${file}#${i + 1}`)))
