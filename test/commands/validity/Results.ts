/** What became of tests: run by vitest, read from its report. */
import { execFile } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, relative } from "node:path"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { projectRoot } from "../Root.ts"

/** A test that was run: its file from the root of the project, the titles around it, and its own. */
export interface TestResult {
  readonly file: string
  readonly within: ReadonlyArray<string>
  readonly title: string
  readonly passed: boolean
}

/** The report of vitest, as far as it is read: a file with an error of its own has no tests, and a message. */
const Report = Schema.fromJsonString(
  Schema.Struct({
    testResults: Schema.Array(
      Schema.Struct({
        name: Schema.String,
        assertionResults: Schema.Array(
          Schema.Struct({
            ancestorTitles: Schema.Array(Schema.String),
            title: Schema.String,
            status: Schema.String,
          }),
        ),
      }),
    ),
  }),
)

/** Reads the report of a run; undefined when it is none. */
export const resultsIn = (report: string, root = projectRoot): ReadonlyArray<TestResult> | undefined => {
  const read = Schema.decodeUnknownResult(Report)(report)
  if (Result.isFailure(read)) return undefined
  return read.success.testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ ancestorTitles, title, status }) => ({
      file: relative(root, name).replaceAll("\\", "/"),
      within: ancestorTitles.filter((each) => each !== ""),
      title,
      passed: status === "passed",
    })),
  )
}

const vitest = (files: ReadonlyArray<string>, report: string): Promise<string> =>
  new Promise((resolve) => {
    const program = join(projectRoot, "node_modules/vitest/vitest.mjs")
    const words = ["run", "--config", "test/vitest.config.ts", "--reporter=json", `--outputFile=${report}`]
    execFile(
      process.execPath,
      [program, ...words, ...files],
      { cwd: projectRoot, maxBuffer: 2 ** 26 },
      (_, stdout, stderr) => resolve(`${stdout}${stderr}`),
    )
  })

/** Runs test files. A run that leaves no report is an error, with what it printed. */
export const runTests = async (files: ReadonlyArray<string>): Promise<ReadonlyArray<TestResult>> => {
  const folder = mkdtempSync(join(tmpdir(), "palimpsest-validity-"))
  const report = join(folder, "report.json")
  try {
    const printed = await vitest(files, report)
    const results = resultsIn(readFileSync(report, { encoding: "utf8", flag: "a+" }))
    if (results === undefined) throw new Error(`the tests left no report: ${printed.trim().slice(-2000)}`)
    return results
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
