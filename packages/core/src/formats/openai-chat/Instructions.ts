/**
 * What the host tells the model, and roles that a server does not know: OC9.
 *
 * @since 0.1.0
 */
import type { Repaired } from "../format/Format.ts"
import type { Rule, WireRepair } from "../format/Rule.ts"
import type { Dialect } from "./Dialect.ts"
import { eachMessage } from "./Pairs.ts"
import { type OpenAiChatRequest, type OpenAiContent, type OpenAiMessage, partsOf } from "./Wire.ts"
import { BLANK } from "./Write.ts"

const isInstruction = ({ role }: OpenAiMessage): boolean => role === "system" || role === "developer"

const faultOf = (message: OpenAiMessage, index: number, { roles }: Dialect): string | null => {
  if (!roles.has(message.role)) return `the role ${message.role}`
  return isInstruction(message) && index > 0 ? `a ${message.role} message after the first message` : null
}

/** OC9: one message of instructions at most, the first one, in a role that the server knows. */
export const instructionsFirst = (dialect: Dialect): Rule<OpenAiChatRequest> =>
  eachMessage("OC9", (message, index) => {
    const detail = faultOf(message, index, dialect)
    return detail === null ? [] : [detail]
  })

/** Two contents as one: texts with an empty line between them. */
export const joinContents = (first: OpenAiContent, second: OpenAiContent): OpenAiContent => {
  if (first === "") return second
  if (second === "") return first
  return typeof first === "string" && typeof second === "string"
    ? `${first}\n\n${second}`
    : [...partsOf(first), ...partsOf(second)]
}

const contentOf = ({ content }: OpenAiMessage): OpenAiContent => content ?? ""

const asUser = ({ role: _, content, ...others }: OpenAiMessage): OpenAiMessage => ({
  ...others,
  role: "user",
  content: content ?? BLANK,
})

const asSystem = (message: OpenAiMessage): OpenAiMessage => ({
  ...message,
  role: "system",
  content: contentOf(message),
})

/** Instructions side by side at the start are one; those that come later are told in the user's role. */
export const withFirstInstructions =
  (dialect: Dialect) =>
  (request: OpenAiChatRequest): Repaired<OpenAiChatRequest> => {
    const { messages } = request
    const repairs: Array<WireRepair> = []
    const note = (i: number, detail: string) => repairs.push({ rule: "OC9", path: `messages[${i}]`, detail })
    const found = messages.findIndex((message) => !isInstruction(message))
    const start = found === -1 ? messages.length : found
    const leading = messages.slice(0, start)
    for (const i of leading.keys()) if (i > 0) note(i, "joined with the instructions before it")
    const content = leading.map(contentOf).reduce(joinContents, "")
    const first = leading.slice(0, 1).map((message) => (start === 1 ? message : { ...message, content }))
    const arranged = [...first, ...messages.slice(start)].map((message, i) => {
      if (faultOf(message, i, dialect) === null) return message
      const isFirst = i === 0 && isInstruction(message)
      note(
        i,
        isFirst ? "made it a system message" : `told in the user's role, and no longer as ${message.role}`,
      )
      return isFirst ? asSystem(message) : asUser(message)
    })
    return { request: repairs.length === 0 ? request : { ...request, messages: arranged }, repairs }
  }
