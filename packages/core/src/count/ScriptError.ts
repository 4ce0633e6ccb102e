/**
 * How far estimates are off, by model and script.
 *
 * @since 0.1.0
 */
import type { Script } from "./Script.ts"

/**
 * A text of which both counts are known.
 *
 * @category models
 * @since 0.1.0
 */
export interface CountedText {
  readonly model: string
  readonly script: Script
  readonly estimated: number
  readonly real: number
}

/**
 * The error of the estimates of one model and script: `estimated / real − 1`, so that −0.2 is a fifth too low.
 *
 * @category models
 * @since 0.1.0
 */
export interface ScriptError {
  readonly model: string
  readonly script: Script
  /** Number of texts. */
  readonly texts: number
  readonly lowest: number
  readonly median: number
  readonly highest: number
}

const isUsable = ({ estimated, real }: CountedText): boolean =>
  Number.isFinite(estimated) && Number.isFinite(real) && estimated >= 0 && real > 0

const rounded = (error: number): number => Math.round(error * 1000) / 1000

const errorOf = (
  texts: ReadonlyArray<CountedText>,
): Pick<ScriptError, "texts" | "lowest" | "median" | "highest"> => {
  const errors = texts.map(({ estimated, real }) => estimated / real - 1).toSorted((a, b) => a - b)
  const at = (index: number): number => rounded(errors[index] ?? 0)
  return {
    texts: texts.length,
    lowest: at(0),
    median: at(errors.length >> 1),
    highest: at(errors.length - 1),
  }
}

const inOrder = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/**
 * Reports the error for each model and script, in the order of their names. Texts without a real count are passed
 * over, and the order of the texts does not matter.
 *
 * **Example** (One model, two scripts)
 *
 * ```ts
 * import { errorByScript } from "@palimpsest/core"
 *
 * const texts = [
 *   { model: "m", script: "latin", estimated: 110, real: 100 },
 *   { model: "m", script: "han", estimated: 50, real: 100 },
 * ] as const
 * errorByScript(texts).map(({ script, median }) => [script, median]) // => [["han", -0.5], ["latin", 0.1]]
 * ```
 *
 * @category counting
 * @since 0.1.0
 */
export const errorByScript = (texts: ReadonlyArray<CountedText>): ReadonlyArray<ScriptError> => {
  const groups = new Map<string, Array<CountedText>>()
  for (const text of texts.filter(isUsable)) {
    const name = JSON.stringify([text.model, text.script])
    const group = groups.get(name)
    if (group === undefined) groups.set(name, [text])
    else group.push(text)
  }
  return [...groups.values()]
    .flatMap((group) => group.slice(0, 1).map(({ model, script }) => ({ model, script, ...errorOf(group) })))
    .toSorted((a, b) => inOrder(a.model, b.model) || inOrder(a.script, b.script))
}
