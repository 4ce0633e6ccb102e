/**
 * Images and files that the AI SDK can take: base64, a data URL or an address, and nothing on which it would throw.
 *
 * @since 0.1.0
 */
import { Result } from "effect"
import type { MediaPart } from "../../thread/Message.ts"
import { base64Of, isAddress } from "../format/Media.ts"
import { parseUrl } from "./Live.ts"

/** Whether there is data, and whether it is what it looks like. */
export const isSendable = ({ data }: MediaPart): boolean => {
  if (isAddress(data)) return Result.isSuccess(parseUrl(data))
  if (data.startsWith("data:")) return /^data:[^,;]+[^,]*,[^,]/.test(data)
  // A colon stands in no base64: the SDK would take the text for an address.
  return base64Of(data) !== "" && !data.includes(":")
}
