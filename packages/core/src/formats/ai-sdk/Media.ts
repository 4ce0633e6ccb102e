/**
 * Images and files that the AI SDK can take: base64, a data URL or an address, and nothing on which it would throw.
 *
 * @since 0.1.0
 */
import { Result } from "effect"
import type { MediaPart } from "../../thread/Message.ts"
import { isAddress } from "../format/Media.ts"
import { parseUrl } from "./Live.ts"

/** Whether a text may be base64: it says something, and no colon stands in it, which would make it an address. */
export const isBase64 = (data: string): boolean => data.trim() !== "" && !data.includes(":")

/** Whether a text is an address, or a data URL with a type and data. */
export const isLink = (data: string): boolean =>
  isAddress(data) ? Result.isSuccess(parseUrl(data)) : /^data:[^,;]+[^,]*,[^,]/.test(data)

/** Whether there is data, and whether it is what it looks like. */
export const isSendable = ({ data }: Pick<MediaPart, "data">): boolean => isLink(data) || isBase64(data)
