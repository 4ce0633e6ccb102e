import { writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { inspect, isDeepStrictEqual } from "node:util"
import { readExact, writeExact } from "@palimpsest/core/formats"
import { type Command, misused, numbersOf, progress, requestOf, table } from "./Command.ts"
import { targets } from "./fuzz/Formats.ts"
import { type Found, fuzz, type Tally } from "./fuzz/Fuzz.ts"
import { seedsOf } from "./fuzz/Seeds.ts"

const command: Command = {
  name: "fuzz",
  summary: "Feeds every format and every reader of files with mutated messages: recorded ones, and samples.",
  options: {
    minutes: { value: "N", help: "how long; 1 when not given" },
    seconds: { value: "N", help: "how long, instead of minutes" },
    seed: { value: "S", help: "where the inputs start; printed, so that a run can be repeated" },
    input: { value: "N", help: "only the input of this number" },
    format: {
      value: "NAME",
      help: "only this format; may be repeated; transcripts are the readers of files",
    },
  },
  exits:
    "Ends with 1 when an input fails: made smaller, each is written to a file. Ends with 2 on a mistake in the options.",
}

const ofKinds = ({ target, kinds }: Tally): ReadonlyArray<string> => {
  const counts = [...kinds].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([kind, n]) => `${kind} ${n}`)
  return counts.length === 0 ? [] : [`${target} were read as: ${counts.join(", ")}`]
}

const print = (tallies: ReadonlyArray<Tally>): void => {
  const rows = tallies.map(({ target, inputs, read, refused, failed, kilobytes, milliseconds, slowest }) => [
    target,
    ...[inputs, read, refused, failed].map(String),
    (milliseconds / Math.max(kilobytes, 1)).toFixed(2),
    `${Math.round(slowest)} ms`,
  ])
  console.log(table([["decoder", "inputs", "read", "refused", "failed", "ms/KB", "slowest"], ...rows]))
  for (const line of tallies.flatMap(ofKinds)) console.log(line)
}

/** Writes an input that failed to a file of its own. */
const save = (seed: number, { target, input, kind, detail, smallest }: Found): string => {
  const path = join(tmpdir(), `palimpsest-fuzz-${target.replaceAll(" ", "-")}-${seed}-${input}.json`)
  const text = writeExact(smallest)
  const isWhole = text !== undefined && isDeepStrictEqual(readExact(text), smallest)
  const shown = isWhole
    ? text
    : inspect(smallest, { depth: null, maxStringLength: null, maxArrayLength: null })
  writeFileSync(path, `${JSON.stringify({ target, seed, input, kind, detail, smallest: shown }, null, 2)}\n`)
  return path
}

/** How to see an input again: its number means the same target only among the same targets. */
const again = (seed: number, { input }: Found, wanted: ReadonlyArray<string>): string =>
  [
    "npm run -s fuzz --",
    `--seed ${seed} --input ${input}`,
    ...wanted.map((name) => `--format "${name}"`),
  ].join(" ")

const secondsOf = (request: ReturnType<typeof requestOf>): number => {
  const [minutes, seconds] = ["minutes", "seconds"].map((option) =>
    numbersOf(command, request, option).at(-1),
  )
  if (minutes !== undefined && seconds !== undefined)
    misused(command, "give --minutes or --seconds, not both")
  const all = seconds ?? (minutes ?? 1) * 60
  return all === 0 ? misused(command, "it must run for a while: 0 is too short") : all
}

const main = (): void => {
  const request = requestOf(command)
  const seconds = secondsOf(request)
  const seed = numbersOf(command, request, "seed").at(-1) ?? Date.now() % 2 ** 31
  const only = numbersOf(command, request, "input").at(-1)
  const wanted = request.values.format ?? []
  const unknown = wanted.filter((name) => !targets.some((target) => target.name === name))
  if (unknown.length > 0)
    misused(
      command,
      `there is no format ${unknown.join(", ")}: ${targets.map(({ name }) => name).join(", ")}`,
    )
  const chosen = targets.filter(({ name }) => wanted.length === 0 || wanted.includes(name))
  const seeds = seedsOf(targets, seed)
  console.log(`${seeds.files} recorded files, seed ${seed}`)
  const limit = only === undefined ? { seconds } : { from: only, inputs: 1 }
  const start = performance.now()
  const { tallies, found } = fuzz(chosen, seeds, { seed, ...limit }, (input, failed) => {
    const spent = Math.round((performance.now() - start) / 1000)
    if (input % 50 === 0) progress(`${spent} of ${seconds} s, ${input} inputs, ${failed} ways to fail`)
  })
  progress("")
  print(tallies.filter(({ inputs }) => inputs > 0))
  const failures = found.map((each) => {
    const { smallest, ...rest } = each
    return { ...rest, path: save(seed, each), again: again(seed, each, wanted) }
  })
  for (const { target, kind, detail, path, input, again } of failures)
    console.log(`\n${target}: ${kind}\n${detail}\nInput ${input}, made smaller, is in ${path}\n${again}`)
  const inputs = tallies.reduce((sum, tally) => sum + tally.inputs, 0)
  const spent = Math.round((performance.now() - start) / 1000)
  console.log(`\n${inputs} inputs in ${spent} s, seed ${seed}: ${found.length} ways to fail`)
  if (request.json) {
    const shown = tallies.map(({ kinds, ...rest }) => ({ ...rest, kinds: Object.fromEntries(kinds) }))
    console.log(JSON.stringify({ command: "fuzz", seconds: spent, seed, inputs, failures, tallies: shown }))
  }
  process.exitCode = found.length === 0 && inputs > 0 ? 0 : 1
}

main()
