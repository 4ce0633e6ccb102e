/**
 * Makes a request of the AI SDK valid whose calls and results fit each other already.
 *
 * @since 0.1.0
 */
import { isFields } from "../format/Fields.ts"
import type { Repaired } from "../format/Format.ts"
import type { WireRepair } from "../format/Rule.ts"
import { reopened, withoutLostApprovals } from "./Approvals.ts"
import { hasPrompt, isBlankSystem, isSystem } from "./Rules.ts"
import { isBlankText, isSilent } from "./Says.ts"
import { lacksValue, withValues } from "./Values.ts"
import { type AiSdkMessage, type AiSdkPart, type AiSdkRequest, partsOf } from "./Wire.ts"

type Step = (request: AiSdkRequest) => Repaired<AiSdkRequest>

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

const unchanged: Step = (request) => ({ request, repairs: [] })

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

const fieldsOf = (value: unknown): { readonly [key: string]: unknown } => (isFields(value) ? value : {})

/** Options of a message beside those of its last part, which win: as the SDK merges them. */
const mergedOptions = (message: unknown, part: unknown): object =>
  Object.fromEntries(
    Object.entries({ ...fieldsOf(message), ...fieldsOf(part) }).map(([provider]) => [
      provider,
      { ...fieldsOf(fieldsOf(message)[provider]), ...fieldsOf(fieldsOf(part)[provider]) },
    ]),
  )

const withOwnOptions: Step = (request) => {
  const messages: Array<AiSdkMessage> = []
  const repairs: Array<WireRepair> = []
  for (const [i, message] of request.messages.entries()) {
    const last = messages.at(-1)
    if (last?.role !== "tool" || message.role !== "tool" || !isFields(last.providerOptions)) {
      messages.push(message)
      continue
    }
    const parts = partsOf(last)
    const options = last.providerOptions
    const moved = parts.map((part, at) =>
      at === parts.length - 1
        ? { ...part, providerOptions: mergedOptions(options, part.providerOptions) }
        : part,
    )
    messages[messages.length - 1] = { ...message, content: [...moved, ...partsOf(message)] }
    repairs.push({ rule: "VA4", path: `messages[${i}]`, detail: "merged with the tool message before it" })
  }
  return repairs.length === 0 ? unchanged(request) : { request: { ...request, messages }, repairs }
}

const withoutGaps: Step = (request) => {
  const repairs = request.messages.flatMap((message, i): ReadonlyArray<WireRepair> => {
    const path = `messages[${i}]`
    return lacksValue(message) ? [{ rule: "VA8", path, detail: "put a value where none was" }] : []
  })
  if (repairs.length === 0) return unchanged(request)
  const messages = request.messages.map((message) => (lacksValue(message) ? withValues(message) : message))
  return { request: { ...request, messages }, repairs }
}

const withMessages: Step = (request) =>
  request.messages.length > 0
    ? unchanged(request)
    : {
        request: { ...request, messages: [OPENING] },
        repairs: [{ rule: "VA3", path: "messages", detail: "added a user message" }],
      }

const STEPS: ReadonlyArray<Step> = [
  withOnePrompt,
  withLawfulSystem,
  withSystemApart,
  withoutLostApprovals,
  withoutGaps,
  withoutBlanks,
  withOwnOptions,
  withMessages,
]

/** Repairs a request. */
export const polish: Step = (request) =>
  STEPS.reduce<Repaired<AiSdkRequest>>(
    (made, step) => {
      const next = step(made.request)
      return { request: next.request, repairs: [...made.repairs, ...next.repairs] }
    },
    { request: reopened(request), repairs: [] },
  )
