/** Which tests show a rule: one that accepts and one that refuses, of each format that has it. */
import type { RuleSet } from "../../validity/RuleCase.ts"
import type { TestResult } from "./Results.ts"

/** The file whose tests are made of the cases of each rule. */
export const CASES = "test/validity/validity.test.ts"

/** What is looked for, and the test that was found. */
export interface Proof {
  readonly file: string
  readonly wanted: string
  readonly test: TestResult | undefined
}

/** A rule in one set of rules, and what shows it. */
export interface Evidence {
  readonly rule: string
  readonly set: string
  readonly says: string
  readonly accepts: Proof
  readonly refuses: Proof
}

const proofIn =
  (results: ReadonlyArray<TestResult>) =>
  (file: string, wanted: string, matches: (result: TestResult) => boolean): Proof => {
    const found = results.filter((result) => result.file === file && matches(result))
    // Several tests may bear the words; one of them that fails is the one to show.
    return { file, wanted, test: found.find(({ passed }) => !passed) ?? found[0] }
  }

/** The files whose tests show rules. */
export const filesOf = (sets: ReadonlyArray<RuleSet>): ReadonlyArray<string> => [
  ...new Set([CASES, ...sets.flatMap(({ elsewhere }) => elsewhere.map(({ file }) => file))]),
]

/** Finds what shows each rule of each set. */
export const evidenceOf = (
  sets: ReadonlyArray<RuleSet>,
  results: ReadonlyArray<TestResult>,
): ReadonlyArray<Evidence> => {
  const proof = proofIn(results)
  return sets.flatMap(({ title: set, cases, elsewhere }) => {
    const ofCase = (words: string) =>
      proof(CASES, words, ({ within, title }) => within.includes(set) && title.startsWith(words))
    const ofTest = (file: string, words: string) => proof(file, words, ({ title }) => title.includes(words))
    return [
      ...cases.map(({ rule, says }) => ({
        ...{ rule, set, says },
        accepts: ofCase(`${rule} accepts`),
        refuses: ofCase(`${rule} refuses`),
      })),
      ...elsewhere.map(({ rule, says, file, accepts, refuses }) => ({
        ...{ rule, set, says },
        accepts: ofTest(file, accepts),
        refuses: ofTest(file, refuses),
      })),
    ]
  })
}

const faultOf = (rule: string, { file, wanted, test }: Proof): ReadonlyArray<string> => {
  if (test === undefined) return [`${rule}: no test "${wanted}" in ${file}`]
  return test.passed ? [] : [`${rule}: "${test.title}" in ${file} fails`]
}

/** Rules that nothing shows, and tests that are missing or fail. */
export const lacksOf = (
  ids: ReadonlyArray<string>,
  evidence: ReadonlyArray<Evidence>,
): ReadonlyArray<string> => [
  ...ids.flatMap((id) => (evidence.some(({ rule }) => rule === id) ? [] : [`${id}: no case and no test`])),
  ...evidence.flatMap(({ rule, accepts, refuses }) => [...faultOf(rule, accepts), ...faultOf(rule, refuses)]),
]
