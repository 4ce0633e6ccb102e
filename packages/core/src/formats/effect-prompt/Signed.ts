/**
 * What a provider signed, in the options that the providers of `effect/ai` read: `anthropic.info` and
 * `openai.encryptedContent` of reasoning, `google.thoughtSignature` of reasoning and calls.
 *
 * @since 0.1.0
 */
import type { ReasoningPart } from "../../thread/Message.ts"
import type { FormatName } from "../format/Conversation.ts"
import { type Fields, isFields } from "../format/Fields.ts"
import { type EffectPart, stringIn } from "./Wire.ts"

/** A signature, and the format of the provider that made it. */
export interface Signed extends Pick<ReasoningPart, "signature" | "redacted" | "id"> {
  readonly format: FormatName | null
}

const NONE: Signed = { format: null }

const optionsOf = ({ options }: EffectPart, provider: string): Fields => {
  const own = isFields(options) ? options[provider] : undefined
  return isFields(own) ? own : {}
}

const byAnthropic = (part: EffectPart): Signed | null => {
  const { info } = optionsOf(part, "anthropic")
  if (!isFields(info)) return null
  const redacted = stringIn(info, "redactedData")
  if (info.type === "redacted_thinking" && redacted !== "")
    return { format: "anthropic", signature: redacted, redacted: true }
  const signature = stringIn(info, "signature")
  return info.type === "thinking" && signature !== "" ? { format: "anthropic", signature } : null
}

const byOpenAi = (part: EffectPart): Signed | null => {
  const options = optionsOf(part, "openai")
  const [id, signature] = [stringIn(options, "itemId"), stringIn(options, "encryptedContent")]
  if (id === "" && signature === "") return null
  return {
    format: signature === "" ? null : "openai-responses",
    ...(signature === "" ? {} : { signature }),
    ...(id === "" ? {} : { id }),
  }
}

const byGoogle = (part: EffectPart): Signed | null => {
  const signature = stringIn(optionsOf(part, "google"), "thoughtSignature")
  return signature === "" ? null : { format: "gemini", signature }
}

/** What signs a part. */
export const signedBy = (part: EffectPart): Signed => {
  if (part.type === "tool-call") return byGoogle(part) ?? NONE
  if (part.type !== "reasoning") return NONE
  return byAnthropic(part) ?? byOpenAi(part) ?? byGoogle(part) ?? NONE
}

/** The options that say what signs reasoning or a call; null where they cannot. */
export const signedOptions = (
  { signature, redacted, id }: Omit<Signed, "format">,
  format: string | undefined,
): Fields | null => {
  if (signature === undefined) return id === undefined ? {} : { openai: { itemId: id } }
  switch (format) {
    case "anthropic":
      return {
        anthropic: {
          info:
            redacted === true
              ? { type: "redacted_thinking", redactedData: signature }
              : { type: "thinking", signature },
        },
      }
    case "openai-responses":
      return { openai: { ...(id === undefined ? {} : { itemId: id }), encryptedContent: signature } }
    case "gemini":
      return { google: { thoughtSignature: signature } }
    default:
      return null
  }
}
