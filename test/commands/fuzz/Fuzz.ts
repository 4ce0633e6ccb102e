/** Feeds targets with mutated inputs until the time is over, and says what came of it. */
import { readExact, writeExact } from "@palimpsest/core/formats"
import { minimise } from "./Minimise.ts"
import { mutate } from "./Mutate.ts"
import { mutateText } from "./MutateText.ts"
import { type Rng, rngOf } from "./Rng.ts"
import type { Seeds } from "./Seeds.ts"
import { type Failure, guarded, isFailure, type Target } from "./Target.ts"

/** Inputs of one target. */
export interface Tally {
  readonly target: string
  inputs: number
  read: number
  refused: number
  kilobytes: number
  milliseconds: number
  /** The most time that a kilobyte took, of inputs of at least ten. */
  slowest: number
}

/** An input that fails, as small as it was made. */
export interface Found extends Failure {
  readonly target: string
  readonly seed: number
  /** Number of the input in the run: the same seed makes the same one. */
  readonly input: number
  readonly smallest: unknown
}

/** What a run gave. It ends with the first failure. */
export interface Outcome {
  readonly seed: number
  readonly tallies: ReadonlyArray<Tally>
  readonly found: Found | null
}

/** Time that an input may take: a start, and so much for each kilobyte. Linear, so no input of any size may take longer. */
export const ALLOWED = { start: 150, perKilobyte: 6 } as const

const sizeOf = (input: unknown): number => {
  const text = typeof input === "string" ? input : writeExact(input)
  return (text?.length ?? 0) / 1024
}

const processorTime = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

const timed = (target: Target, input: unknown) => {
  const start = processorTime()
  const verdict = guarded(target.check, input)
  return { verdict, milliseconds: processorTime() - start }
}

/** Other programs slow this one down: an input is slow when it is slow each time. */
const isSlow = (target: Target, input: unknown, first: number): boolean => {
  const allowed = ALLOWED.start + ALLOWED.perKilobyte * sizeOf(input)
  if (first <= allowed) return false
  return [1, 2].every(() => timed(target, input).milliseconds > allowed)
}

/** What every object has; an input that changes it has got into the program. */
const prototype = (): string =>
  [Object.prototype, Array.prototype, Function.prototype]
    .map((each) => Object.getOwnPropertyNames(each).join())
    .join("|")

const clean = prototype()

/** Takes out again what an input put there, so that the rest of the run means something. */
const restore = (): void => {
  for (const each of [Object.prototype, Array.prototype, Function.prototype])
    for (const key of Object.keys(each)) Reflect.deleteProperty(each, key)
}

const failureOf = (
  target: Target,
  input: unknown,
  onTime: (milliseconds: number) => void,
): Failure | string => {
  const { verdict, milliseconds } = timed(target, input)
  onTime(milliseconds)
  if (prototype() !== clean) {
    restore()
    return { kind: "pollutes", detail: "a prototype has other properties than before" }
  }
  if (isFailure(verdict)) return verdict
  return isSlow(target, input, milliseconds)
    ? { kind: "slow", detail: `${Math.round(milliseconds)} ms for ${sizeOf(input).toFixed(1)} KB` }
    : verdict
}

/** A list, bare or in a request, mutated as a value or as the text that it would be in a file. */
const valueFor = (target: Target, seeds: Seeds, rng: Rng): unknown => {
  const list = seeds.listFor(target, rng)
  const field = target.field ?? "messages"
  const whole = rng.chance(0.5)
    ? list
    : { model: "m-1", system: "Be brief.", tools: [], temperature: 1, [field]: list, stream: true }
  if (rng.chance(0.25)) return readExact(mutateText(writeExact(whole) ?? "", rng))
  return mutate(whole, rng, [list[0], seeds.listFor(target, rng)[0]])
}

const inputFor = (target: Target, seeds: Seeds, rng: Rng): unknown => {
  if (target.takes === "value") return valueFor(target, seeds, rng)
  const text = seeds.text(rng)
  if (rng.chance(0.5)) return mutateText(text, rng)
  const value = readExact(text)
  return value === undefined ? mutateText(text, rng) : (writeExact(mutate(value, rng, [])) ?? "")
}

const tallyOf = ({ name }: Target): Tally => ({
  target: name,
  inputs: 0,
  read: 0,
  refused: 0,
  kilobytes: 0,
  milliseconds: 0,
  slowest: 0,
})

const count = (tally: Tally, input: unknown, verdict: unknown, milliseconds: number): void => {
  const size = sizeOf(input)
  tally.inputs += 1
  tally.read += verdict === "read" ? 1 : 0
  tally.refused += verdict === "refused" ? 1 : 0
  tally.kilobytes += size
  tally.milliseconds += milliseconds
  if (size >= 10) tally.slowest = Math.max(tally.slowest, milliseconds / size)
}

/** How long a run goes on: by the clock, or for so many inputs. */
export interface Limit {
  readonly seconds?: number
  readonly inputs?: number
}

/** Runs until a limit is reached, or until the first failure. Input `n` of a seed is the same in each run. */
export const fuzz = (
  targets: ReadonlyArray<Target>,
  seeds: Seeds,
  seed: number,
  { seconds = Number.POSITIVE_INFINITY, inputs = Number.POSITIVE_INFINITY }: Limit,
  onInput: (input: number) => void = () => undefined,
): Outcome => {
  const tallies = targets.map(tallyOf)
  const end = performance.now() + seconds * 1000
  for (let n = 0; n < inputs && performance.now() < end; n++) {
    const target = targets[n % targets.length]
    const tally = tallies[n % targets.length]
    if (target === undefined || tally === undefined) break
    onInput(n)
    const input = inputFor(target, seeds, rngOf(Math.imul(seed, 0x9e3779b1) + n))
    let spent = 0
    const verdict = failureOf(target, input, (milliseconds) => {
      spent = milliseconds
    })
    count(tally, input, verdict, spent)
    if (typeof verdict === "string") continue
    const fails = (smaller: unknown): boolean => {
      const again = failureOf(target, smaller, () => undefined)
      return typeof again !== "string" && again.kind === verdict.kind
    }
    const smallest = minimise(input, fails, verdict.kind === "slow" ? 30 : 4000)
    const last = failureOf(target, smallest, () => undefined)
    const failure = typeof last === "string" ? verdict : last
    return { seed, tallies, found: { ...failure, target: target.name, seed, input: n, smallest } }
  }
  return { seed, tallies, found: null }
}
