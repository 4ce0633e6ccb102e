/**
 * Parts that are kept as they came.
 *
 * @since 0.1.0
 */
import type { OpaquePart } from "../../thread/Message.ts"
import type { FormatName } from "./Conversation.ts"
import { readExact, writeExact } from "./ExactJson.ts"
import { type Fields, isFields } from "./Fields.ts"

/** Keeps a wire value as an opaque part. */
export const opaque = (format: FormatName, value: unknown): OpaquePart => ({
  type: "opaque",
  format,
  json: writeExact(value) ?? "null",
})

/** The wire value of an opaque part of a format; undefined for another format's, and for what is no object. */
export const opaqueValue = (part: OpaquePart, format: FormatName): Fields | undefined => {
  const value = part.format === format ? readExact(part.json) : undefined
  return isFields(value) ? value : undefined
}

/** The part of a message, told by its `type`, that an opaque part of a format holds; null where there is none. */
export const opaquePart = (
  part: OpaquePart,
  format: FormatName,
): { readonly [name: string]: unknown; readonly type: string } | null => {
  const own = opaqueValue(part, format)
  return typeof own?.type === "string" ? { ...own, type: own.type } : null
}
