/**
 * Ids of calls in the alphabet that a provider allows, and the way back.
 *
 * @since 0.1.0
 */
import { canonicalJson, sha256 } from "../../thread/Id.ts"
import type { AssistantMessage, Message, ToolMessage } from "../../thread/Message.ts"
import type { Item, Loss } from "./Conversation.ts"

/**
 * What a provider allows as the id of a call.
 *
 * @category models
 * @since 0.1.0
 */
export interface IdRule {
  /** Whether dashes and underscores are allowed beside letters and digits; `any` allows every character. */
  readonly alphabet: "any" | "dashes" | "letters"
  /** Characters at least and at most. */
  readonly min: number
  readonly max: number
  /** Where an id may stand once only: in one response, or in the whole request. */
  readonly unique: "response" | "request"
}

/**
 * Conversation with ids that a provider takes.
 *
 * @category models
 * @since 0.1.0
 */
export interface WithIds {
  readonly items: ReadonlyArray<Item>
  /** The ids that changed: from the one that is sent to the one of the thread. */
  readonly ids: ReadonlyMap<string, string>
  readonly losses: ReadonlyArray<Loss>
}

const ALLOWED = { any: /^[\s\S]+$/, dashes: /^[A-Za-z0-9_-]+$/, letters: /^[A-Za-z0-9]+$/ } as const

/**
 * Tells whether an id keeps a rule, apart from being unique.
 *
 * @category guards
 * @since 0.1.0
 */
export const isLegalId = (id: string, rule: IdRule): boolean =>
  ALLOWED[rule.alphabet].test(id) && id.length >= rule.min && id.length <= rule.max

/** Most characters of a derived id: enough that two are the same by chance in no thread. */
const DERIVED = 32

/** Ids that are used, and how often another one was derived of an id: tried anew, many of one id take their square. */
interface Used {
  readonly ids: Set<string>
  readonly turns: Map<string, number>
}

/** The id itself where it is allowed and free; otherwise one derived from it, the same in each process. */
const legal = (id: string, rule: IdRule, { ids, turns }: Used): string => {
  if (isLegalId(id, rule) && !ids.has(id)) return id
  for (let salt = turns.get(id) ?? 0; ; salt++) {
    const derived = sha256(canonicalJson(["call", id, salt])).slice(0, Math.min(DERIVED, rule.max))
    turns.set(id, salt + 1)
    if (!ids.has(derived)) return derived
  }
}

/** The calls that still wait for a result, newest last: their ids in the thread and on the wire. */
type Waiting = Map<string, Array<string>>

const renameCalls = (message: AssistantMessage, rename: (id: string) => string): AssistantMessage => {
  const parts = message.parts.map((part) => {
    if (part.type !== "tool-call") return part
    const id = rename(part.id)
    return id === part.id ? part : { ...part, id }
  })
  return parts.every((part, i) => part === message.parts[i]) ? message : { ...message, parts }
}

const renameResults = (message: ToolMessage, waiting: Waiting): ToolMessage => {
  const parts = message.parts.map((part) => {
    const queue = waiting.get(part.call)
    const call = (part.type === "approval" || queue?.length === 1 ? queue?.[0] : queue?.shift()) ?? part.call
    return call === part.call ? part : { ...part, call }
  })
  return parts.every((part, i) => part === message.parts[i]) ? message : { ...message, parts }
}

/**
 * Gives each call an id that a rule allows. Ids that are allowed stay; the others, and the second of two that are the
 * same, are derived from the id and its turn, so that every process writes the same. Messages of which `isKept` says so
 * keep theirs, allowed or not: they go out in the form in which they came.
 *
 * @category combinators
 * @since 0.1.0
 */
export const withLegalIds = (
  items: ReadonlyArray<Item>,
  rule: IdRule,
  isKept: (index: number) => boolean = () => false,
): WithIds => {
  const ids = new Map<string, string>()
  const losses: Array<Loss> = []
  let used: Used = { ids: new Set(), turns: new Map() }
  const waiting: Waiting = new Map()
  const rename = (message: Message, index: number): Message => {
    if (message.role === "tool") {
      const renamed = renameResults(message, waiting)
      return isKept(index) ? message : renamed
    }
    if (message.role !== "assistant") return message
    if (rule.unique === "response") used = { ids: new Set(), turns: new Map() }
    const fresh = new Set<string>()
    return renameCalls(message, (id) => {
      const wire = isKept(index) ? id : legal(id, rule, used)
      used.ids.add(wire)
      waiting.set(id, [...(fresh.has(id) ? (waiting.get(id) ?? []) : []), wire])
      fresh.add(id)
      if (wire !== id) {
        ids.set(wire, id)
        const why = isLegalId(id, rule) ? "the id stands twice" : "the provider does not allow it"
        losses.push({ kind: "changed", message: index, what: `the id ${id} of a call`, why })
      }
      return wire
    })
  }
  const renamed = items.map((item, index) => {
    const message = rename(item.message, index)
    return message === item.message ? item : { message }
  })
  return { items: renamed, ids, losses }
}

/**
 * Puts the ids of the thread back where a provider answered with those that it was sent.
 *
 * @category combinators
 * @since 0.1.0
 */
export const originalIds = <M extends Message>(message: M, ids: ReadonlyMap<string, string>): M => {
  const parts = message.parts.map((part) => {
    if (part.type === "tool-call") return { ...part, id: ids.get(part.id) ?? part.id }
    return part.type === "tool-result" || part.type === "approval"
      ? { ...part, call: ids.get(part.call) ?? part.call }
      : part
  })
  return { ...message, parts } as M
}
