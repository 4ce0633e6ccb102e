/**
 * Decides what a step does with its window. Total and deterministic: no clock, no I/O, nothing remembered.
 *
 * @since 0.1.0
 */

import { countMessage } from "../count/Count.ts"
import { prepass } from "../prepass/Prepass.ts"
import { itemsTokens, renderSummaryFence } from "../summary/Render.ts"
import type { Group, Grouping } from "../thread/Group.ts"
import { libraryMessage, type Window } from "../thread/Window.ts"
import type { CannotFit, Decision, Numbers, Prune, Summarize } from "./Decision.ts"
import { measure } from "./Measure.ts"
import { isSignedLoopOpen } from "./OpenLoop.ts"
import { limitsOf } from "./Policy.ts"
import type { Settings } from "./Settings.ts"
import { gainOf, prepassOptions, squeezeTo } from "./Squeeze.ts"
import { asksModel, type Wait, waitingFor } from "./Thrash.ts"
import { smallestView, truncate } from "./Truncate.ts"
import { middleOf, stayingTokens, type TailMode, zonesOf } from "./Zones.ts"

/**
 * What bears on a decision besides the window.
 *
 * @category models
 * @since 0.1.0
 */
export interface Circumstances {
  /** The host asks for a pass: the soft trigger and the waits do not count. */
  readonly manual?: boolean
  /** Passes are out of the question in this prompt: one failed, or there were enough of them. */
  readonly noPass?: boolean
}

interface State extends Numbers {
  readonly window: Window
  readonly groups: ReadonlyArray<Group>
  readonly settings: Settings
  readonly cause: "trigger" | "limit" | "manual"
  /** Tokens of everything that a pass could shrink. */
  readonly history: number
  /** Earlier passes gained little: the model is not paid for another one. */
  readonly isWeak: boolean
  readonly why: Wait | null
}

const isLeast = (state: State, gain: number): boolean =>
  gain > 0 && gain >= state.settings.policy.minGain * state.history

/** The pre-pass over what a summary would cover. */
const planPrune = (state: State): Prune | null => {
  const { window, groups, settings, limits } = state
  const zones = zonesOf(window, groups, limits, settings.policy, "whole")
  const keep = new Set([...zones.head, ...zones.carry])
  const eligible = new Set(
    middleOf(groups, zones)
      .filter((group) => !keep.has(group))
      .flatMap((group) => group.entries.map((entry) => entry.row.id)),
  )
  const reductions = prepass(
    window.entries.map((entry) => entry.row),
    eligible,
    prepassOptions(settings),
  )
  return pruneOf(state, reductions, false)
}

const pruneOf = (state: State, all: Prune["reductions"], squeezed: boolean): Prune | null => {
  const { reductions, gain } = gainOf(state.window, state.parts.total, all, state.settings)
  const anchor = state.window.entries.findLast((entry) => entry.place === "live")?.row.id
  if (gain <= 0 || anchor === undefined) return null
  const { cause, parts, limits } = state
  return { _tag: "Prune", cause, parts, limits, anchor, reductions, gain, squeezed }
}

const idsUpTo = (groups: ReadonlyArray<Group>, last: number): ReadonlyArray<string> =>
  groups.flatMap((group) =>
    group.entries.filter((entry) => entry.row.position <= last).map((entry) => entry.row.id),
  )

/** What the fence of a summary costs besides its items. */
const fenceTokens = ({ counter, accounting }: Settings): number => {
  const text = renderSummaryFence({ items: [{ id: "00000000", kind: "constraint", text: "", sources: [] }] })
  return countMessage(libraryMessage(text), counter, accounting)
}

/** Tokens of the constraints that the next summary inherits: they stay, whatever the bound is now. */
const pinnedTokens = ({ cut }: Window, { counter }: Settings): number =>
  cut?.kind === "summary"
    ? itemsTokens(
        cut.summary.items.filter((item) => item.kind === "constraint"),
        counter,
      )
    : 0

/** A cut after the middle, or null when there is nothing to cover or nothing to gain. */
const planSummary = (state: State, mode: TailMode): Summarize | null => {
  const { window, groups, settings, limits, parts } = state
  const zones = zonesOf(window, groups, limits, settings.policy, mode)
  const edge = zones.tail[0]?.from ?? window.entries.length
  const span = window.entries.slice(0, edge).filter((entry) => entry.place === "live")
  const anchor = span.at(-1)?.row
  if (anchor === undefined) return null
  const constraints = Math.max(limits.constraints, pinnedTokens(window, settings))
  const most = limits.summary + constraints + fenceTokens(settings)
  const gain = parts.total - parts.system - stayingTokens(window, zones) - most
  if (gain <= 0) return null
  return {
    _tag: "Summarize",
    cause: state.cause,
    parts,
    limits,
    anchor: anchor.id,
    span: span.map((entry) => entry.row.id),
    head: idsUpTo(zones.head, anchor.position),
    carry: idsUpTo(zones.carry, anchor.position),
    gain,
    by: asksModel(window, settings.policy) && !state.isWeak ? "model" : "extractive",
    most,
    maxTokens: limits.summary,
    maxConstraintTokens: limits.constraints,
  }
}

