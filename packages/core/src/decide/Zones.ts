/**
 * What a pass may touch and what it may not: the head, the middle and the tail.
 *
 * @since 0.1.0
 */
import { boundaries, type Group } from "../thread/Group.ts"
import type { Window } from "../thread/Window.ts"
import { recallsOf, tokensOf } from "./Measure.ts"
import type { Limits, Policy } from "./Policy.ts"

/**
 * The groups of a window, split for a pass. `cut` is the number of groups before the tail; those among them that stay
 * in the prompt are in `head` and `carry`.
 *
 * @category models
 * @since 0.1.0
 */
export interface Zones {
  readonly cut: number
  readonly head: ReadonlyArray<Group>
  readonly carry: ReadonlyArray<Group>
  readonly tail: ReadonlyArray<Group>
}

const isLive = (group: Group): boolean => group.entries[0]?.place === "live"

const newestUser = (groups: ReadonlyArray<Group>): Group | undefined => groups.findLast((group) => group.real)

/**
 * Finds where the tail begins: as far back as its tokens allow, at a boundary; the last group is always in it. The
 * newest turn and the last call groups extend it up to its largest size.
 */
const tailStart = (groups: ReadonlyArray<Group>, size: number, wanted: number, largest: number): number => {
  const places = new Set(boundaries(groups))
  let start = -1
  let tokens = 0
  for (let place = groups.length - 1; place >= 0; place--) {
    tokens += groups[place]?.tokens ?? 0
    const fits = tokens <= size || (place >= wanted && tokens <= largest)
    if (!fits && start !== -1) break
    if (places.has(place)) start = place
  }
  return Math.max(0, start)
}

/** The first group that the newest turn or the last call groups want in the tail. */
const wantedStart = (groups: ReadonlyArray<Group>, policy: Policy): number => {
  const turn = groups.findLastIndex((group) => group.real)
  const calls = groups.flatMap((group, i) =>
    group.kind === "response" && group.entries.length > 1 ? [i] : [],
  )
  const call = calls.at(-policy.tailGroups) ?? groups.length
  return Math.min(turn === -1 ? groups.length : turn, policy.tailGroups === 0 ? groups.length : call)
}

/** Tokens of groups once a cut has undone their prunes. */
const freshTokens = (groups: ReadonlyArray<Group>): number =>
  groups.reduce(
    (sum, group) =>
      group.entries.reduce((all, entry) => all + entry.fresh - entry.tokens, sum + group.tokens),
    0,
  )

/**
 * The first exchange of a thread: the first real user message, what stands before it, and the response to it. Without
 * a user message there is none.
 */
const firstExchange = (groups: ReadonlyArray<Group>, largest: number): ReadonlyArray<Group> => {
  const first = groups.findIndex((group) => group.real)
  if (first === -1) return []
  const withResponse = groups.slice(0, first + 2)
  const alone = groups.slice(0, first + 1)
  return [withResponse, alone].find((head) => freshTokens(head) <= largest) ?? []
}

/**
 * Chooses the head. Before the first pass it is the first exchange, when it is small enough. It decays afterwards: it
 * stays only while the task that it opens is still the newest one.
 */
const headOf = (
  window: Window,
  groups: ReadonlyArray<Group>,
  cut: number,
  limits: Limits,
): ReadonlyArray<Group> => {
  if (window.cut?.kind !== "summary") return firstExchange(groups.slice(0, cut), limits.head)
  const head = groups.filter((group) => group.entries[0]?.place === "head")
  const user = newestUser(groups)
  return user !== undefined && head.includes(user) && freshTokens(head) <= limits.head ? head : []
}

/** Covered groups that stay after the summary: the newest user message, pending calls, calls with a live result. */
const carryOf = (
  groups: ReadonlyArray<Group>,
  cut: number,
  head: ReadonlyArray<Group>,
): ReadonlyArray<Group> => {
  const user = newestUser(groups)
  const edge = groups[cut]?.from ?? Number.POSITIVE_INFINITY
  return groups
    .slice(0, cut)
    .filter((group) => !head.includes(group) && (group === user || group.pending || group.to >= edge))
}

/**
 * How much of the tail a pass keeps: all that the policy wants, or the last group alone.
 *
 * @category models
 * @since 0.1.0
 */
export type TailMode = "whole" | "least"

/**
 * Splits the groups of a window. Only live groups can become covered; a window that leaves nothing to cover has its
 * cut at 0 live groups.
 *
 * @category constructors
 * @since 0.1.0
 */
export const zonesOf = (
  window: Window,
  groups: ReadonlyArray<Group>,
  limits: Limits,
  policy: Policy,
  mode: TailMode,
): Zones => {
  const kept = groups.findIndex(isLive)
  const first = kept === -1 ? groups.length : kept
  const start =
    mode === "whole"
      ? tailStart(groups, limits.tail, wantedStart(groups, policy), limits.tailMax)
      : tailStart(groups, 0, groups.length, 0)
  const cut = Math.max(first, start)
  const head = headOf(window, groups, cut, limits)
  return { cut, head, carry: carryOf(groups, cut, head), tail: groups.slice(cut) }
}

/**
 * The live groups that a cut would newly cover.
 *
 * @category getters
 * @since 0.1.0
 */
export const middleOf = (groups: ReadonlyArray<Group>, zones: Zones): ReadonlyArray<Group> =>
  groups.slice(0, zones.cut).filter(isLive)

/**
 * Tokens of the groups that stay when a cut is made, with their recall blocks.
 *
 * @category getters
 * @since 0.1.0
 */
export const stayingTokens = (window: Window, zones: Zones): number =>
  freshTokens(zones.head) +
  freshTokens(zones.carry) +
  tokensOf(zones.tail) +
  recallsOf(zones.tail, window.recalls).reduce((sum, entry) => sum + entry.tokens, 0)
