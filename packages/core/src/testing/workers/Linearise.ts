/**
 * Finds a serial order for the calls of workers that ran freely: one that gives the answers that were given, and in which
 * no call stands before one that had ended when it began.
 *
 * @since 0.1.0
 */
import type { Call } from "./Calls.ts"
import { firstScene, judge, type Scene } from "./Judge.ts"

/** Steps after which the search is given up. */
const MOST = 100_000

interface Search {
  /** The calls of each worker, in order. */
  readonly queues: ReadonlyArray<ReadonlyArray<Call>>
  readonly order: Array<Call>
  /** The longest order that was found. */
  longest: ReadonlyArray<Call>
  steps: number
}

const queuesOf = (calls: ReadonlyArray<Call>): Search["queues"] => {
  const workers = [...new Set(calls.map(({ worker }) => worker))]
  return workers.map((worker) =>
    calls.filter((call) => call.worker === worker).toSorted((a, b) => a.began - b.began),
  )
}

/** The calls that may be the next one, that which ended first before the others. */
const nextOf = ({ queues }: Search, taken: ReadonlyArray<number>) => {
  const heads = queues.flatMap((queue, i) => {
    const call = queue[taken[i] ?? 0]
    return call === undefined ? [] : [{ call, i }]
  })
  const soonest = Math.min(...heads.map(({ call }) => call.ended))
  return heads.filter(({ call }) => call.began <= soonest).toSorted((a, b) => a.call.ended - b.call.ended)
}

const find = (search: Search, scene: Scene, taken: ReadonlyArray<number>): boolean => {
  const next = nextOf(search, taken)
  if (next.length === 0) return true
  for (const { call, i } of next) {
    if (search.steps++ > MOST) return false
    const after = judge(scene, call)
    if (after.faults.length > 0) continue
    search.order.push(call)
    if (search.order.length > search.longest.length) search.longest = [...search.order]
    if (find(search, after, taken.with(i, (taken[i] ?? 0) + 1))) return true
    search.order.pop()
  }
  return false
}

/**
 * Puts calls in a serial order. When there is none, the calls that fit are followed by the rest as they ended, so that
 * the judge of the story names what does not fit.
 *
 * @category combinators
 * @since 0.1.0
 */
export const linearise = (
  calls: ReadonlyArray<Call>,
  before: ReadonlyArray<Call> = [],
): ReadonlyArray<Call> => {
  const queues = queuesOf(calls)
  const search: Search = { queues, order: [], longest: [], steps: 0 }
  const scene = before.reduce<Scene>((now, call) => judge(now, call), firstScene)
  if (
    find(
      search,
      scene,
      queues.map(() => 0),
    )
  )
    return search.order
  const left = calls.filter((call) => !search.longest.includes(call))
  return [...search.longest, ...left.toSorted((a, b) => a.ended - b.ended)]
}
