import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { allSets } from "../validity/AllSets.ts"
import { ruleIds } from "../validity/RuleIds.ts"
import { type Command, progress, requestOf } from "./Command.ts"
import { projectRoot } from "./Root.ts"
import { evidenceOf, filesOf, lacksOf } from "./validity/Evidence.ts"
import { PAGE, pageOf } from "./validity/Page.ts"
import { runTests } from "./validity/Results.ts"

const command: Command = {
  name: "validity",
  summary: `Runs the tests of the rules of providers and stores, and writes ${PAGE}: which test shows which rule.`,
  options: { check: { help: `write nothing, and see whether ${PAGE} is up to date` } },
  exits:
    "Ends with 1 when a rule has no test that accepts or none that refuses, when such a test fails, or when the page is out of date with --check; with 2 on a mistake in the options.",
}

const path = join(projectRoot, PAGE)

/** Whether the page is what it should be; without `--check` it is made so. */
const settle = (page: string, isCheck: boolean): boolean => {
  if (!isCheck) writeFileSync(path, page)
  return existsSync(path) && readFileSync(path, "utf8") === page
}

const main = async (): Promise<void> => {
  const request = requestOf(command)
  const files = filesOf(allSets)
  progress(`running ${files.length} test files`)
  const evidence = evidenceOf(allSets, await runTests(files))
  progress("")
  const lacks = lacksOf(ruleIds, evidence)
  const isCurrent = settle(pageOf(ruleIds, evidence), request.values.check !== undefined)
  for (const lack of lacks) console.log(lack)
  if (!isCurrent) console.log(`${PAGE} is out of date: run npm run -s validity`)
  const rules = new Set([...ruleIds, ...evidence.map(({ rule }) => rule)]).size
  console.log(
    `${PAGE}: ${rules} rules, ${evidence.length * 2} tests in ${files.length} files, ${lacks.length} lacking`,
  )
  if (request.json)
    console.log(JSON.stringify({ command: "validity", path: PAGE, rules, lacks, isCurrent, evidence }))
  process.exitCode = lacks.length > 0 || !isCurrent ? 1 : 0
}

await main()
