/**
 * What Bedrock's Converse asks of requests that reach it through Chat Completions, beside their order: OT5.
 *
 * @since 0.1.0
 */
import { isFields } from "../format/Fields.ts"
import type { Repaired } from "../format/Format.ts"
import type { Rule } from "../format/Rule.ts"
import {
  callsOf,
  customIn,
  functionIn,
  type OpenAiChatRequest,
  type OpenAiMessage,
  type OpenAiPart,
  partsOf,
} from "./Wire.ts"

/** Names of the tools that the history calls, in their order. */
const calledIn = ({ messages }: OpenAiChatRequest): ReadonlyArray<string> => [
  ...new Set(messages.flatMap(callsOf).flatMap((call) => (functionIn(call) ?? customIn(call))?.name ?? [])),
]

/** Whether a request is one that is sent, and without tools. One that names no model is not yet sent. */
const isWithoutTools = ({ model, tools }: OpenAiChatRequest): boolean =>
  typeof model === "string" && !(Array.isArray(tools) && tools.length > 0)

/** Converse allows letters, digits, hyphens, brackets and single blanks in the name of a document. */
const legalFile = (name: string): string => name.replace(/[^A-Za-z0-9\s()[\]-]/g, "-").replace(/\s+/g, " ")

const fileOf = ({ type, file }: OpenAiPart): { readonly filename?: unknown } | null =>
  type === "file" && isFields(file) ? file : null

const isOddFile = (part: OpenAiPart): boolean => {
  const filename = fileOf(part)?.filename
  return typeof filename === "string" && legalFile(filename) !== filename
}

/** OT5: tools come with a history of calls, and files have plain names. */
export const takenByConverse: Rule<OpenAiChatRequest> = {
  id: "OT5",
  check: (request) => [
    ...(isWithoutTools(request) && calledIn(request).length > 0
      ? [{ path: "tools", detail: "no tools, and calls in the history" }]
      : []),
    ...request.messages.flatMap(({ content }, i) =>
      partsOf(content).some(isOddFile)
        ? [{ path: `messages[${i}]`, detail: "a name of a file with letters that are not allowed" }]
        : [],
    ),
  ],
}

const withTools = (request: OpenAiChatRequest): Repaired<OpenAiChatRequest> => {
  const names = isWithoutTools(request) ? calledIn(request) : []
  if (names.length === 0) return { request, repairs: [] }
  const tools = names.map((name) => ({
    type: "function",
    function: {
      name,
      description: "Called earlier; cannot be called now.",
      parameters: { type: "object", properties: {} },
    },
  }))
  return {
    request: { ...request, tools },
    repairs: [{ rule: "OT5", path: "tools", detail: "added the tools that the history calls" }],
  }
}

const withFile = (part: OpenAiPart): OpenAiPart => {
  const file = fileOf(part)
  return isOddFile(part) && typeof file?.filename === "string"
    ? { ...part, file: { ...file, filename: legalFile(file.filename) } }
    : part
}

const withFiles = (message: OpenAiMessage): OpenAiMessage =>
  partsOf(message.content).some(isOddFile)
    ? { ...message, content: partsOf(message.content).map(withFile) }
    : message

/** A request that Converse takes. */
export const forConverse = (request: OpenAiChatRequest): Repaired<OpenAiChatRequest> => {
  const tooled = withTools(request)
  const messages = tooled.request.messages.map(withFiles)
  const repairs = messages.flatMap((message, i) =>
    message === tooled.request.messages[i]
      ? []
      : [{ rule: "OT5", path: `messages[${i}]`, detail: "changed the name of a file" }],
  )
  return {
    request: repairs.length === 0 ? tooled.request : { ...tooled.request, messages },
    repairs: [...tooled.repairs, ...repairs],
  }
}
