/**
 * Messages that refer to large values, as a thread keeps them: a reference is no data, and is never sent as if it were.
 *
 * @since 0.1.0
 */
import { referencesIn, withoutReferences } from "../../thread/References.ts"
import type { Item, Loss } from "./Conversation.ts"
import { mediaPlaceholder } from "./Media.ts"

const WHERE = "kept apart from the thread"

/** Puts a line for each reference, and says so. The form in which the message came refers as well. */
export const withoutReferred = (
  items: ReadonlyArray<Item>,
): { readonly items: ReadonlyArray<Item>; readonly losses: ReadonlyArray<Loss> } => {
  const isReferring = items.map(({ message }) => referencesIn(message).length > 0)
  if (!isReferring.includes(true)) return { items, losses: [] }
  return {
    items: items.map((item, at) =>
      isReferring[at] === true
        ? { message: withoutReferences(item.message, (media) => mediaPlaceholder(media, WHERE)) }
        : item,
    ),
    losses: items.flatMap((_, at) =>
      isReferring[at] === true
        ? [
            {
              kind: "changed" as const,
              message: at,
              what: "images or files",
              why: "references stand for them: a prompt of the step, or `recall`, has the values",
            },
          ]
        : [],
    ),
  }
}
