/**
 * Tools that the provider runs: AN18.
 *
 * A call of the provider and its result stand in one message. Only where the model goes on after results of the
 * client (a program that calls the client's tools), or after a pause, does the result stand in a later one.
 *
 * @since 0.1.0
 */
import type { Fault, Finder } from "./Fault.ts"
import { callerOf, isServerCall, isServerResult } from "./Kinds.ts"
import type { Placed, Turn, View } from "./Turns.ts"

/** Whether the user only hands in results, so that the response before goes on. */
const onlyAnswers = ({ role, placed }: Turn): boolean =>
  role === "user" && placed.length > 0 && placed.every(({ block }) => block.type === "tool_result")

/** The responses of the model that go on in each other, and whether the last of them still does. */
const chainsOf = (
  view: View,
): ReadonlyArray<{ readonly placed: ReadonlyArray<Placed>; readonly isOpen: boolean }> => {
  const chains: Array<Array<Turn>> = [[]]
  for (const turn of view.turns) {
    if (turn.role === "assistant") chains.at(-1)?.push(turn)
    else if (!onlyAnswers(turn)) chains.push([])
  }
  return chains.map((turns, i) => ({
    placed: turns.flatMap(({ placed }) => placed),
    isOpen: i === chains.length - 1,
  }))
}

const chainFaults = (placed: ReadonlyArray<Placed>, isOpen: boolean): ReadonlyArray<Fault> => {
  const called = new Set<unknown>()
  const answered = new Set<unknown>()
  const callers = new Set(placed.map(({ block }) => callerOf(block)))
  const faults: Array<Fault> = []
  for (const { path, block } of placed) {
    if (isServerCall(block)) called.add(block.id)
    if (!isServerResult(block)) continue
    if (called.has(block.tool_use_id)) answered.add(block.tool_use_id)
    else faults.push({ rule: "AN18", path, detail: "a result of the provider without its call", instead: [] })
  }
  for (const { path, block } of placed) {
    const isLeft = isServerCall(block) && !answered.has(block.id) && !callers.has(block.id) && !isOpen
    if (isLeft)
      faults.push({ rule: "AN18", path, detail: "a call of the provider without its result", instead: [] })
  }
  return faults
}

/** Callers that name no call of the provider before them. */
const callerFaults = (placed: ReadonlyArray<Placed>): ReadonlyArray<Fault> => {
  const called = new Set<unknown>()
  const faults: Array<Fault> = []
  for (const { path, block } of placed) {
    const caller = callerOf(block)
    if (caller !== undefined && !called.has(caller)) {
      const { caller: _, ...others } = block
      const instead = [{ ...others, type: block.type }]
      faults.push({ rule: "AN18", path, detail: "a caller that is not in the response", instead })
    }
    if (isServerCall(block)) called.add(block.id)
  }
  return faults
}

/** AN18: calls of the provider, their results and their callers are together. */
export const together: Finder = (view) =>
  chainsOf(view).flatMap(({ placed, isOpen }) => [...callerFaults(placed), ...chainFaults(placed, isOpen)])
