/**
 * How far estimates are off, by model and script: before calibration, and after it.
 *
 * @since 0.1.0
 */
import { calibrate, newestReadings, type Reading } from "./Calibrate.ts"
import type { Script } from "./Script.ts"

/**
 * A prompt of which both counts are known, as a recorded chat tells them.
 *
 * @category models
 * @since 0.1.0
 */
export interface CountedPrompt {
  readonly model: string
  readonly script: Script
  /** Tokens of the prompt as they were counted here. */
  readonly estimated: number
  /** Tokens of the prompt as the provider reported them. */
  readonly reported: number
  /** The chat that it is of: prompts of another chat teach nothing. One chat when left out. */
  readonly chat?: string
  /** Id of the cut that was live when it was made; without one when left out. */
  readonly boundary?: string | null
}

/**
 * Errors in order of size: `estimate / reported − 1`, so that −0.2 is a fifth too low.
 *
 * @category models
 * @since 0.1.0
 */
export interface ErrorSpread {
  readonly lowest: number
  readonly median: number
  readonly highest: number
}

/**
 * The error of the estimates of one model and script.
 *
 * @category models
 * @since 0.1.0
 */
export interface EstimatorError {
  readonly model: string
  readonly script: Script
  /** Number of prompts of which both counts are known. */
  readonly calls: number
  /** Of the estimates as they were counted. */
  readonly before: ErrorSpread
  /** Of each estimate times the factor that the prompts before it had taught. */
  readonly after: ErrorSpread
}

interface Judged extends Pick<CountedPrompt, "model" | "script"> {
  readonly before: number
  readonly after: number
}

const isUsable = ({ estimated, reported }: CountedPrompt): boolean =>
  Number.isFinite(estimated) && Number.isFinite(reported) && estimated >= 0 && reported > 0

const readingOf = ({ model, boundary = null, estimated, reported }: CountedPrompt): Reading => ({
  model,
  counter: "",
  boundary,
  estimated,
  real: reported,
})

/** Judges each prompt by what those before it taught, and only then learns from it. */
const judge = (prompts: ReadonlyArray<CountedPrompt>): ReadonlyArray<Judged> => {
  const known = new Map<string, ReadonlyArray<Reading>>()
  return prompts.map((prompt) => {
    const { model, script, estimated, reported } = prompt
    const reading = readingOf(prompt)
    const key = JSON.stringify([prompt.chat ?? null, model, reading.boundary])
    const earlier = known.get(key) ?? []
    const { factor } = calibrate(earlier, reading)
    const teaches = calibrate([reading], reading).readings > 0
    if (teaches) known.set(key, [...earlier, reading].slice(-newestReadings))
    return { model, script, before: estimated / reported - 1, after: (factor * estimated) / reported - 1 }
  })
}

const rounded = (error: number): number => Math.round(error * 1000) / 1000

const spreadOf = (errors: ReadonlyArray<number>): ErrorSpread => {
  const sorted = errors.toSorted((a, b) => a - b)
  const at = (index: number): number => rounded(sorted[index] ?? 0)
  return { lowest: at(0), median: at(sorted.length >> 1), highest: at(sorted.length - 1) }
}

/** Those of one model and script together. */
const grouped = (all: ReadonlyArray<Judged>): ReadonlyArray<ReadonlyArray<Judged>> => {
  const groups = new Map<string, Array<Judged>>()
  for (const one of all) {
    const name = JSON.stringify([one.model, one.script])
    const group = groups.get(name)
    if (group === undefined) groups.set(name, [one])
    else group.push(one)
  }
  return [...groups.values()]
}

const inOrder = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/**
 * Reports the error for each model and script, in the order of their names. Prompts are given in the order in which
 * they were sent, and each is judged by the factor that the earlier ones of its chat, model and boundary taught: the
 * error after calibration is the one that a budget would have had. Prompts without a real count are passed over.
 *
 * **Example** (A tokenizer that needs a quarter more)
 *
 * ```ts
 * import { estimatorError } from "@palimpsest/core"
 *
 * const prompt = { model: "m", script: "latin", estimated: 10_000, reported: 12_500 } as const
 * const [row] = estimatorError([prompt, prompt, prompt])
 * row?.calls // => 3
 * row?.before.median // => -0.2
 * row?.after // => { lowest: -0.2, median: 0, highest: 0 }
 * ```
 *
 * @category counting
 * @since 0.1.0
 */
export const estimatorError = (prompts: ReadonlyArray<CountedPrompt>): ReadonlyArray<EstimatorError> =>
  grouped(judge(prompts.filter(isUsable)))
    .flatMap((group) =>
      group.slice(0, 1).map(({ model, script }) => ({
        model,
        script,
        calls: group.length,
        before: spreadOf(group.map(({ before }) => before)),
        after: spreadOf(group.map(({ after }) => after)),
      })),
    )
    .toSorted((a, b) => inOrder(a.model, b.model) || inOrder(a.script, b.script))
