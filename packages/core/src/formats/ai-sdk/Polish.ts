/**
 * Makes a request of the AI SDK valid whose calls and results fit each other already.
 *
 * @since 0.1.0
 */
import type { Repaired } from "../format/Format.ts"
import { inTurn, type RepairStep, unchanged } from "../format/RepairSteps.ts"
import type { WireRepair } from "../format/Rule.ts"
import { reopened, withoutLostApprovals } from "./Approvals.ts"
import { withSendableFiles } from "./Files.ts"
import { withOneResponse, withOwnOptions } from "./Neighbours.ts"
import { hasPrompt, isBlankSystem, isSystem } from "./Rules.ts"
import { isBlankText, isSilent, withoutSilentResults } from "./Says.ts"
import { withoutStrays } from "./Served.ts"
import { withValues } from "./Values.ts"
import {
  type AiSdkMessage,
  type AiSdkPart,
  type AiSdkRequest,
  isClientAnswer,
  isClientCall,
  partsOf,
} from "./Wire.ts"

type Step = RepairStep<AiSdkRequest>

const OPENING: AiSdkMessage = {
  role: "user",
  content: [{ type: "text", text: "(earlier messages are not shown)" }],
}

const BLANK: ReadonlyArray<AiSdkPart> = [{ type: "text", text: "(blank)" }]

const without = (request: AiSdkRequest, name: "prompt" | "system", rule: string): Repaired<AiSdkRequest> => {
  const { [name]: _, ...others } = request
  return {
    request: { ...others, messages: request.messages },
    repairs: [{ rule, path: name, detail: "left out" }],
  }
}

const withOnePrompt: Step = (request) =>
  hasPrompt(request) ? without(request, "prompt", "VA3") : unchanged(request)

const withLawfulSystem: Step = (request) => {
  if (request.system === undefined) return unchanged(request)
  if (!isSystem(request.system)) return without(request, "system", "VA3")
  return isBlankSystem(request.system) ? without(request, "system", "VA5") : unchanged(request)
}

/** System messages as the field of a request: the text where there is nothing else. */
const fieldOf = (messages: ReadonlyArray<AiSdkMessage>): unknown => {
  const [first] = messages
  if (messages.length > 1 || first === undefined) return messages
  return Object.keys(first).length === 2 ? first.content : first
}

const asMessages = (system: unknown): ReadonlyArray<unknown> => {
  if (system === undefined) return []
  return typeof system === "string" ? [{ role: "system", content: system }] : [system].flat()
}

/** System messages at the start go into the field for them; later ones become a user's. */
const withSystemApart: Step = (request) => {
  const { system, messages } = request
  if (request.allowSystemInMessages === true) return unchanged(request)
  const other = messages.findIndex(({ role }) => role !== "system")
  const leading = messages.slice(0, other < 0 ? messages.length : other)
  const said = leading.filter((message) => partsOf(message).some((part) => !isBlankText(part, "system")))
  const rest = messages.slice(leading.length)
  const repairs = messages.flatMap(({ role }, i): ReadonlyArray<WireRepair> => {
    const detail = i < leading.length ? "moved to the system prompt" : "made a message of the user"
    return role === "system" ? [{ rule: "VA3", path: `messages[${i}]`, detail }] : []
  })
  if (repairs.length === 0) return unchanged(request)
  const field = system === undefined ? fieldOf(said) : [...asMessages(system), ...said]
  const isNothing = said.length === 0
  const turned = rest.map(
    (message): AiSdkMessage =>
      message.role === "system" ? { ...message, role: "user", content: partsOf(message) } : message,
  )
  return {
    request: {
      ...(isNothing ? {} : { system: field }),
      ...request,
      ...(isNothing ? {} : { system: field }),
      messages: turned,
    },
    repairs,
  }
}

/** A message without blank texts; null where nothing is left of it. */
const filledMessage = (message: AiSdkMessage): AiSdkMessage | null => {
  if (message.role === "system") return message
  if (isSilent(message)) return message.role === "user" ? { ...message, content: BLANK } : null
  const parts = partsOf(message).filter((part) => !isBlankText(part, message.role))
  return parts.length === partsOf(message).length ? message : { ...message, content: parts }
}

const withoutBlanks: Step = (request) => {
  const filled = request.messages.map(filledMessage)
  const repairs = filled.flatMap((message, i): ReadonlyArray<WireRepair> => {
    if (message === request.messages[i]) return []
    const detail = message === null ? "left out what says nothing" : "left out a blank text"
    return [{ rule: "VA5", path: `messages[${i}]`, detail }]
  })
  const messages = filled.filter((message) => message !== null)
  return repairs.length === 0 ? unchanged(request) : { request: { ...request, messages }, repairs }
}

/** Changes messages one by one; each change is listed. */
const eachMessage =
  (rule: string, detail: string, change: (message: AiSdkMessage) => AiSdkMessage): Step =>
  (request) => {
    const messages = request.messages.map(change)
    const repairs = messages.flatMap((message, i): ReadonlyArray<WireRepair> => {
      return message === request.messages[i] ? [] : [{ rule, path: `messages[${i}]`, detail }]
    })
    return repairs.length === 0 ? unchanged(request) : { request: { ...request, messages }, repairs }
  }

const withGivenValues = eachMessage("VA8", "put a value where none was", withValues)

const withSaidResults = eachMessage("VA5", "said that a tool said nothing", withoutSilentResults)

/** Results under the name of the tool that was called. */
const withToolNames: Step = (request) => {
  const names = new Map(
    request.messages
      .filter(({ role }) => role === "assistant")
      .flatMap(partsOf)
      .filter(isClientCall)
      .map(({ toolCallId, toolName }) => [toolCallId, toolName] as const),
  )
  return eachMessage("VA2", "named a result as its call", (message) => {
    const parts = partsOf(message)
    const content = parts.map((part) => {
      const toolName = names.get(part.toolCallId)
      const isOther = message.role === "tool" && part.type === "tool-result" && toolName !== undefined
      return isOther && isClientAnswer(part) && part.toolName !== toolName ? { ...part, toolName } : part
    })
    return content.every((part, i) => part === parts[i]) ? message : { ...message, content }
  })(request)
}

const withSentFiles = eachMessage("VA8", "put a text where a file cannot be sent", withSendableFiles)

const withMessages: Step = (request) =>
  request.messages.length > 0
    ? unchanged(request)
    : {
        request: { ...request, messages: [OPENING] },
        repairs: [{ rule: "VA3", path: "messages", detail: "added a user message" }],
      }

const repaired = inTurn<AiSdkRequest>([
  withOnePrompt,
  withLawfulSystem,
  withSystemApart,
  withoutStrays,
  withoutLostApprovals,
  withToolNames,
  withGivenValues,
  withSentFiles,
  withSaidResults,
  // Before blanks: reasoning that is alone in its message may belong to the call after it. And after them, which part responses.
  withOneResponse,
  withoutBlanks,
  withOneResponse,
  withOwnOptions,
  withMessages,
])

/** Repairs a request. */
export const polish: Step = (request) => repaired(reopened(request))
