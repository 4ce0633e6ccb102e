/**
 * Completes a model's delta with what it may not forget: the user's rules, and exact strings.
 *
 * @since 0.1.0
 */
import { identifiers } from "./Identifiers.ts"
import type { Delta, NewItem, Summary } from "./Item.ts"
import { oneLine } from "./ItemText.ts"

const isWithin = (a: string, b: string): boolean => a.includes(b) || b.includes(a)

/** A rule that the delta has already, perhaps as a longer or a shorter piece of the same words. */
const hasRule = (delta: Delta, rule: NewItem): boolean =>
  delta.add.some((item) => item.kind === "constraint" && isWithin(oneLine(item.text), rule.text))

const isRequest = ({ kind }: NewItem): boolean => kind === "task" || kind === "pending" || kind === "resolved"

/**
 * Adds to a model's delta what `extracted`, the delta that `extractDelta` makes of the same rows, has and it lacks:
 * each rule of the user, and each note with an identifier that is named nowhere else. The notes are added as
 * artifacts before those of the model, so that they take only room that nothing else wants.
 *
 * **Example** (A rule that the model left out)
 *
 * ```ts
 * import { completeDelta, emptyDelta, emptySummary } from "@palimpsest/core"
 *
 * const rule = { kind: "constraint", text: "never touch the prod database", sources: ["m2"] } as const
 * completeDelta(emptyDelta, { ...emptyDelta, add: [rule] }, emptySummary).add.length // => 1
 * ```
 *
 * @category combinators
 * @since 0.1.0
 */
export const completeDelta = (delta: Delta, extracted: Delta, previous: Summary): Delta => {
  const named = new Set([...previous.items, ...delta.add].flatMap((item) => identifiers(item.text)))
  const missing: Array<NewItem> = []
  for (const item of extracted.add) {
    if (item.kind === "constraint") {
      if (!hasRule(delta, item)) missing.push(item)
      continue
    }
    const exact = identifiers(item.text)
    if (isRequest(item) || exact.every((token) => named.has(token))) continue
    for (const token of exact) named.add(token)
    missing.push({ ...item, kind: "artifact" })
  }
  return missing.length === 0 ? delta : { ...delta, add: [...missing, ...delta.add] }
}
