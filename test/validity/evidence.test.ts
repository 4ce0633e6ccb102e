import { describe, expect, it } from "vitest"
import { CASES, evidenceOf, filesOf, lacksOf } from "../commands/validity/Evidence.ts"
import { pageOf } from "../commands/validity/Page.ts"
import { resultsIn, type TestResult } from "../commands/validity/Results.ts"
import type { RuleSet } from "./RuleCase.ts"

const sets: ReadonlyArray<RuleSet> = [
  {
    title: "Letters",
    cases: [{ rule: "AN1", says: "a letter | a sign", accepts: ["a"], refuses: ["1"] }],
    elsewhere: [
      { rule: "AN2", says: "posted", file: "test/post.test.ts", accepts: "it goes", refuses: "it" },
    ],
  },
]

const ran = (file: string, within: string, title: string, passed = true): TestResult => ({
  ...{ file, within: [within], title, passed },
})

const good = [
  ran(CASES, "Letters", "AN1 accepts"),
  ran(CASES, "Letters", "AN1 refuses, and repair makes it valid"),
  ran("test/post.test.ts", "post", "AN2: it goes on"),
]

const lacks = (results: ReadonlyArray<TestResult>, ids = ["AN1", "AN2"]) =>
  lacksOf(ids, evidenceOf(sets, results))

describe("the table of rules", () => {
  it("takes a rule for shown when both of its tests were found and passed", () => {
    expect(lacks(good)).toEqual([])
    expect(filesOf(sets)).toEqual([CASES, "test/post.test.ts"])
  })

  it("names a rule without a case, a test that is not there, and one that fails", () => {
    expect(lacks(good, ["AN1", "AN2", "AN3"])).toEqual(["AN3: no case and no test"])
    expect(lacks(good.slice(1))).toEqual([`AN1: no test "AN1 accepts" in ${CASES}`])
    expect(lacks([...good, ran(CASES, "Letters", "AN1 accepts", false)])).toEqual([
      `AN1: "AN1 accepts" in ${CASES} fails`,
    ])
    expect(lacks([ran(CASES, "Numbers", "AN1 accepts"), ...good.slice(1)])).toHaveLength(1)
    expect(lacks(good.map((result) => ({ ...result, file: "test/other.test.ts" })))).toHaveLength(4)
  })

  it("has a line for each rule, with what lacks", () => {
    const page = pageOf(["AN1", "AN3"], evidenceOf(sets, good.slice(0, 2)))
    expect(page).toContain("| AN1 | a letter \\| a sign | Letters | [AN1 accepts](../test/validity/")
    expect(page).toContain("[it goes](../test/post.test.ts) (missing)")
    expect(page).toContain("| AN3 | nothing shows it yet |")
  })

  it("reads the report of a run, and takes nothing else for one", () => {
    const assertion = { ancestorTitles: ["", "Letters"], title: "AN1 accepts", status: "passed", duration: 1 }
    const report = { testResults: [{ name: `/here/${CASES}`, assertionResults: [assertion] }] }
    expect(resultsIn(JSON.stringify(report), "/here")).toEqual(good.slice(0, 1))
    expect(resultsIn("")).toBeUndefined()
    expect(resultsIn("{}")).toBeUndefined()
  })
})
