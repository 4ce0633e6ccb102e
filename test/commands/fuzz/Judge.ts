/** One input and one target: what came of it, and in which time. */
import { Script } from "node:vm"
import { writeExact } from "@palimpsest/core/formats"
import { type Failure, isFailure, type Target, type Verdict } from "./Target.ts"

/** Time that an input may take: a start, and so much for each kilobyte. Linear, so no input of any size may take longer. */
export const ALLOWED = { start: 150, perKilobyte: 6 } as const

/** Milliseconds after which an input is given up: it would perhaps never end. */
export const GIVEN_UP = 10_000

/** Values that are counted at most: what goes round in a circle has no end. */
const MOST_VALUES = 300_000

/** Units of all that is in a value, for one that JSON cannot hold. */
const unitsIn = (input: unknown): number => {
  const left: Array<unknown> = [input]
  let units = 0
  for (let counted = 0; left.length > 0 && counted < MOST_VALUES; counted++) {
    const value = left.pop()
    units += typeof value === "string" ? value.length + 2 : 2
    if (typeof value !== "object" || value === null) continue
    for (const [key, each] of Object.entries(value)) {
      units += Array.isArray(value) ? 1 : key.length + 3
      left.push(each)
    }
  }
  return units
}

/** Kilobytes of an input. */
export const sizeOf = (input: unknown): number => {
  const text = typeof input === "string" ? input : writeExact(input)
  return (text?.length ?? unitsIn(input)) / 1024
}

/** Where a script finds what it runs. Code that never ends can be stopped only in one. */
const bridge: { run?: () => Verdict } = {}
Reflect.set(globalThis, Symbol.for("palimpsest.fuzz"), bridge)
const script = new Script('globalThis[Symbol.for("palimpsest.fuzz")].run()')

const thrown = (error: unknown): Failure => {
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error)
  const [first = "", place = ""] = stack.split("\n").map((line) => line.trim())
  return { kind: `throws ${first.slice(0, 80)}`, detail: `${first} ${place}` }
}

const isTimeOut = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT"

/** Runs a check: an exception is what must not be, and neither is one without an end. */
const guarded = (check: Target["check"], input: unknown, timeout: number): Verdict => {
  bridge.run = () => check(input)
  try {
    return script.runInThisContext({ timeout, displayErrors: false })
  } catch (error) {
    return isTimeOut(error) ? { kind: "hangs", detail: `no answer after ${timeout} ms` } : thrown(error)
  }
}

const processorTime = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

const timed = (target: Target, input: unknown, timeout: number) => {
  const start = processorTime()
  const verdict = guarded(target.check, input, timeout)
  return { verdict, milliseconds: processorTime() - start }
}

/** Other programs slow this one down: an input is slow when it is slow each time. */
const isSlow = (target: Target, input: unknown, first: number, timeout: number): boolean => {
  const allowed = ALLOWED.start + (target.rounds ?? 1) * ALLOWED.perKilobyte * sizeOf(input)
  if (first <= allowed) return false
  return [1, 2].every(() => timed(target, input, timeout).milliseconds > allowed)
}

const SHARED = [Object.prototype, Array.prototype, Function.prototype, String.prototype] as const

/** What every object has; an input that changes it has got into the program. */
const prototypes = (): string => SHARED.map((each) => Object.getOwnPropertyNames(each).join()).join("|")

const clean = prototypes()

/** Takes out again what an input put there, so that the rest of the run means something. */
const restore = (): void => {
  for (const each of SHARED) for (const key of Object.keys(each)) Reflect.deleteProperty(each, key)
}

/** What came of an input, and the time that it took. */
export interface Judgement {
  readonly verdict: Verdict
  readonly milliseconds: number
}

/** Gives an input to a target. */
export const judge = (target: Target, input: unknown, timeout: number = GIVEN_UP): Judgement => {
  const { verdict, milliseconds } = timed(target, input, timeout)
  if (prototypes() !== clean) {
    restore()
    const detail = "a prototype has other properties than before"
    return { verdict: { kind: "pollutes", detail }, milliseconds }
  }
  if (isFailure(verdict) || !isSlow(target, input, milliseconds, timeout)) return { verdict, milliseconds }
  const detail = `${Math.round(milliseconds)} ms for ${sizeOf(input).toFixed(1)} KB`
  return { verdict: { kind: "slow", detail }, milliseconds }
}
