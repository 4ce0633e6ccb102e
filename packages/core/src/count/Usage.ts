/**
 * What a provider reports of one request, read in one way: the tokens that fill the context, each counted once.
 *
 * @since 0.1.0
 */
import { fieldAt, USAGE_FIELDS, type UsageDialect, type UsageFields, usageFieldsOf } from "./UsageDialect.ts"

/**
 * What a usage object says of the request that it came with.
 *
 * - `Measured`: how many tokens the prompt had as it was sent, and what the context holds after the answer.
 * - `ContextOnly`: the prompt cannot be told from the rest. It is no measure of a prompt.
 * - `Unusable`: it says nothing of one request, and why.
 *
 * @category models
 * @since 0.1.0
 */
export type Usage =
  | {
      readonly _tag: "Measured"
      readonly dialect: UsageDialect
      /** Tokens of the prompt, cached ones included. */
      readonly input: number
      /** Of `input`, those that were read from a cache or written to one. */
      readonly cached: number
      /** Tokens of the answer, reasoning included; 0 when none are reported. */
      readonly output: number
      /** Tokens that fill the context after the answer. */
      readonly context: number
    }
  | { readonly _tag: "ContextOnly"; readonly context: number }
  | { readonly _tag: "Unusable"; readonly reason: UnusableUsage; readonly detail: string }

/**
 * Why a usage object is no reading.
 *
 * - `Absent`: there is none.
 * - `Unknown`: none of its fields is known.
 * - `Broken`: a field is no number of tokens.
 * - `Zero`: it reports an empty prompt, as servers do that do not count.
 * - `Partial`: it has parts of the prompt, and not the prompt.
 * - `AboveWindow`: more than the window holds, so it is a sum over several requests.
 *
 * @category models
 * @since 0.1.0
 */
export type UnusableUsage = "Absent" | "Unknown" | "Broken" | "Zero" | "Partial" | "AboveWindow"

const unusable = (reason: UnusableUsage, detail: string): Usage => ({ _tag: "Unusable", reason, detail })

/** More than any request has, and so few that sums of such numbers stay exact. */
const MOST = 1e12

/** The number of the first path that holds one; undefined where there is none, and the path of what is none. */
const numberAt = (usage: unknown, paths: ReadonlyArray<string>): number | undefined | { at: string } => {
  for (const path of paths) {
    const value = fieldAt(usage, path)
    if (value === undefined || value === null || typeof value === "object") continue
    return typeof value === "number" && value >= 0 && value <= MOST ? Math.ceil(value) : { at: path }
  }
  return undefined
}

const NUMBERS = ["input", "uncached", "read", "written", "output", "reasoning", "added", "total"] as const

type Numbers = { readonly [Name in (typeof NUMBERS)[number]]?: number }

const numbersOf = (usage: unknown, fields: UsageFields): Numbers | { readonly at: string } => {
  const numbers: { [Name in (typeof NUMBERS)[number]]?: number } = {}
  for (const name of NUMBERS) {
    const found = numberAt(usage, fields[name])
    if (typeof found === "object") return found
    if (found !== undefined) numbers[name] = found
  }
  return numbers
}

/** A part joins a whole that does not hold it. One that is larger than its whole cannot be in it. */
const joined = (whole: number, part: number, holds: boolean): number =>
  holds && part <= whole ? whole : whole + part

const inputOf = (numbers: Numbers, fields: UsageFields): number | undefined => {
  const cached = (numbers.read ?? 0) + (numbers.written ?? 0)
  if (numbers.uncached !== undefined) return numbers.uncached + cached
  return numbers.input === undefined ? undefined : joined(numbers.input, cached, fields.holdsCached)
}

const readNumbers = (numbers: Numbers, fields: UsageFields): Usage => {
  const output = joined(numbers.output ?? 0, numbers.reasoning ?? 0, fields.holdsReasoning)
  const input = inputOf(numbers, fields)
  if (input !== undefined) {
    if (input === 0) return unusable("Zero", "it reports a prompt of no tokens")
    const cached = Math.min(input, (numbers.read ?? 0) + (numbers.written ?? 0))
    const context = input + output + (numbers.added ?? 0)
    return { _tag: "Measured", dialect: fields.dialect, input, cached, output, context }
  }
  if (numbers.total === undefined) return unusable("Partial", "it does not say how long the prompt was")
  return numbers.total === 0
    ? unusable("Zero", "it reports no tokens at all")
    : { _tag: "ContextOnly", context: numbers.total }
}

