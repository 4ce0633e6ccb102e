/**
 * Images for a model that takes none: a line stands for each.
 *
 * @since 0.1.0
 */
import { mapMedia, mediaOf } from "../../thread/Media.ts"
import type { MediaPart, Message, TextPart } from "../../thread/Message.ts"
import type { Item, Loss } from "../format/Conversation.ts"
import { mediaPlaceholder } from "../format/Media.ts"

const line = (media: MediaPart): TextPart => ({
  type: "text",
  text: mediaPlaceholder(media, "this model takes none"),
})

const isImage = ({ mediaType }: MediaPart): boolean => mediaType.startsWith("image/")

const blind = (message: Message): Message =>
  mapMedia(message, (media) => (isImage(media) ? line(media) : media))

const holdsImage = (message: Message): boolean => mediaOf(message).some(isImage)

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
