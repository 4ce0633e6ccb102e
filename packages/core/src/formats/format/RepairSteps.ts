/**
 * A repair as a row of small ones: each makes a request lawful in one way.
 *
 * @since 0.1.0
 */
import type { Repaired } from "./Format.ts"

/** Makes a request lawful in one way, and lists what it changed. */
export type RepairStep<Request> = (request: Request) => Repaired<Request>

/** More passes than any request needs: each takes something away, or puts it in its one lawful form. */
const PASSES = 50

/** What a step gives that finds nothing to do. */
export const unchanged = <Request>(request: Request): Repaired<Request> => ({ request, repairs: [] })

const then = <Request>(made: Repaired<Request>, step: RepairStep<Request>): Repaired<Request> => {
  const { request, repairs } = step(made.request)
  return { request, repairs: [...made.repairs, ...repairs] }
}

/** One step after the other. */
export const inTurn =
  <Request>(steps: ReadonlyArray<RepairStep<Request>>): RepairStep<Request> =>
  (request) =>
    steps.reduce(then<Request>, unchanged(request))

/** Steps one after the other, until none of them changes anything: what is taken away may bring out the next fault. */
export const untilUnchanged = <Request>(steps: ReadonlyArray<RepairStep<Request>>): RepairStep<Request> => {
  const pass = inTurn(steps)
  return (request) => {
    let made = pass(request)
    for (let left = PASSES; left > 0; left--) {
      const next = then(made, pass)
      if (next.repairs.length === made.repairs.length) return made
      made = next
    }
    return made
  }
}
