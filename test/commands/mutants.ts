import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import type { Mutant } from "../mutants/Mutant.ts"
import { type Command, misused, numbersOf, progress, requestOf, table } from "./Command.ts"
import { titleOfLawsOf } from "./mutants/LawsOfFile.ts"
import { makeWorkspace, type Verdict, type Workspace } from "./mutants/Workspace.ts"
import { projectRoot } from "./Root.ts"

const command: Command = {
  name: "mutants",
  summary: "Breaks the core in each listed way, and sees whether the law named for it notices.",
  options: {
    law: { value: "N", help: "only the mutants of this law; may be repeated" },
    file: { value: "TEXT", help: "only the mutants of files whose path holds this; may be repeated" },
    runs: {
      value: "N",
      help: "samples of each property; 300 when not given, and ten times as many for survivors",
    },
  },
  exits: "Ends with 1 when a mutant survives or does not apply, with 2 on a mistake in the options.",
}

interface Outcome extends Omit<Verdict, "kind"> {
  readonly law: number
  readonly file: string
  readonly why: string
  readonly seconds: number
  readonly verdict: Verdict["kind"] | "does not apply"
}

const collect = async (): Promise<ReadonlyArray<Mutant>> => {
  const names = readdirSync(join(projectRoot, "test/mutants")).filter((name) =>
    /^(?!Mutant\.).*\.ts$/.test(name),
  )
  const built = names.map((name) => join(projectRoot, "test/dist/mutants", name.replace(/\.ts$/, ".js")))
  const modules = await Promise.all(built.map((path) => import(pathToFileURL(path).href)))
  return modules.flatMap((module: { readonly mutants?: ReadonlyArray<Mutant> }) => module.mutants ?? [])
}

const sourceOf = ({ file }: Mutant): string | null => {
  const path = join(projectRoot, file)
  return file.startsWith("packages/core/src/") && existsSync(path) ? readFileSync(path, "utf8") : null
}

/** The text of the file with the change, or why it cannot be made. */
const applied = (mutant: Mutant): { readonly text: string } | { readonly reason: string } => {
  const source = sourceOf(mutant)
  if (source === null) return { reason: "no such file in the core" }
  const times = source.split(mutant.find).length - 1
  if (times !== 1) return { reason: `the text occurs ${times} times` }
  if (mutant.find === mutant.replace) return { reason: "it changes nothing" }
  return { text: source.replace(mutant.find, () => mutant.replace) }
}

const attempt = async (mutant: Mutant, workspace: Workspace, runs: number): Promise<Outcome> => {
  const start = performance.now()
  const { law, file, why } = mutant
  const end = (verdict: Outcome["verdict"], detail: string): Outcome => {
    const seconds = Math.round(performance.now() - start) / 1000
    return { law, file, why, seconds, verdict, detail }
  }
  const change = applied(mutant)
  if ("reason" in change) return end("does not apply", change.reason)
  const { kind, detail } = await workspace.withFile(file, change.text, async () => {
    const first = await workspace.tryLaw(law, runs, file)
    return first.kind === "held" ? workspace.tryLaw(law, runs * 10, file) : first
  })
  return end(kind, detail)
}

/** Runs jobs on two workspaces at once; outcomes stay in the order of the jobs. */
const onTwo = async <J, A>(
  jobs: ReadonlyArray<J>,
  run: (job: J, workspace: Workspace) => Promise<A>,
  workspaces: ReadonlyArray<Workspace>,
): Promise<ReadonlyArray<A>> => {
  const results = new Map<number, A>()
  const queue = [...jobs.entries()]
  const work = async (workspace: Workspace): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      results.set(next[0], await run(next[1], workspace))
      progress(`${results.size} of ${jobs.length}`)
    }
  }
  await Promise.all(workspaces.map(work))
  progress("")
  return [...results].toSorted(([a], [b]) => a - b).map(([, result]) => result)
}

const NOTICED: ReadonlyArray<Outcome["verdict"]> = ["caught", "timeout"]

const print = (outcomes: ReadonlyArray<Outcome>): void => {
  const rows = outcomes.map(({ law, verdict, seconds, why, detail }) => [
    String(law),
    verdict === "held" ? "SURVIVED" : NOTICED.includes(verdict) ? verdict : verdict.toUpperCase(),
    `${seconds.toFixed(1)} s`,
    why,
    detail,
  ])
  console.log(table([["law", "", "time", "mutant", "noticed by"], ...rows]))
}

const run = async (mutants: ReadonlyArray<Mutant>, runs: number, workspaces: ReadonlyArray<Workspace>) => {
  const trials = [
    ...new Map(mutants.map((one) => [`${one.law} ${titleOfLawsOf(one.file)}`, one] as const)).values(),
  ]
  const sound = await onTwo(
    trials,
    ({ law, file }, workspace) => workspace.tryLaw(law, runs, file),
    workspaces,
  )
  const unsound = trials.flatMap(({ law }, i) => (sound[i]?.kind === "held" ? [] : [{ law, ...sound[i] }]))
  const outcomes = await onTwo(mutants, (mutant, workspace) => attempt(mutant, workspace, runs), workspaces)
  return { outcomes, unsound }
}

const main = async (): Promise<void> => {
  const request = requestOf(command)
  const runs = numbersOf(command, request, "runs").at(-1) ?? 300
  const wanted = numbersOf(command, request, "law")
  const paths = request.values.file ?? []
  const mutants = (await collect())
    .filter(({ law }) => wanted.length === 0 || wanted.includes(law))
    .filter(({ file }) => paths.length === 0 || paths.some((path) => file.includes(path)))
  if (mutants.length === 0) misused(command, "there is no such mutant")
  const workspaces = [makeWorkspace(), makeWorkspace()]
  try {
    const { outcomes, unsound } = await run(mutants, runs, workspaces)
    const missed = outcomes.filter(({ verdict }) => !NOTICED.includes(verdict)).length
    print(outcomes)
    for (const { law, kind, detail } of unsound)
      console.log(`law ${law} does not hold for the code as it is: ${kind} ${detail}`)
    console.log(`\n${outcomes.length} mutants: ${outcomes.length - missed} caught, ${missed} not`)
    if (request.json) console.log(JSON.stringify({ command: "mutants", runs, missed, unsound, outcomes }))
    process.exitCode = missed > 0 || unsound.length > 0 ? 1 : 0
  } finally {
    for (const workspace of workspaces) workspace.remove()
  }
}

await main()
