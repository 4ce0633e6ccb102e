/**
 * What a provider signed, in the options that the AI SDK's providers put on parts: `anthropic.signature` and
 * `anthropic.redactedData`, `openai.itemId` and `openai.reasoningEncryptedContent` of reasoning,
 * `google.thoughtSignature` of reasoning and calls.
 *
 * @since 0.1.0
 */
import type { ReasoningPart } from "../../thread/Message.ts"
import { readExact, writeExact } from "../format/ExactJson.ts"
import { type Fields, isFields } from "../format/Fields.ts"
import { fieldsIn, NAME, stringIn } from "./Wire.ts"

/** A signature, and the format of the provider that made it; null where nothing is signed. */
export interface Signed extends Pick<ReasoningPart, "signature" | "redacted" | "id"> {
  readonly format: string | null
}

/** Names under which Google's providers are found. */
const GOOGLE = ["google", "googleVertex", "vertex"]

const byAnthropic = (options: Fields): Signed | null => {
  const own = fieldsIn(options, "anthropic")
  const [signature, redacted] = [stringIn(own, "signature"), stringIn(own, "redactedData")]
  if (signature !== "") return { format: "anthropic", signature }
  return redacted === "" ? null : { format: "anthropic", signature: redacted, redacted: true }
}

const byOpenAi = (options: Fields): Signed | null => {
  const own = fieldsIn(options, "openai")
  const [id, signature] = [stringIn(own, "itemId"), stringIn(own, "reasoningEncryptedContent")]
  if (id === "" && signature === "") return null
  return {
    format: signature === "" ? null : "openai-responses",
    ...(signature === "" ? {} : { signature }),
    ...(id === "" ? {} : { id }),
  }
}

const byGoogle = (options: Fields): Signed | null => {
  const found = GOOGLE.map((name) => stringIn(fieldsIn(options, name), "thoughtSignature"))
  const signature = found.find((one) => one !== "")
  return signature === undefined ? null : { format: "gemini", signature }
}

/** Options of a provider that is not known here: all of them are the signature. */
const byAnother = (options: Fields): Signed => {
  const signature = Object.keys(options).length === 0 ? undefined : writeExact(options)
  return signature === undefined ? { format: null } : { format: NAME, signature }
}

/** What signs reasoning, by its options. */
export const signedReasoning = (options: unknown): Signed =>
  isFields(options)
    ? (byAnthropic(options) ?? byOpenAi(options) ?? byGoogle(options) ?? byAnother(options))
    : { format: null }

/** What signs a call, by its options. */
export const signedCall = (options: unknown): Signed =>
  (isFields(options) ? byGoogle(options) : null) ?? { format: null }

/** The format whose signatures are read in a message: that of the first provider which is known, or of another. */
export const formatOf = (signed: ReadonlyArray<Signed>): string | null => {
  const formats = signed.flatMap(({ format }) => (format === null ? [] : [format]))
  return formats.find((format) => format !== NAME) ?? formats[0] ?? null
}

/** What is read of a signature in a message of a format: an id always, a signature of the same format. */
export const readSigned = (
  { format, signature, redacted, id }: Signed,
  own: string | null,
): Pick<ReasoningPart, "signature" | "redacted" | "id"> => ({
  ...(signature === undefined || format !== own ? {} : { signature }),
  ...(redacted === undefined || format !== own ? {} : { redacted }),
  ...(id === undefined ? {} : { id }),
})

/** The options that say what signs reasoning: undefined where nothing does, null where they cannot say it. */
export const reasoningOptions = (
  { signature, redacted, id }: Pick<ReasoningPart, "signature" | "redacted" | "id">,
  format: string | undefined,
): Fields | null | undefined => {
  if (signature === undefined) return id === undefined ? undefined : { openai: { itemId: id } }
  switch (format) {
    case "anthropic":
      return { anthropic: redacted === true ? { redactedData: signature } : { signature } }
    case "openai-responses":
      return {
        openai: { ...(id === undefined ? {} : { itemId: id }), reasoningEncryptedContent: signature },
      }
    case "gemini":
      return { google: { thoughtSignature: signature } }
    case NAME: {
      const options = readExact(signature)
      return isFields(options) ? options : null
    }
    default:
      return null
  }
}

/** The same of a call. */
export const callOptions = (
  signature: string | undefined,
  format: string | undefined,
): Fields | null | undefined => {
  if (signature === undefined) return undefined
  return format === "gemini" ? { google: { thoughtSignature: signature } } : null
}