/** Reads one object of a dialect. */
const readOne = (usage: unknown, fields: UsageFields): Usage => {
  const numbers = numbersOf(usage, fields)
  return "at" in numbers
    ? unusable("Broken", `${numbers.at} is no number of tokens`)
    : readNumbers(numbers, fields)
}

const isOf = (type: string) => (iteration: unknown) => fieldAt(iteration, "type") === type

/**
 * A request that the provider itself made into several: the prompt as it was sent is that of the first one, unless
 * the provider compacted it, and the context is that of the last one. The sums beside them are those of a bill.
 */
const readIterations = (iterations: ReadonlyArray<unknown>, fields: UsageFields): Usage | null => {
  const messages = iterations.filter(isOf("message")).map((iteration) => readOne(iteration, fields))
  const [first] = messages
  const last = messages.at(-1)
  if (first === undefined || last === undefined) return null
  if (last._tag === "Unusable" || first._tag === "Unusable") return last._tag === "Unusable" ? last : first
  const isCompacted = isOf("compaction")(iterations[0])
  return first._tag === "ContextOnly" || isCompacted
    ? { _tag: "ContextOnly", context: last.context }
    : { ...first, output: Math.max(0, last.context - first.input), context: last.context }
}

/** A total and nothing else. */
const readTotal = (usage: unknown): Usage => {
  const total = numberAt(
    usage,
    USAGE_FIELDS.flatMap((fields) => fields.total),
  )
  if (total === undefined) return unusable("Unknown", "it has no field of a known shape")
  if (typeof total === "object") return unusable("Broken", `${total.at} is no number of tokens`)
  return total === 0
    ? unusable("Zero", "it reports no tokens at all")
    : { _tag: "ContextOnly", context: total }
}

const readAny = (usage: object): Usage => {
  const fields = usageFieldsOf(usage)
  if (fields === undefined) return readTotal(usage)
  const iterations = fieldAt(usage, "iterations")
  return (Array.isArray(iterations) ? readIterations(iterations, fields) : null) ?? readOne(usage, fields)
}

/**
 * Reads the usage object of one request, of any provider. Parts are preferred to a total that disagrees with them,
 * and cached tokens count once, whether the dialect holds them in its input or beside it.
 *
 * **Gotchas**
 *
 * A sum over several requests looks like one request: it can be told only by the window that it does not fit. Give
 * the window, and the usage of the last request, never the total of a loop.
 *
 * **Example** (Cached tokens inside the prompt, and beside it)
 *
 * ```ts
 * import { readUsage } from "@palimpsest/core"
 *
 * const inside = { prompt_tokens: 40_000, prompt_tokens_details: { cached_tokens: 39_900 }, completion_tokens: 900 }
 * const beside = { input_tokens: 200, cache_read_input_tokens: 98_000, output_tokens: 100 }
 * const readings = [inside, beside].map((usage) => readUsage(usage, { window: 128_000 }))
 * readings.map((reading) => reading._tag === "Measured" && reading.context) // => [40900, 98300]
 * ```
 *
 * @category decoding
 * @since 0.1.0
 */
export const readUsage = (usage: unknown, options: { readonly window?: number } = {}): Usage => {
  if (usage === undefined || usage === null) return unusable("Absent", "no usage is reported")
  if (typeof usage !== "object") return unusable("Unknown", "it is no object")
  const reading = readAny(usage)
  const most = options.window ?? Number.POSITIVE_INFINITY
  const held =
    reading._tag === "Measured" ? reading.input : reading._tag === "ContextOnly" ? reading.context : 0
  return held > most
    ? unusable("AboveWindow", `it reports ${held} tokens in a window of ${most}: a sum over several requests`)
    : reading
}
