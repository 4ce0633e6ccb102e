/**
 * Makes UI messages valid in the form in which they came: ids and metadata of a message are kept.
 *
 * @since 0.1.0
 */
import { canonicalJson, sha256 } from "../../thread/Id.ts"
import { unsent } from "../ai-sdk/Files.ts"
import { CALL_IDS } from "../ai-sdk/Pairs.ts"
import { isLegalId } from "../format/Ids.ts"
import { inTurn, type RepairStep } from "../format/RepairSteps.ts"
import type { WireRepair } from "../format/Rule.ts"
import { readContent } from "./Read.ts"
import { isUnanswered } from "./Rules.ts"
import { isBlankText, isRead, isSilent, withoutLoneReasoning } from "./Says.ts"
import { closed, withLawfulState } from "./State.ts"
import { isSentFile, saidResult, withInput } from "./Values.ts"
import { isTool, stepsOf, type UiMessage, type UiPart, type UiRequest } from "./Wire.ts"
import { derivedId } from "./Write.ts"

type Step = RepairStep<UiRequest>

const OPENING: UiMessage = {
  id: derivedId("user", "opening", 0),
  role: "user",
  parts: [{ type: "text", text: "(earlier messages are not shown)" }],
}

const BLANK: ReadonlyArray<UiPart> = [{ type: "text", text: "(blank)" }]

/** Changes messages one by one; null leaves one out. Each change is listed. */
const eachMessage =
  (rule: string, detail: string, change: (message: UiMessage, index: number) => UiMessage | null): Step =>
  (request) => {
    const changed = request.messages.map(change)
    const repairs = changed.flatMap((message, i): ReadonlyArray<WireRepair> => {
      return message === request.messages[i] ? [] : [{ rule, path: `messages[${i}]`, detail }]
    })
    const messages = changed.filter((message) => message !== null)
    return repairs.length === 0 ? { request, repairs } : { request: { ...request, messages }, repairs }
  }

/** Changes parts one by one. */
const eachPart = (
  rule: string,
  detail: string,
  change: (part: UiPart, message: UiMessage) => ReadonlyArray<UiPart>,
): Step =>
  eachMessage(rule, detail, (message) => {
    const parts = message.parts.flatMap((part) => change(part, message))
    const isSame =
      parts.length === message.parts.length && parts.every((part, i) => part === message.parts[i])
    return isSame ? message : { ...message, parts }
  })

const withLawfulStates = eachPart("VA9", "gave a call what belongs to its state", (part) => {
  const lawful = withLawfulState(part)
  return lawful === null ? [] : [lawful]
})

const withSentFiles = eachPart("VA8", "put a text where a file cannot be sent", (part) => {
  const read = isSentFile(part) ? null : readContent(part)
  return [read?.type === "media" ? unsent(read) : part]
})

const withInputs = eachPart("VA8", "made an object of an input", (part) => [withInput(part)])

const withSaidResults = eachPart("VA5", "said that a tool said nothing", (part) => [saidResult(part)])

const withAnswers: Step = (request) => {
  const isOpen = isUnanswered(request.messages)
  return eachPart("VA1", "closed a call that was never answered", (part, { role }) => [
    role === "assistant" && isOpen(part) ? closed(part) : part,
  ])(request)
}

/** Ids that no provider takes are changed along the way: each stands in one place. */
const withCallIds: Step = (request) => {
  const used = new Set<string>()
  const turns = new Map<string, number>()
  const free = (id: string): string => {
    for (let salt = turns.get(id) ?? 0; ; salt++) {
      const derived = sha256(canonicalJson(["call", id, salt])).slice(0, 32)
      turns.set(id, salt + 1)
      if (!used.has(derived)) return derived
    }
  }
  return eachPart("VA2", "changed the id of a call", (part) => {
    if (!isTool(part) || part.state === "input-streaming" || typeof part.toolCallId !== "string")
      return [part]
    const isSound = isLegalId(part.toolCallId, CALL_IDS) && !used.has(part.toolCallId)
    const toolCallId = isSound ? part.toolCallId : free(part.toolCallId)
    used.add(toolCallId)
    return [isSound ? part : { ...part, toolCallId }]
  })(request)
}

const withSystemFirst = eachMessage("VA3", "made a message of the user", (message, i) =>
  message.role === "system" && i > 0 ? { ...message, role: "user" } : message,
)

const withoutBlanks = eachPart("VA5", "left out a blank text", (part, { role }) =>
  isBlankText(part, role) ? [] : [part],
)

const withoutLone = eachMessage("VA5", "left out a step of reasoning alone", (message) => {
  if (message.role !== "assistant") return message
  const lone = stepsOf(message).flatMap((step) => {
    const left = new Set(withoutLoneReasoning(step))
    return step.filter((part) => !left.has(part))
  })
  return lone.length === 0
    ? message
    : { ...message, parts: message.parts.filter((part) => !lone.includes(part)) }
})

const withWords = eachMessage("VA5", "said that nothing is said", (message) => {
  if (!isSilent(message)) return message
  return message.role === "system" ? null : { ...message, parts: [...message.parts, ...BLANK] }
})

const withIds: Step = (request) => {
  const used = new Set<string>()
  const turns = new Map<string, number>()
  const free = ({ role, parts }: UiMessage): string => {
    const first = derivedId(role, parts, 0)
    for (let nth = turns.get(first) ?? 0; ; nth++) {
      const derived = nth === 0 ? first : derivedId(role, parts, nth)
      turns.set(first, nth + 1)
      if (!used.has(derived)) return derived
    }
  }
  return eachMessage("VA10", "gave a message an id of its own", (message) => {
    const { id = "" } = message
    const own = id === "" || used.has(id) ? free(message) : id
    used.add(own)
    return own === id ? message : { ...message, id: own }
  })(request)
}

const withMessages: Step = (request) =>
  request.messages.some(isRead)
    ? { request, repairs: [] }
    : {
        request: { ...request, messages: [...request.messages, OPENING] },
        repairs: [{ rule: "VA3", path: "messages", detail: "added a user message" }],
      }

/** Repairs a request. */
export const polish: Step = inTurn([
  withLawfulStates,
  withSentFiles,
  withInputs,
  withSaidResults,
  withoutBlanks,
  withoutLone,
  withAnswers,
  withCallIds,
  withSystemFirst,
  withWords,
  withMessages,
  withIds,
])
