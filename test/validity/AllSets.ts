import { allRules } from "./AllRules.ts"
import type { RuleSet } from "./RuleCase.ts"
import { otherRules, storeRules } from "./stores.ts"

/** The rules of all formats, and those that no format has a say in. */
export const allSets: ReadonlyArray<RuleSet> = [...allRules, otherRules, storeRules]
