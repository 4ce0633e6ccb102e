/** Feeds fences with payloads, and says what came of it. */
import { judge } from "../fuzz/Judge.ts"
import { minimise } from "../fuzz/Minimise.ts"
import { rngOf } from "../fuzz/Rng.ts"
import { isFailure, type Target } from "../fuzz/Target.ts"
import { checkPayload } from "./FenceCheck.ts"
import { payloadOf } from "./FenceTexts.ts"

/** A payload that fails, as small as it was made. */
export interface FoundPayload {
  readonly kind: string
  readonly detail: string
  readonly input: number
  readonly smallest: unknown
}

/** Which payloads: of a seed the same each time. */
export interface FenceRun {
  readonly seed: number
  readonly payloads: number
  readonly from?: number
}

const MOST_FOUND = 10

const targetOf = (check: Target["check"]): Target => ({
  name: "fences",
  takes: "text",
  reads: () => false,
  check,
  // Scrubbed and parsed whole and in chunks of each kind, by the library and by the oracle.
  rounds: 8,
})

/** Runs the payloads of a seed; of each way to fail, the first. */
export const fuzzFences = (
  { seed, payloads, from = 0 }: FenceRun,
  onPayload: (payload: number, found: number) => void = () => undefined,
  check: (payload: string) => ReturnType<typeof checkPayload> = checkPayload,
): ReadonlyArray<FoundPayload> => {
  const target = targetOf((input) => check(String(input)))
  const found = new Map<string, FoundPayload>()
  for (let n = from; n < from + payloads && found.size < MOST_FOUND; n++) {
    onPayload(n, found.size)
    const payload = payloadOf(rngOf(Math.imul(seed, 0x9e3779b1) + n))
    const { verdict } = judge(target, payload)
    if (!isFailure(verdict) || found.has(verdict.kind)) continue
    const fails = (smaller: unknown): boolean => {
      const again = judge(target, smaller).verdict
      return isFailure(again) && again.kind === verdict.kind
    }
    found.set(verdict.kind, { ...verdict, input: n, smallest: minimise(payload, fails, 1000) })
  }
  return [...found.values()]
}
