/**
 * The last resort: a view of the window that fits. It writes nothing, and leaves out as little as it can.
 *
 * @since 0.1.0
 */
import { squeeze } from "../prepass/Prepass.ts"
import { type Group, groupsOf } from "../thread/Group.ts"
import type { Reduction } from "../thread/Row.ts"
import { type RecallEntry, reduceWindow, type Window } from "../thread/Window.ts"
import type { View } from "./Decision.ts"
import { recallsOf, tokensOf } from "./Measure.ts"
import type { Limits } from "./Policy.ts"
import type { Settings } from "./Settings.ts"
import { prepassOptions, shorter, squeezable } from "./Squeeze.ts"

/** Tokens to which results of the groups that must be sent may be squeezed, gentlest first. */
const LEVELS = [4_096, 1_024, 256, 64, 32]

/** The newest real user message and the newest group. */
const mandatory = (groups: ReadonlyArray<Group>): ReadonlyArray<number> => {
  const user = groups.findLastIndex((group) => group.real)
  const last = groups.length - 1
  return [...new Set([user, last])].filter((i) => i >= 0).toSorted((a, b) => a - b)
}

interface Base {
  readonly must: ReadonlyArray<number>
  readonly reductions: ReadonlyArray<Reduction>
  /** The groups, some of them reduced. */
  readonly groups: ReadonlyArray<Group>
  readonly tokens: number
}

const baseAt = (
  window: Window,
  groups: ReadonlyArray<Group>,
  level: number | null,
  settings: Settings,
): Base => {
  const must = mandatory(groups)
  const at = (all: ReadonlyArray<Group>) => must.flatMap((i) => all[i] ?? [])
  const weigh = (all: ReadonlyArray<Group>) => window.systemTokens + tokensOf(at(all))
  if (level === null) return { must, reductions: [], groups, tokens: weigh(groups) }
  const rows = window.entries.map((entry) => entry.row)
  const all = squeeze(rows, squeezable(groups, at(groups)), level, prepassOptions(settings))
  const reductions = shorter(window, all)
  const reduced = groupsOf(reduceWindow(window, reductions), settings).groups
  return { must, reductions, groups: reduced, tokens: weigh(reduced) }
}

/**
 * Measures the least that could be sent, part by part, tokens.
 *
 * @category getters
 * @since 0.1.0
 */
export const smallestView = (
  window: Window,
  groups: ReadonlyArray<Group>,
  settings: Settings,
): {
  readonly tokens: number
  readonly parts: ReadonlyArray<{ readonly part: string; readonly tokens: number }>
} => {
  const base = baseAt(window, groups, LEVELS.at(-1) ?? 0, settings)
  const name = (group: Group) =>
    `${group.real ? "newest user message" : "newest group"} ${group.entries[0]?.row.id}`
  return {
    tokens: base.tokens,
    parts: [
      { part: "system prompt", tokens: window.systemTokens },
      ...base.must
        .flatMap((i) => base.groups[i] ?? [])
        .map((group) => ({ part: name(group), tokens: group.tokens })),
    ],
  }
}

/** Adds groups from the end backwards while they fit. */
const addOlder = (
  groups: ReadonlyArray<Group>,
  base: ReadonlyArray<number>,
  room: number,
): ReadonlyArray<number> => {
  const chosen = new Set(base)
  let left = room
  for (let i = groups.length - 1; i >= 0; i--) {
    if (chosen.has(i)) continue
    left -= groups[i]?.tokens ?? 0
    if (left < 0) break
    chosen.add(i)
  }
  return [...chosen].toSorted((a, b) => a - b)
}

/** The newest recall blocks of the groups sent that fit the room. */
const addRecalls = (
  window: Window,
  sent: ReadonlyArray<Group>,
  room: number,
): { readonly ids: ReadonlyArray<string>; readonly tokens: number } => {
  const chosen: Array<RecallEntry> = []
  let left = room
  for (const recall of recallsOf(sent, window.recalls).toReversed())
    if (recall.tokens <= left) {
      chosen.push(recall)
      left -= recall.tokens
    }
  return { ids: chosen.map((recall) => recall.row.id), tokens: room - left }
}

/** A view opens with a user's message, when it holds one: providers refuse a response in the first place. */
const openWithUser = (
  groups: ReadonlyArray<Group>,
  chosen: ReadonlyArray<number>,
  must: ReadonlyArray<number>,
): ReadonlyArray<number> => {
  const first = chosen.findIndex((i) => groups[i]?.kind === "user" || must.includes(i))
  return first === -1 ? chosen : chosen.slice(first)
}

/**
 * Makes the view, or null when even the least does not fit. The newest real user message is in it, verbatim, and the
 * newest group, whole; then the summary and as many older groups as fit.
 *
 * @category combinators
 * @since 0.1.0
 */
export const truncate = (
  window: Window,
  groups: ReadonlyArray<Group>,
  limits: Limits,
  settings: Settings,
): View | null => {
  const bases = [null, ...LEVELS].map((level) => () => baseAt(window, groups, level, settings))
  const fitting = bases.find((base) => base().tokens <= limits.limit)
  if (fitting === undefined) return null
  const base = fitting()
  const summary = window.summaryTokens > 0 && base.tokens + window.summaryTokens <= limits.limit
  const fixed = base.tokens + (summary ? window.summaryTokens : 0)
  const older = addOlder(base.groups, base.must, limits.limit - fixed)
  const chosen = summary ? older : openWithUser(groups, older, base.must)
  const sent = chosen.flatMap((i) => base.groups[i] ?? [])
  const added = tokensOf(sent) + window.systemTokens - base.tokens
  const recalls = addRecalls(window, sent, limits.limit - fixed - added)
  return {
    groups: chosen,
    summary,
    recalls: recalls.ids,
    reductions: base.reductions,
    tokens: fixed + added + recalls.tokens,
  }
}
