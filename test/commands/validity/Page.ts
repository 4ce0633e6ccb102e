/** The page that says which test shows which rule. */
import { families } from "../../validity/RuleIds.ts"
import type { Evidence, Proof } from "./Evidence.ts"

/** Where the page stands. */
export const PAGE = "docs/validity.md"

const HEAD = `# Validity

What providers and stores ask of messages, and the tests that show that it is kept: one that accepts what is right, and
one that refuses what is wrong. \`npm run -s validity\` runs these tests and writes this page.

A rule of a format is shown by requests in \`test/validity\`: those that accept break no rule at all; those that refuse
break this one, and \`repair\` makes each of them valid. What no single request shows has tests of its own.
`

/** A text in a cell of a table. */
const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ")

const test = ({ file, wanted, test: found }: Proof): string =>
  `[${cell(found?.title ?? wanted)}](../${file})${found === undefined ? " (missing)" : ""}`

const numberIn = (rule: string): number => Number(/\d+$/.exec(rule)?.[0] ?? 0)

const prefixIn = (rule: string): string => rule.replace(/\d+$/, "")

const row = ({ rule, set, says, accepts, refuses }: Evidence): string =>
  `| ${[rule, cell(says), cell(set), test(accepts), test(refuses)].join(" | ")} |`

const nothing = (rule: string): string => `| ${rule} | nothing shows it yet | | | |`

const sectionOf = (
  subject: string,
  rules: ReadonlyArray<string>,
  evidence: ReadonlyArray<Evidence>,
): string => {
  const rows = rules.flatMap((rule) => {
    const shown = evidence.filter((each) => each.rule === rule)
    return shown.length === 0 ? [nothing(rule)] : shown.map(row)
  })
  const head = ["| rule | what it asks | where | accepts | refuses |", "| --- | --- | --- | --- | --- |"]
  return ["", `## ${subject}`, "", ...head, ...rows, ""].join("\n")
}

/** The page: a table for each subject, with all rules that must be shown and all that are. */
export const pageOf = (ids: ReadonlyArray<string>, evidence: ReadonlyArray<Evidence>): string => {
  const all = [...new Set([...ids, ...evidence.map(({ rule }) => rule)])]
  const sections = families.map(({ prefix, subject }) => {
    const rules = all.filter((rule) => prefixIn(rule) === prefix)
    const sorted = rules.toSorted((a, b) => numberIn(a) - numberIn(b))
    return sectionOf(`${subject[0]?.toUpperCase()}${subject.slice(1)}`, sorted, evidence)
  })
  return `${HEAD}${sections.join("")}`
}
