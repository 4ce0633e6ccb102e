/**
 * Law 14, for what providers report: usage of every dialect is read in one way.
 *
 * @since 0.1.0
 */
import fc from "fast-check"
import { readUsage, type Usage } from "../../count/Usage.ts"
import { type UsageDialect, usageDialectOf } from "../../count/UsageDialect.ts"
import { arbitrarySpent, oddUsage, type Spent, USAGE_REPORTS } from "../arbitraries/Usages.ts"
import { type Law, type Property, property } from "../Law.ts"
import { same } from "./Look.ts"

const isCount = (n: number): boolean => Number.isSafeInteger(n) && n >= 0

const isSound = (usage: Usage): boolean => {
  if (usage._tag === "Unusable") return usage.detail !== ""
  if (usage._tag === "ContextOnly") return Number.isSafeInteger(usage.context) && usage.context > 0
  const { input, cached, output, context } = usage
  return [input, cached, output, context].every(isCount) && input > 0 && cached <= input && context >= input
}

/** Everything in its place, and each token once. */
const isRight = (usage: Usage, { fresh, read, written, said, thought }: Spent): boolean => {
  if (usage._tag !== "Measured") return false
  const input = fresh + read + written
  const output = said + thought
  return usage.input === input && usage.output === output && usage.context === input + output
}

/** What a dialect has no field for cannot be told: then `cached` is what it has. */
const isCached = (usage: Usage, { read, written }: Spent): boolean =>
  usage._tag === "Measured" && (usage.cached === read + written || usage.cached === read)

const ofDialect = (
  name: string,
  { dialect, report }: { readonly dialect: UsageDialect; readonly report: (spent: Spent) => object },
): Property =>
  property(
    `${name}: each token of a request is counted once`,
    fc.property(arbitrarySpent, (spent) => {
      const usage = readUsage(report(spent))
      return usageDialectOf(report(spent)) === dialect && isRight(usage, spent) && isCached(usage, spent)
    }),
  )

const anyReport = fc
  .tuple(fc.constantFrom(...Object.values(USAGE_REPORTS)), arbitrarySpent)
  .map(([{ report }, spent]) => ({ usage: report(spent), spent }))

const isTotal = fc.property(oddUsage, (usage) => {
  const read = readUsage(usage)
  return isSound(read) && same(readUsage(usage), read)
})

const backwards = (value: object): object => Object.fromEntries(Object.entries(value).toReversed())

const ignoresTheRest = fc.property(anyReport, fc.string(), oddUsage, ({ usage, spent }, name, odd) => {
  const read = readUsage(backwards({ ...usage, [`x_${name}`]: odd }))
  return isRight(read, spent)
})

const prefersParts = fc.property(anyReport, fc.nat(10_000_000), ({ usage, spent }, total) => {
  const totals = Object.keys(usage).filter((key) => /^total/.test(key))
  return isRight(readUsage({ ...usage, ...Object.fromEntries(totals.map((key) => [key, total])) }), spent)
})

const anyUsage = fc.oneof(
  oddUsage,
  anyReport.map(({ usage }): unknown => usage),
)

const fitsTheWindow = fc.property(anyUsage, fc.nat(400_000), (usage, window) => {
  const read = readUsage(usage, { window })
  const free = readUsage(usage)
  const held = free._tag === "Measured" ? free.input : free._tag === "ContextOnly" ? free.context : 0
  return held > window ? read._tag === "Unusable" && read.reason === "AboveWindow" : same(read, free)
})

/**
 * Holds law 14 for usage: whatever is reported is read, or refused with a reason; nothing is counted twice.
 *
 * @category laws
 * @since 0.1.0
 */
export const usageLaw: Law = {
  number: 14,
  title: "usage",
  properties: [
    ...Object.entries(USAGE_REPORTS).map(([name, dialect]) => ofDialect(name, dialect)),
    property("anything is read as whole numbers of tokens, or refused with a reason", isTotal),
    property("other fields, and the order of fields, say nothing", ignoresTheRest),
    property("parts are believed, not the total beside them", prefersParts),
    property("more than the window holds is a sum over several requests", fitsTheWindow),
  ],
}
