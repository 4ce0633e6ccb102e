/** A message of a pi session in the form of a thread. */
import type { AssistantMessage, Message, ReasoningPart, UserMessage } from "@palimpsest/core"
import { readExact, writeExact } from "@palimpsest/core/formats"
import { fieldOf, isFields, listAt, textAt } from "../Fields.ts"

type UserPart = UserMessage["parts"][number]
type ResponsePart = AssistantMessage["parts"][number]

/** The format of the provider behind each of pi's interfaces, where it signs reasoning. */
const SIGNERS: { readonly [api: string]: string } = {
  "anthropic-messages": "anthropic",
  "openai-responses": "openai-responses",
  "openai-codex-responses": "openai-responses",
  "google-generative-ai": "gemini",
  "google-gemini-cli": "gemini",
  "google-vertex": "gemini",
}

const contentOf = (content: unknown): ReadonlyArray<UserPart> => {
  if (typeof content === "string") return [{ type: "text", text: content }]
  if (!Array.isArray(content)) return []
  return content.flatMap((part: unknown): ReadonlyArray<UserPart> => {
    switch (textAt(part, "type")) {
      case "text":
        return [{ type: "text", text: textAt(part, "text") }]
      case "image":
        return [{ type: "media", mediaType: textAt(part, "mimeType"), data: textAt(part, "data") }]
      default:
        return [{ type: "opaque", format: "pi", json: writeExact(part) ?? "null" }]
    }
  })
}

/** The signature of reasoning: a text, or the whole item of the Responses interface as JSON. */
const signed = (signature: string): Pick<ReasoningPart, "signature" | "id"> => {
  const item = readExact(signature)
  if (!isFields(item)) return signature === "" ? {} : { signature }
  const encrypted = textAt(item, "encrypted_content")
  return { id: textAt(item, "id"), ...(encrypted === "" ? {} : { signature: encrypted }) }
}

const responsePart = (part: unknown): ReadonlyArray<ResponsePart> => {
  switch (textAt(part, "type")) {
    case "text":
      return [{ type: "text", text: textAt(part, "text") }]
    case "thinking": {
      const redacted = fieldOf(part, "redacted") === true ? { redacted: true } : {}
      const text = textAt(part, "thinking")
      return [{ type: "reasoning", text, ...signed(textAt(part, "thinkingSignature")), ...redacted }]
    }
    case "toolCall": {
      const signature = textAt(part, "thoughtSignature")
      return [
        {
          type: "tool-call",
          id: textAt(part, "id"),
          name: textAt(part, "name"),
          arguments: writeExact(fieldOf(part, "arguments") ?? {}) ?? "{}",
          ...(signature === "" ? {} : { signature }),
        },
      ]
    }
    default:
      return [{ type: "opaque", format: "pi", json: writeExact(part) ?? "null" }]
  }
}

const readResponse = (json: unknown): ReadonlyArray<Message> => {
  const parts = listAt(json, "content").flatMap(responsePart)
  if (parts.length === 0) return []
  const model = textAt(json, "model")
  const signer = SIGNERS[textAt(json, "api")]
  const isSigned = parts.some((part) => "signature" in part)
  const format = isSigned && signer !== undefined ? { format: signer } : {}
  return [{ role: "assistant", parts, ...(model === "" ? {} : { model }), ...format }]
}

/** A command that the user ran by hand, as the program shows it to the model. */
const ranByHand = (json: unknown): string =>
  `Ran \`${textAt(json, "command")}\`\n${textAt(json, "output") || "(no output)"}`

const synthetic = (parts: ReadonlyArray<UserPart>): ReadonlyArray<Message> =>
  parts.length === 0 ? [] : [{ role: "user", synthetic: true, parts }]

/** Makes a synthetic message of a text. */
export const programSays = (text: string): ReadonlyArray<Message> =>
  synthetic(text === "" ? [] : [{ type: "text", text }])

/** The messages of a message: none for a response that was cut off before it began. */
export const readMessage = (json: unknown): ReadonlyArray<Message> => {
  switch (textAt(json, "role")) {
    case "user":
      return [{ role: "user", parts: contentOf(fieldOf(json, "content")) }]
    case "assistant":
      return readResponse(json)
    case "toolResult": {
      const name = textAt(json, "toolName")
      const status = fieldOf(json, "isError") === true ? "error" : "ok"
      const result = { type: "tool-result", call: textAt(json, "toolCallId"), status } as const
      const content = contentOf(fieldOf(json, "content"))
      return [{ role: "tool", parts: [{ ...result, ...(name === "" ? {} : { name }), content }] }]
    }
    case "bashExecution":
      return fieldOf(json, "excludeFromContext") === true ? [] : programSays(ranByHand(json))
    case "custom":
    case "hookMessage":
      return synthetic(contentOf(fieldOf(json, "content")))
    case "branchSummary":
    case "compactionSummary":
      return programSays(textAt(json, "summary"))
    default:
      return []
  }
}
