/**
 * Puts the messages of a request in order: two sides that take turns, the user first, results first, none empty.
 *
 * @since 0.1.0
 */
import type { Repaired } from "../format/Format.ts"
import type { WireRepair } from "../format/Rule.ts"
import { asContent, BLANK } from "./Kinds.ts"
import type { Limits } from "./Limits.ts"
import { isEmpty, mayOpen } from "./Messages.ts"
import { neighboursIn, placedIn } from "./Turns.ts"
import type { AnthropicBlock, AnthropicMessage, AnthropicRequest } from "./Wire.ts"

type Messages = ReadonlyArray<AnthropicMessage>

/** Collects what was done. */
type Note = (repair: WireRepair) => void

const at = (i: number): string => `messages[${i}]`

const inTwoRoles = (messages: Messages, note: Note): Messages =>
  messages.map((message, i) => {
    if (message.role !== "system") return message
    note({ rule: "AN2", path: at(i), detail: "made a system message the user's" })
    return { ...message, role: "user" }
  })

/** Responses of nothing are left out. What a user said is never left out: see `spoken`. */
const withoutEmpty = (messages: Messages, note: Note): Messages =>
  messages.filter((message, i) => {
    const isLeft = message.role === "assistant" && isEmpty(message)
    if (isLeft) note({ rule: "AN9", path: at(i), detail: "left out an empty message" })
    return !isLeft
  })

const blocksOf = (message: AnthropicMessage): ReadonlyArray<AnthropicBlock> =>
  placedIn(message, "").map(({ block }) => block)

/** Neighbours of one role are one message, as the provider reads them. */
const merged = (messages: Messages, note: Note): Messages =>
  neighboursIn(messages).map(([[first], ...others]) => {
    if (others.length === 0) return first
    for (const [, i] of others)
      note({ rule: "AN2", path: at(i), detail: "merged with the message before it" })
    const content = asContent([first, ...others.map(([message]) => message)].flatMap(blocksOf))
    return { ...first, content }
  })

/** Results come first; what stands behind them keeps its order. */
const resultsFirst = (messages: Messages, note: Note): Messages =>
  messages.map((message, i) => {
    const blocks = blocksOf(message)
    const isResult = ({ type }: AnthropicBlock): boolean => type === "tool_result"
    const other = blocks.findIndex((block) => !isResult(block))
    if (message.role === "assistant" || other < 0 || !blocks.slice(other).some(isResult)) return message
    note({ rule: "AN4", path: at(i), detail: "moved results before what else is said" })
    return {
      ...message,
      content: [...blocks.filter(isResult), ...blocks.filter((block) => !isResult(block))],
    }
  })

/** A user who said nothing has spoken: the turn stays. */
const spoken = (messages: Messages, note: Note): Messages =>
  messages.map((message, i) => {
    if (message.role === "assistant" || !isEmpty(message)) return message
    note({ rule: "AN9", path: at(i), detail: "added a text to an empty message" })
    return { ...message, content: BLANK }
  })

/** The newest messages, from one of the model on, so that no result loses its call. */
const newest = (messages: Messages, limits: Limits, note: Note): Messages => {
  if (messages.length <= limits.messages) return messages
  const start = messages.findIndex(
    ({ role }, i) => i > messages.length - limits.messages && role === "assistant",
  )
  note({ rule: "AN21", path: "messages", detail: `left out the oldest ${start} messages` })
  return messages.slice(start)
}

const OPENING: AnthropicMessage = { role: "user", content: "(earlier messages are not shown)" }

const opened = (messages: Messages, note: Note): Messages => {
  if (mayOpen(messages[0])) return messages
  note({ rule: "AN1", path: at(0), detail: "added a user message" })
  return [OPENING, ...messages]
}

/** Puts the messages of a request in order. */
export const arranged = (request: AnthropicRequest, limits: Limits): Repaired<AnthropicRequest> => {
  const repairs: Array<WireRepair> = []
  const note: Note = (repair) => repairs.push(repair)
  const turns = merged(withoutEmpty(inTwoRoles(request.messages, note), note), note)
  const said = spoken(resultsFirst(turns, note), note)
  const messages = opened(newest(said, limits, note), note)
  return { request: repairs.length === 0 ? request : { ...request, messages }, repairs }
}
