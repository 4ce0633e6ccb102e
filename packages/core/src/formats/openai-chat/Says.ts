/**
 * What single messages say: OC3 to OC8 and OC12, each with its repair.
 *
 * @since 0.1.0
 */
import { argumentsText } from "../format/Arguments.ts"
import type { Dialect } from "./Dialect.ts"
import {
  callsOf,
  customIn,
  functionIn,
  isBlank,
  isLegalName,
  isText,
  legalName,
  type OpenAiAssistantMessage,
  type OpenAiMessage,
  type OpenAiPart,
  type OpenAiToolCall,
  partsOf,
  REASONING_FIELDS,
} from "./Wire.ts"
import { BLANK, NO_OUTPUT } from "./Write.ts"

/** A rule of single messages, and what stands in place of a message that breaks it; nothing when it is left out. */
export interface Fix {
  readonly rule: string
  readonly find: (message: OpenAiMessage) => ReadonlyArray<string>
  readonly instead: (message: OpenAiMessage) => ReadonlyArray<OpenAiMessage>
}

const hasContent = ({ content }: OpenAiMessage): boolean => partsOf(content).length > 0

const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== ""

/** OC3: a response has content, a call, or what else the server takes for one. */
const says = ({ isRich }: Dialect): Fix => ({
  rule: "OC3",
  find: (message) => {
    if (message.role !== "assistant" || hasContent(message) || callsOf(message).length > 0) return []
    const { refusal, audio, function_call } = message
    return isRich && [refusal, audio, function_call].some(isGiven)
      ? []
      : ["a response with neither content nor calls"]
  },
  instead: () => [],
})

/** OC5: no list of calls is empty. */
const callsNotEmpty: Fix = {
  rule: "OC5",
  find: (message) =>
    message.role === "assistant" && (message.tool_calls === null || message.tool_calls?.length === 0)
      ? ["an empty list of calls"]
      : [],
  instead: (message) => {
    const { tool_calls: _, ...others } = message
    return [others]
  },
}

const withCalls = (
  message: OpenAiMessage,
  change: (call: OpenAiToolCall) => OpenAiToolCall,
): ReadonlyArray<OpenAiMessage> =>
  message.role === "assistant" ? [{ ...message, tool_calls: callsOf(message).map(change) }] : [message]

const isOddArguments = (call: OpenAiToolCall): boolean => {
  const own = functionIn(call)
  return own !== undefined && typeof own.arguments !== "string"
}

/** OC4: arguments are a text. */
const argumentsAreText: Fix = {
  rule: "OC4",
  find: (message) =>
    callsOf(message)
      .filter(isOddArguments)
      .map(({ id }) => `arguments of the call ${id} are no string`),
  instead: (message) =>
    withCalls(message, (call) => {
      const own = functionIn(call)
      if (own === undefined || !isOddArguments(call)) return call
      return { ...call, function: { ...own, arguments: argumentsText(own.arguments) } }
    }),
}

const isOddName = (name: string | undefined): name is string => name !== undefined && !isLegalName(name)

/** OC7: names of tools are of the alphabet of names. */
const toolNames: Fix = {
  rule: "OC7",
  find: (message) =>
    callsOf(message)
      .map((call) => (functionIn(call) ?? customIn(call))?.name)
      .filter(isOddName)
      .map((name) => `the name ${JSON.stringify(name)} of a tool`),
  instead: (message) =>
    withCalls(message, (call) => {
      const [own, custom] = [functionIn(call), customIn(call)]
      if (own !== undefined) return { ...call, function: { ...own, name: legalName(own.name) || "tool" } }
      if (custom === undefined) return call
      return { ...call, custom: { ...custom, name: legalName(custom.name) || "tool" } }
    }),
}

/** OC7: names of speakers too. */
const speakerNames: Fix = {
  rule: "OC7",
  find: ({ name }) => {
    if (name === undefined || name === null) return []
    return typeof name === "string" && isLegalName(name) ? [] : [`the name ${JSON.stringify(name)}`]
  },
  instead: ({ name, ...others }) => {
    const legal = typeof name === "string" ? legalName(name) : ""
    return [legal === "" ? others : { ...others, name: legal }]
  },
}

/** OC8: no field of reasoning where the server knows none. */
const unthought: Fix = {
  rule: "OC8",
  find: (message) =>
    REASONING_FIELDS.filter((field) => field in message).map((field) => `the field ${field}`),
  instead: ({ reasoning_content: _content, reasoning: _text, reasoning_details: _details, ...others }) => [
    others,
  ],
}

const isEmptyPart = (part: OpenAiPart): boolean => isText(part) && part.text === ""

const isEmpty = (message: OpenAiMessage): boolean => {
  const { role, content } = message
  if (Array.isArray(content)) return content.length === 0 || content.some(isEmptyPart)
  if (role === "assistant" || role === "function") return false
  return !hasContent(message)
}

const filled = (message: OpenAiMessage): ReadonlyArray<OpenAiMessage> => {
  const parts = partsOf(message.content).filter((part) => !isEmptyPart(part))
  if (parts.length > 0) return [{ ...message, content: parts }]
  switch (message.role) {
    case "assistant":
    case "function":
      return [{ ...message, content: null }]
    case "tool":
      return [{ ...message, content: NO_OUTPUT }]
    case "user":
      return [{ ...message, content: BLANK }]
    default:
      return []
  }
}

/** OC12: no content is empty, and no text of it. */
const contentFilled: Fix = {
  rule: "OC12",
  find: (message) => (isEmpty(message) ? ["empty content"] : []),
  instead: filled,
}

const isBlankPart = (part: OpenAiPart): boolean => isText(part) && isBlank(part.text)

const unblank = (message: OpenAiMessage): OpenAiMessage => ({
  ...message,
  content: partsOf(message.content).filter((part) => !isBlankPart(part)),
})

/** OT5: no text is blank. */
const unblanked: Fix = {
  rule: "OT5",
  find: ({ content }) => (partsOf(content).some(isBlankPart) ? ["a blank text"] : []),
  instead: (message) => [unblank(message)],
}

const without = (fixes: ReadonlyArray<Fix | null>): ReadonlyArray<Fix> => fixes.filter((fix) => fix !== null)

/** The rules of single messages of a dialect, in their order. */
export const fixesOf = (dialect: Dialect): ReadonlyArray<Fix> =>
  without([
    argumentsAreText,
    callsNotEmpty,
    toolNames,
    speakerNames,
    dialect.reasoning === "refused" ? unthought : null,
    dialect.refusesBlank ? unblanked : null,
    contentFilled,
    says(dialect),
  ])

/** Whether a response is one that calls. */
export const isCalling = (message: OpenAiMessage | undefined): message is OpenAiAssistantMessage =>
  callsOf(message).length > 0
