/** The model that a recorded chat was had with, as a target of requests. */
import { type FormatName, makeTarget, type Target } from "@palimpsest/core/formats"
import { REQUEST_FORMATS } from "../transcripts/requests/Requests.ts"
import type { Transcript } from "../transcripts/Transcript.ts"

/** Programs that speak to one provider. */
const PROVIDERS: { readonly [format: string]: FormatName } = {
  "claude-code": "anthropic",
  codex: "openai-responses",
  "gemini-cli": "gemini",
}

const MAKERS: ReadonlyArray<readonly [RegExp, FormatName]> = [
  [/claude/i, "anthropic"],
  [/gemini/i, "gemini"],
]

const isRequestFormat = (format: string): format is FormatName => Object.hasOwn(REQUEST_FORMATS, format)

/** The format in which the chat's own provider takes requests; Chat Completions where nothing tells it. */
const formatOf = (format: string, model: string): FormatName =>
  isRequestFormat(format)
    ? format
    : (PROVIDERS[format] ?? MAKERS.find(([name]) => name.test(model))?.[1] ?? "openai-chat")

/** The target of a chat: its format, and the model of its newest response that names one. */
export const targetOf = (
  { format, origins }: Pick<Transcript, "format" | "origins">,
  window: number,
): Target => {
  const model = origins.findLast((origin) => origin.model !== undefined)?.model ?? ""
  return makeTarget({ format: formatOf(format, model), model: model === "" ? "unknown" : model, window })
}
