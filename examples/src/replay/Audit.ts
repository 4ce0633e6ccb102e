/**
 * Checks the laws on each prompt of a replay, from the outside: what is counted here is what would be sent.
 */
import {
  type Counting,
  canonicalJson,
  countMessage,
  countSystem,
  isRealUser,
  type Message,
  messagesOf,
  type Thread,
} from "@palimpsest/core"
import type { StepPrompt } from "@palimpsest/core/engine"
import { chatCompletions, type Judge } from "./Judge.ts"

/** A broken law, and where. */
export interface Violation {
  readonly law: number
  readonly call: number
  readonly detail: string
}

/** What the calls so far left behind for the next check. */
export interface Memory {
  readonly call: number
  /** The messages of the prompt before, as JSON. */
  readonly sent: ReadonlyArray<string>
  /** What each of them costs: most of them are sent again, and a message costs what it costs. */
  readonly costs: ReadonlyMap<string, number>
}

export const noMemory: Memory = { call: 0, sent: [], costs: new Map() }

/** A call as the audit sees it. */
export interface Call {
  readonly prompt: StepPrompt
  readonly thread: Thread
  /** The system prompt that the chat was opened with. */
  readonly system: string
  /** Every message of the chat up to this call, in order, with its row id. */
  readonly said: ReadonlyArray<{ readonly id: string; readonly message: Message }>
  readonly limit: number
  /** Says what a provider would refuse. */
  readonly judge?: Judge
}

/** What each message of a prompt costs; `sent` is each as JSON. */
const costsOf = (
  { prompt }: Call,
  sent: ReadonlyArray<string>,
  before: Memory,
  { counter, accounting }: Counting,
): ReadonlyMap<string, number> => {
  const costs = new Map<string, number>()
  for (const [i, message] of messagesOf(prompt).entries()) {
    const json = sent[i] ?? ""
    costs.set(json, costs.get(json) ?? before.costs.get(json) ?? countMessage(message, counter, accounting))
  }
  return costs
}

const isBudget = (
  { prompt, limit }: Call,
  sent: ReadonlyArray<string>,
  costs: ReadonlyMap<string, number>,
  { counter, accounting }: Counting,
): string | null => {
  const messages = sent.reduce((sum, json) => sum + (costs.get(json) ?? 0), 0)
  const tokens = accounting.priming + countSystem(prompt.system, counter, accounting) + messages
  if (tokens !== prompt.tokens.total)
    return `counted ${tokens} tokens, and the prompt says ${prompt.tokens.total}`
  return tokens <= limit ? null : `${tokens} tokens, and the limit is ${limit}`
}

const isCovered = ({ prompt, thread, said }: Call): string | null => {
  const { verbatim, reduced, left } = prompt.coverage
  const places = [...verbatim, ...reduced, ...left.map(({ row }) => row)]
  const inWindow = new Set(places)
  if (inWindow.size !== places.length) return "a row is in two places"
  const live = new Set(thread.rows.filter((row) => row.kind === "message").map((row) => row.id))
  const cut = said.findLastIndex(({ id }) => id === thread.cut?.anchor)
  const lost = said.find(({ id }, i) => i > cut && !inWindow.has(id))
  if (lost !== undefined) return `row ${lost.id} is after the cut and in no place`
  const early = said.find(({ id }, i) => i <= cut && live.has(id))
  return early === undefined ? null : `row ${early.id} is covered and live`
}

const isValid = ({ prompt, judge = chatCompletions }: Call): string | null => judge(prompt)

const isProtected = ({ prompt, system, said }: Call): string | null => {
  if (prompt.system !== system) return "the system prompt is not the one of the chat"
  const user = said.findLast(({ message }) => isRealUser(message))
  if (user === undefined) return null
  const slot = prompt.slots.find((each) => each.row === user.id)
  return slot?.form === "verbatim" && JSON.stringify(slot.message) === JSON.stringify(user.message)
    ? null
    : `the newest user message ${user.id} is not verbatim`
}

/** A pass, a truncated view and a moved result may change the prefix; nothing else may. */
const mayBreak = ({ prompt }: Call): boolean =>
  prompt.passes.length > 0 ||
  prompt.decisions.at(-1)?._tag === "Truncate" ||
  prompt.repairs.some((repair) => repair.kind === "moved")

const isStable = (call: Call, sent: ReadonlyArray<string>, before: Memory): string | null => {
  if (mayBreak(call)) return null
  const broken = before.sent.findIndex((message, i) => sent[i] !== message)
  return broken === -1 ? null : `message ${broken} of the prompt before is gone or changed`
}

const progressed = ({ prompt }: Call): string | null => {
  const stuck = prompt.passes.find(
    ({ mark }) => (mark.kind === "summary" || mark.kind === "prune") && mark.pass.after >= mark.pass.before,
  )
  return stuck === undefined ? null : `the pass ${stuck.mark.id} freed nothing`
}

/** Audits one call. */
export const audit = (
  call: Call,
  before: Memory,
  counting: Counting,
): { readonly violations: ReadonlyArray<Violation>; readonly memory: Memory } => {
  const sent = messagesOf(call.prompt).map((message) => JSON.stringify(message))
  const costs = costsOf(call, sent, before, counting)
  const number = before.call + 1
  const found: ReadonlyArray<readonly [number, string | null]> = [
    [1, isBudget(call, sent, costs, counting)],
    [2, isCovered(call)],
    [3, isValid(call)],
    [4, isProtected(call)],
    [6, isStable(call, sent, before)],
    [7, progressed(call)],
  ]
  const violations = found.flatMap(([law, detail]) =>
    detail === null ? [] : [{ law, call: number, detail }],
  )
  const isView = call.prompt.decisions.at(-1)?._tag === "Truncate"
  return { violations, memory: { call: number, sent: isView ? [] : sent, costs } }
}

/** Law 15: the thread in the process is the thread in the store. */
export const rehydrates = (inProcess: Thread, stored: Thread, call: number): ReadonlyArray<Violation> =>
  JSON.stringify(inProcess) === JSON.stringify(stored) || canonicalJson(inProcess) === canonicalJson(stored)
    ? []
    : [{ law: 15, call, detail: "the store gives another thread than the process has" }]