/** Over the soft trigger, and under the hard limit: only what pays. */
const decideSoft = (state: State): Decision => {
  const { parts, limits } = state
  const prune = planPrune(state)
  if (prune !== null && isLeast(state, prune.gain) && parts.total - prune.gain <= limits.target * 1.1)
    return prune
  const summary = planSummary(state, "whole")
  if (summary !== null && isLeast(state, summary.gain)) return summary
  if (prune !== null && isLeast(state, prune.gain)) return prune
  const gain = Math.max(prune?.gain ?? 0, summary?.gain ?? 0)
  const least = Math.ceil(state.settings.policy.minGain * state.history)
  return { _tag: "Hold", parts, limits, why: { _tag: "TooLittle", gain, least } }
}

/** Over the hard limit: whatever makes it fit, the cheapest and least harmful first. */
const decideHard = (state: State): Decision | null => {
  const { parts, limits } = state
  const fits = (plan: Prune | Summarize | null): plan is Prune | Summarize =>
    plan !== null && parts.total - plan.gain <= limits.limit
  const prune = planPrune(state)
  const summary = planSummary(state, "whole")
  const pays = [prune, summary].filter((plan) => plan !== null).filter((plan) => isLeast(state, plan.gain))
  const first = pays.find(fits)
  if (first !== undefined) return first
  const plans = [planSummary(state, "least"), planSqueeze(state)].filter((plan) => plan !== null)
  return plans.find(fits) ?? pays[0] ?? plans.find((plan) => isLeast(state, plan.gain)) ?? null
}

/** Results shortened wherever they stand, the newest group's last. */
const planSqueeze = (state: State): Prune | null => {
  const { window, groups, parts, limits, settings } = state
  return pruneOf(state, squeezeTo(window, groups, parts.total, limits, settings), true)
}

const cannotFit = (state: State): CannotFit => {
  const { parts, limits } = state
  const least = smallestView(state.window, state.groups, state.settings)
  const biggest = [...least.parts, { part: "tools", tokens: state.settings.budget.tools }]
    .filter((part) => part.tokens > 0)
    .toSorted((a, b) => b.tokens - a.tokens)
    .slice(0, 3)
  return { _tag: "CannotFit", parts, limits, needed: least.tokens, biggest }
}

const lastResort = (state: State): Decision => {
  const view = truncate(state.window, state.groups, state.limits, state.settings)
  const { parts, limits, why } = state
  if (view === null) return cannotFit(state)
  return { _tag: "Truncate", parts, limits, view, ...(why?._tag === "Failed" ? { why } : {}) }
}

/**
 * Decides. What even a view cannot make fit is told at once: no pass is paid for it.
 *
 * @category combinators
 * @since 0.1.0
 */
export const decide = (
  window: Window,
  { groups }: Grouping,
  settings: Settings,
  circumstances: Circumstances = {},
): Decision => {
  const parts = measure(window, groups)
  const limits = limitsOf(settings.policy, settings.budget, window.systemTokens)
  const over = parts.total > limits.limit
  const cause = over ? "limit" : "trigger"
  const why = waitingFor(window, parts.total, settings.policy)
  const isWeak = why?._tag === "Weak"
  const history = parts.total - parts.system
  const state: State = { window, groups, settings, parts, limits, cause, history, isWeak, why }
  const last = over ? lastResort(state) : null
  if (last?._tag === "CannotFit") return last
  const isHeld = last === null && settings.policy.openLoops === "hold" && isSignedLoopOpen(groups)
  if (circumstances.manual === true && circumstances.noPass !== true && !isHeld) {
    const asked: State = { ...state, cause: "manual", isWeak: false }
    const plan = planSummary(asked, "whole") ?? planPrune(asked)
    if (plan !== null) return plan
  }
  if (last === null && parts.total <= limits.trigger && !(isHeld && circumstances.manual === true))
    return { _tag: "Keep", parts, limits }
  if (isHeld) return { _tag: "Hold", parts, limits, why: { _tag: "OpenLoop" } }
  if (circumstances.noPass === true) return last ?? { _tag: "Hold", parts, limits, why: { _tag: "NoPass" } }
  if (last === null) return why === null ? decideSoft(state) : { _tag: "Hold", parts, limits, why }
  const hard = why?._tag === "Failed" ? null : decideHard(state)
  return hard ?? last
}
