/**
 * Files without data that can be sent: the AI SDK throws on some, and providers refuse the others. VA8.
 *
 * @since 0.1.0
 */
import type { MediaPart } from "../../thread/Message.ts"
import { isAddress, mediaPlaceholder } from "../format/Media.ts"
import { isBase64, isLink, isSendable } from "./Media.ts"
import { isPart, readItem } from "./Output.ts"
import { contentOf } from "./Read.ts"
import { type AiSdkMessage, type AiSdkPart, fieldsIn, partsOf, stringIn } from "./Wire.ts"

/** What stands for a file: a text that names it. */
export const unsent = (media: MediaPart): AiSdkPart => ({
  type: "text",
  text: mediaPlaceholder(media, "cannot be sent here"),
})

const isSendableItem = (item: AiSdkPart): boolean => {
  switch (item.type) {
    case "media":
    case "image-data":
    case "file-data":
      return isBase64(stringIn(item, "data"))
    // The SDK parses these addresses whatever the model takes.
    case "image-url":
    case "file-url":
      return isLink(stringIn(item, "url"))
    default:
      return true
  }
}

const withItem = (item: unknown): unknown => {
  const read = isPart(item) && !isSendableItem(item) ? readItem(item) : null
  return read?.type === "media" ? unsent(read) : item
}

/** A result without the files that cannot be sent; the result itself where it has none. */
const withItems = (part: AiSdkPart): AiSdkPart => {
  const output = fieldsIn(part, "output")
  const items: ReadonlyArray<unknown> =
    output.type === "content" && Array.isArray(output.value) ? output.value : []
  const value = items.map(withItem)
  return value.every((item, i) => item === items[i]) ? part : { ...part, output: { ...output, value } }
}

/** The files of a response are sent to Gemini alone, and only inline. */
const withFile = (part: AiSdkPart, role: AiSdkMessage["role"]): AiSdkPart => {
  if (part.type === "tool-result") return withItems(part)
  const read = contentOf(part)
  if (read.type !== "media") return part
  const isTaken = isSendable(read) && !(role === "assistant" && isAddress(read.data))
  return isTaken ? part : unsent(read)
}

/** A message with a text in place of each file that cannot be sent; the message itself where it holds none. */
export const withSendableFiles = (message: AiSdkMessage): AiSdkMessage => {
  const parts = partsOf(message)
  const content = parts.map((part) => withFile(part, message.role))
  return content.every((part, i) => part === parts[i]) ? message : { ...message, content }
}
