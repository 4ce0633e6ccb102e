/**
 * Shortens results wherever they stand, when nothing gentler makes the window fit.
 *
 * @since 0.1.0
 */
import { type PrepassOptions, squeeze } from "../prepass/Prepass.ts"
import { type Group, groupsOf } from "../thread/Group.ts"
import type { Reduction } from "../thread/Row.ts"
import { reduceWindow, type Window } from "../thread/Window.ts"
import { measure } from "./Measure.ts"
import type { Limits } from "./Policy.ts"
import type { Settings } from "./Settings.ts"

/** Least tokens to which a result is squeezed: enough for what it is and how to recall it. */
const LEAST = 32

/**
 * The options of the pre-pass under some settings.
 *
 * @category getters
 * @since 0.1.0
 */
export const prepassOptions = ({ counter, accounting, stubs, policy }: Settings): PrepassOptions => ({
  counter,
  accounting,
  stubs,
  stubAbove: policy.stubAbove,
  argumentsAbove: policy.argumentsAbove,
  keepImages: policy.keepImages,
  protectedTools: policy.protectedTools,
})

/**
 * Keeps the reductions that make a row shorter than it is sent now.
 *
 * @category combinators
 * @since 0.1.0
 */
export const shorter = (window: Window, all: ReadonlyArray<Reduction>): ReadonlyArray<Reduction> => {
  const now = new Map(window.entries.map((entry) => [entry.row.id, entry.tokens] as const))
  return all.filter((reduction) => reduction.tokens < (now.get(reduction.row) ?? 0))
}

/**
 * Keeps the reductions that make a row shorter, and measures what they free. A row may be sent in
 * part only, or in several groups: what is freed is read off the groups, not off the rows.
 *
 * @category getters
 * @since 0.1.0
 */
export const gainOf = (
  window: Window,
  total: number,
  all: ReadonlyArray<Reduction>,
  settings: Settings,
): { readonly reductions: ReadonlyArray<Reduction>; readonly gain: number } => {
  const reductions = shorter(window, all)
  if (reductions.length === 0) return { reductions, gain: 0 }
  const reduced = reduceWindow(window, reductions)
  return { reductions, gain: total - measure(reduced, groupsOf(reduced, settings).groups).total }
}

/**
 * Finds the ids of the rows that may be squeezed: all but the newest of the user's own.
 *
 * @category getters
 * @since 0.1.0
 */
export const squeezable = (
  groups: ReadonlyArray<Group>,
  scope: ReadonlyArray<Group>,
): ReadonlySet<string> => {
  const newest = groups.findLast((group) => group.real)
  return new Set(
    scope.filter((group) => group !== newest).flatMap((group) => group.entries.map((entry) => entry.row.id)),
  )
}

/** Halvings from the cap of one result down to the least. */
const levels = (from: number): ReadonlyArray<number> => {
  const all: Array<number> = []
  for (let level = Math.floor(from / 2); level > LEAST; level = Math.floor(level / 2)) all.push(level)
  return [...all, LEAST]
}

/**
 * Finds the gentlest squeeze that brings the prompt under the soft trigger, or else under the limit, or else the
 * hardest one. The newest group is touched only when the others are not enough.
 *
 * @category combinators
 * @since 0.1.0
 */
export const squeezeTo = (
  window: Window,
  groups: ReadonlyArray<Group>,
  total: number,
  limits: Limits,
  settings: Settings,
): ReadonlyArray<Reduction> => {
  const rows = window.entries.map((entry) => entry.row)
  const options = prepassOptions(settings)
  let fitting: ReadonlyArray<Reduction> | null = null
  let hardest: ReadonlyArray<Reduction> = []
  for (const scope of [groups.slice(0, -1), groups])
    for (const level of levels(Math.max(limits.result, 2 * LEAST))) {
      hardest = squeeze(rows, squeezable(groups, scope), level, options)
      const after = total - gainOf(window, total, hardest, settings).gain
      if (after <= limits.trigger) return hardest
      if (after <= limits.limit) fitting ??= hardest
    }
  return fitting ?? hardest
}
