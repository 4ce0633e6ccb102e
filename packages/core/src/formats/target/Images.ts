/**
 * Images for a model that takes none: a line stands for each.
 *
 * @since 0.1.0
 */
import type { MediaPart, Message, TextPart } from "../../thread/Message.ts"
import type { Item, Loss } from "../format/Conversation.ts"
import { mediaPlaceholder } from "../format/Media.ts"

const line = (media: MediaPart): TextPart => ({
  type: "text",
  text: mediaPlaceholder(media, "this model takes none"),
})

const isImage = (part: { readonly type: string }): part is MediaPart =>
  part.type === "media" && "mediaType" in part && String(part.mediaType).startsWith("image/")

const blind = (message: Message): Message => {
  switch (message.role) {
    case "user":
      return { ...message, parts: message.parts.map((part) => (isImage(part) ? line(part) : part)) }
    case "assistant":
      return { ...message, parts: message.parts.map((part) => (isImage(part) ? line(part) : part)) }
    case "tool":
      return {
        ...message,
        parts: message.parts.map((part) =>
          part.type === "tool-result"
            ? { ...part, content: part.content.map((item) => (isImage(item) ? line(item) : item)) }
            : part,
        ),
      }
  }
}

const holdsImage = (message: Message): boolean =>
  message.parts.some((part) => isImage(part) || (part.type === "tool-result" && part.content.some(isImage)))

/** Puts a line for each image, and says so. */
export const withoutImages = (
  items: ReadonlyArray<Item>,
): { readonly items: ReadonlyArray<Item>; readonly losses: ReadonlyArray<Loss> } => ({
  items: items.map((item) => (holdsImage(item.message) ? { message: blind(item.message) } : item)),
  losses: items.flatMap(({ message }, at) =>
    holdsImage(message)
      ? [{ kind: "changed" as const, message: at, what: "images", why: "the model takes none" }]
      : [],
  ),
})
