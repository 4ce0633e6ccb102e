/**
 * Shortens results wherever they stand, when nothing gentler makes the window fit.
 *
 * @since 0.1.0
 */
import { type PrepassOptions, squeeze } from "../prepass/Prepass.ts"
import type { Group } from "../thread/Group.ts"
import type { Reduction } from "../thread/Row.ts"
import type { Window } from "../thread/Window.ts"
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
 * Keeps the reductions that make a row shorter than it is sent now, and sums what they free.
 *
 * @category getters
 * @since 0.1.0
 */
export const gainOf = (
  window: Window,
  all: ReadonlyArray<Reduction>,
): { readonly reductions: ReadonlyArray<Reduction>; readonly gain: number } => {
  const now = new Map(window.entries.map((entry) => [entry.row.id, entry.tokens] as const))
  const gains = all.map((reduction) => ({
    reduction,
    gain: (now.get(reduction.row) ?? 0) - reduction.tokens,
  }))
  const useful = gains.filter(({ gain }) => gain > 0)
  return {
    reductions: useful.map(({ reduction }) => reduction),
    gain: useful.reduce((sum, { gain }) => sum + gain, 0),
  }
}

const idsOf = (groups: ReadonlyArray<Group>): ReadonlySet<string> =>
  new Set(groups.flatMap((group) => group.entries.map((entry) => entry.row.id)))

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
      hardest = squeeze(rows, idsOf(scope), level, options)
      const after = total - gainOf(window, hardest).gain
      if (after <= limits.trigger) return hardest
      if (after <= limits.limit) fitting ??= hardest
    }
  return fitting ?? hardest
}
