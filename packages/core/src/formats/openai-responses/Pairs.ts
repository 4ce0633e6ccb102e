/**
 * Calls and their outputs: OR1 and OR2.
 *
 * Most of what these rules ask for is made by mending a conversation before its request is polished; what is left is
 * what polishing itself brings out, and outputs of the wrong type.
 *
 * @since 0.1.0
 */
import type { Repaired } from "../format/Format.ts"
import type { Rule, WireRepair } from "../format/Rule.ts"
import {
  answers,
  type CallType,
  callIdOf,
  callTypeOf,
  outputIdOf,
  outputTypeOf,
  referenceKindOf,
  sideOf,
} from "./Kinds.ts"
import { readOutput } from "./ReadOutput.ts"
import { isContinued, itemsOf, type ResponsesItem, type ResponsesRequest } from "./Wire.ts"
import { writeOutput } from "./WriteOutput.ts"

/** A call or an output that has no counterpart, or a wrong one. */
interface Fault {
  readonly index: number
  readonly kind: "orphan" | "second" | "mismatch" | "unanswered"
  /** The call that an output of the wrong type answers. */
  readonly call?: CallType
}

interface Call {
  readonly index: number
  readonly type: CallType
}

const faultsIn = (request: ResponsesRequest): ReadonlyArray<Fault> => {
  const faults: Array<Fault> = []
  const open = new Map<string, Call>()
  const late = new Map<string, Call>()
  const answered = new Set<string>()
  let references = 0
  const close = () => {
    for (const [id, call] of open) {
      faults.push({ index: call.index, kind: "unanswered" })
      late.set(id, call)
    }
    open.clear()
  }
  const answer = (index: number, id: string, output: CallType): Fault | null => {
    const call = open.get(id) ?? late.get(id)
    open.delete(id)
    late.delete(id)
    if (call !== undefined) {
      answered.add(id)
      return answers(output, call.type) ? null : { index, kind: "mismatch", call: call.type }
    }
    if (answered.has(id)) return { index, kind: "second" }
    if (references === 0 && !isContinued(request)) return { index, kind: "orphan" }
    references = Math.max(0, references - 1)
    answered.add(id)
    return null
  }
  for (const [index, item] of itemsOf(request).entries()) {
    const [made, output, answeredId] = [callTypeOf(item), outputTypeOf(item), outputIdOf(item)]
    const id = callIdOf(item)
    if (made !== undefined && id !== undefined) open.set(id, { index, type: made })
    if (referenceKindOf(item) !== undefined) references += 1
    if (sideOf(item) === "user") close()
    if (output === undefined || answeredId === undefined) continue
    const fault = answer(index, answeredId, output)
    if (fault !== null) faults.push(fault)
  }
  close()
  return faults
}

const DETAILS = {
  orphan: "no call of it before",
  second: "a second output of a call",
  mismatch: "an output of another type than its call",
  unanswered: "a call without an output before the next turn",
} as const

const ruleOf = ({ kind }: Fault): string => (kind === "unanswered" ? "OR2" : "OR1")

const checkFor =
  (rule: string): Rule<ResponsesRequest>["check"] =>
  (request) =>
    faultsIn(request)
      .filter((fault) => ruleOf(fault) === rule)
      .map(({ index, kind }) => ({ path: `input[${index}]`, detail: DETAILS[kind] }))

/** OR1: each output answers a call before it, once and in its type. */
export const called: Rule<ResponsesRequest> = { id: "OR1", check: checkFor("OR1") }

/** OR2: each call has its output before the next turn. */
export const answered: Rule<ResponsesRequest> = { id: "OR2", check: checkFor("OR2") }

/** What stands in place of an item with a fault: an output of the right type, or nothing. */
const instead = (item: ResponsesItem, { kind, call }: Fault): ReadonlyArray<ResponsesItem> =>
  kind === "mismatch" && call !== undefined ? [writeOutput(readOutput(item), call.kind, () => undefined)] : []

/** A request whose calls and outputs fit. */
export const withPairs = (request: ResponsesRequest): Repaired<ResponsesRequest> => {
  const faults = new Map(faultsIn(request).map((fault) => [fault.index, fault] as const))
  if (faults.size === 0) return { request, repairs: [] }
  const repairs = [...faults.values()].map(
    (fault): WireRepair => ({
      rule: ruleOf(fault),
      path: `input[${fault.index}]`,
      detail: `${fault.kind === "mismatch" ? "replaced" : "left out"}: ${DETAILS[fault.kind]}`,
    }),
  )
  const input = itemsOf(request).flatMap((item, i) => {
    const fault = faults.get(i)
    return fault === undefined ? [item] : instead(item, fault)
  })
  return { request: { ...request, input }, repairs }
}
