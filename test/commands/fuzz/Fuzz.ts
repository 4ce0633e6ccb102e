/** Feeds targets with mutated inputs until a limit is reached, and says what came of it. */
import { inputOf } from "./Inputs.ts"
import { GIVEN_UP, type Judgement, judge, sizeOf } from "./Judge.ts"
import { minimise } from "./Minimise.ts"
import type { Seeds } from "./Seeds.ts"
import { type Failure, isFailure, type Target } from "./Target.ts"

/** Inputs of one target. */
export interface Tally {
  readonly target: string
  inputs: number
  read: number
  refused: number
  failed: number
  kilobytes: number
  milliseconds: number
  /** The most time that an input took. */
  slowest: number
  /** Of a target that knows several formats: how many inputs were read as which. */
  readonly kinds: Map<string, number>
}

/** An input that fails, as small as it was made. */
export interface Found extends Failure {
  readonly target: string
  /** Number of the input in the run: the same seed makes the same one. */
  readonly input: number
  readonly smallest: unknown
}

/** What a run gave: of each way in which a target fails, the first input. */
export interface Outcome {
  readonly tallies: ReadonlyArray<Tally>
  readonly found: ReadonlyArray<Found>
}

/** What a run is about, and how long it goes on: by the clock, or up to a number of inputs. */
export interface Run {
  readonly seed: number
  readonly seconds?: number
  /** The first input, and how many. */
  readonly from?: number
  readonly inputs?: number
}

/** Ways to fail at most: then a run ends. */
const MOST_FOUND = 20

const tallyOf = ({ name }: Target): Tally => ({
  target: name,
  inputs: 0,
  read: 0,
  refused: 0,
  failed: 0,
  kilobytes: 0,
  milliseconds: 0,
  slowest: 0,
  kinds: new Map(),
})

const count = (tally: Tally, input: unknown, { verdict, milliseconds }: Judgement): void => {
  tally.inputs += 1
  tally.kilobytes += sizeOf(input)
  tally.milliseconds += milliseconds
  tally.slowest = Math.max(tally.slowest, milliseconds)
  if (isFailure(verdict)) tally.failed += 1
  else if (verdict === "refused") tally.refused += 1
  else tally.read += 1
  const kind = typeof verdict === "string" ? verdict.replace(/^read as /, "") : ""
  if (kind !== verdict && kind !== "") tally.kinds.set(kind, (tally.kinds.get(kind) ?? 0) + 1)
}

/** Tries of a failing input, and seconds for all of them: those that take long are tried less often. */
const triesOf = ({ kind }: Failure): number => (kind === "slow" || kind === "hangs" ? 30 : 4000)
const SHRINK_SECONDS = 20

const shrink = (target: Target, input: unknown, failure: Failure): Omit<Found, "input"> => {
  const end = performance.now() + SHRINK_SECONDS * 1000
  const timeout = failure.kind === "hangs" ? GIVEN_UP / 10 : GIVEN_UP
  let last = failure
  const fails = (smaller: unknown): boolean => {
    if (performance.now() > end) return false
    const { verdict } = judge(target, smaller, timeout)
    if (!isFailure(verdict) || verdict.kind !== failure.kind) return false
    last = verdict
    return true
  }
  const smaller = minimise(input, fails, triesOf(failure))
  const isProven = failure.kind !== "hangs" || isFailure(judge(target, smaller).verdict)
  return isProven
    ? { ...last, target: target.name, smallest: smaller }
    : { ...failure, target: target.name, smallest: input }
}

/** Runs until a limit is reached, or until enough was found. */
export const fuzz = (
  targets: ReadonlyArray<Target>,
  seeds: Seeds,
  { seed, seconds = Number.POSITIVE_INFINITY, from = 0, inputs = Number.POSITIVE_INFINITY }: Run,
  onInput: (input: number, found: number) => void = () => undefined,
): Outcome => {
  const tallies = targets.map(tallyOf)
  const found = new Map<string, Found>()
  const end = performance.now() + seconds * 1000
  for (let n = from; n < from + inputs && performance.now() < end && found.size < MOST_FOUND; n++) {
    const target = targets[n % targets.length]
    const tally = tallies[n % targets.length]
    if (target === undefined || tally === undefined) break
    onInput(n, found.size)
    const input = inputOf(target, seeds, seed, n)
    const judgement = judge(target, input)
    count(tally, input, judgement)
    if (!isFailure(judgement.verdict)) continue
    const way = `${target.name}: ${judgement.verdict.kind}`
    if (!found.has(way)) found.set(way, { ...shrink(target, input, judgement.verdict), input: n })
  }
  return { tallies, found: [...found.values()] }
}
