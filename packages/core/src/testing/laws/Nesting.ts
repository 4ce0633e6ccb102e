/**
 * Law 3, for what is nested nearly as deeply as JSON is taken: a repair that moves it deeper makes no request that is
 * refused.
 *
 * @since 0.1.0
 */
import fc from "fast-check"
import type { Format } from "../../formats/format/Format.ts"
import { type Property, property } from "../Law.ts"
import type { WireSamples } from "./Formats.ts"

const nested = (levels: number): unknown => {
  let value: unknown = "x"
  for (let level = 0; level < levels; level++) value = { a: value }
  return value
}

const namesIn = (value: unknown): ReadonlyArray<string> => {
  if (typeof value !== "object" || value === null) return []
  const own = Array.isArray(value) ? [] : Object.keys(value)
  return [...own, ...Object.values(value).flatMap(namesIn)]
}

/** Fields that samples may lack, and that a repair moves from a message to its parts. */
const MOVED_FIELDS = ["providerOptions"]

/** A value in which a field of each object is something else. */
const withField = (value: unknown, name: string, content: unknown): unknown => {
  if (typeof value !== "object" || value === null) return value
  if (Array.isArray(value)) return value.map((each) => withField(each, name, content))
  const fields = Object.entries(value).map(([key, each]) => [key, withField(each, name, content)] as const)
  return { ...Object.fromEntries(fields), [name]: content }
}

/** Says that a request is repaired whichever of its fields is nested nearly too deep. */
export const nesting = <R>(format: Format<R>, { list }: WireSamples): Property =>
  property(
    "what is nested nearly too deep is repaired like anything else",
    fc.property(list, fc.nat(), fc.integer({ min: 485, max: 500 }), (wire, pick, levels) => {
      const names = [...new Set([...wire.flatMap(namesIn), ...MOVED_FIELDS])]
      const name = names[pick % names.length] ?? "x"
      const { request } = format.repair(wire.map((each) => withField(each, name, nested(levels))))
      return format.validate(request).length === 0 && format.repair(request).repairs.length === 0
    }),
  )
