/** Mutated inputs: of a seed, the input of a number is the same in each run. */
import { readExact, writeExact } from "@palimpsest/core/formats"
import { mutate } from "./Mutate.ts"
import { mutateText } from "./MutateText.ts"
import { type Rng, rngOf } from "./Rng.ts"
import type { Seeds } from "./Seeds.ts"
import type { Target } from "./Target.ts"

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

/** The values of a text: of JSON, or of its lines. */
const valuesOf = (text: string): { readonly value: unknown; readonly isLines: boolean } => {
  const whole = readExact(text)
  if (whole !== undefined) return { value: whole, isLines: false }
  const lines = text.split("\n").flatMap((line) => readExact(line) ?? [])
  return { value: lines.length > 1 ? lines : undefined, isLines: true }
}

/** The text of a file, mutated as text, or as the values that are written in it. */
const textFor = (seeds: Seeds, rng: Rng): string => {
  const text = seeds.text(rng)
  const { value, isLines } = valuesOf(text)
  if (value === undefined || rng.chance(0.4)) return mutateText(text, rng)
  const mutated = mutate(value, rng, [])
  return isLines && Array.isArray(mutated)
    ? mutated.map((each) => writeExact(each) ?? "").join("\n")
    : (writeExact(mutated) ?? "")
}

/** The input of a number. */
export const inputOf = (target: Target, seeds: Seeds, seed: number, number: number): unknown => {
  const rng = rngOf(Math.imul(seed, 0x9e3779b1) + number)
  return target.takes === "value" ? valueFor(target, seeds, rng) : textFor(seeds, rng)
}
