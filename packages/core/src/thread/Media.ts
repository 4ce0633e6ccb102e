/**
 * The images and files of a message, wherever they stand in it.
 *
 * @since 0.1.0
 */
import type { MediaPart, Message, TextPart, ToolMessage } from "./Message.ts"

/** What may stand where a medium stood. */
type Change = (media: MediaPart) => MediaPart | TextPart

/** A list with its media changed; the same list when none is. */
const changed = <P extends { readonly type: string }>(
  parts: ReadonlyArray<P | MediaPart>,
  change: Change,
): ReadonlyArray<P | MediaPart | TextPart> => {
  const isMedia = (part: P | MediaPart): part is MediaPart => part.type === "media"
  const next = parts.map((part) => (isMedia(part) ? change(part) : part))
  return next.every((part, i) => part === parts[i]) ? parts : next
}

const changedResults = (parts: ToolMessage["parts"], change: Change): ToolMessage["parts"] => {
  const next = parts.map((part) => {
    if (part.type !== "tool-result") return part
    const content = changed(part.content, change)
    return content === part.content ? part : { ...part, content }
  })
  return next.every((part, i) => part === parts[i]) ? parts : next
}

/**
 * Changes each image and file of a message, those in results of tools included. A message of which nothing changes is
 * returned itself.
 *
 * @category combinators
 * @since 0.1.0
 */
export const mapMedia = (message: Message, change: Change): Message => {
  switch (message.role) {
    case "user": {
      const parts = changed(message.parts, change)
      return parts === message.parts ? message : { ...message, parts }
    }
    case "assistant": {
      const parts = changed(message.parts, change)
      return parts === message.parts ? message : { ...message, parts }
    }
    case "tool": {
      const parts = changedResults(message.parts, change)
      return parts === message.parts ? message : { ...message, parts }
    }
  }
}

/**
 * Lists the images and files of a message, in order.
 *
 * @category getters
 * @since 0.1.0
 */
export const mediaOf = (message: Message): ReadonlyArray<MediaPart> =>
  message.parts.flatMap((part) =>
    part.type === "tool-result"
      ? part.content.filter((item) => item.type === "media")
      : part.type === "media"
        ? [part]
        : [],
  )
