import { writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { inspect } from "node:util"
import { writeExact } from "@palimpsest/core/formats"
import { type Command, misused, numbersOf, progress, requestOf, table } from "./Command.ts"
import { targets } from "./fuzz/Formats.ts"
import { type Found, fuzz, type Tally } from "./fuzz/Fuzz.ts"
import { seedsOf } from "./fuzz/Seeds.ts"

const command: Command = {
  name: "fuzz",
  summary: "Feeds every format and every reader of files with mutated messages: recorded ones, and samples.",
  options: {
    seconds: { value: "N", help: "how long; 60 when not given" },
    seed: { value: "S", help: "where the inputs start; printed, so that a run can be repeated" },
    format: {
      value: "NAME",
      help: "only this format; may be repeated; transcripts are the readers of files",
    },
  },
  exits:
    "Ends with 1 when an input fails, which is then written to a file; with 2 on a mistake in the options.",
}

const print = (tallies: ReadonlyArray<Tally>): void => {
  const rows = tallies.map(({ target, inputs, read, refused, kilobytes, milliseconds, slowest }) => [
    target,
    String(inputs),
    String(read),
    String(refused),
    (milliseconds / Math.max(kilobytes, 1)).toFixed(2),
    slowest.toFixed(2),
  ])
  console.log(table([["format", "inputs", "read", "refused", "ms/KB", "slowest"], ...rows]))
}

/** Writes an input that failed to a file of its own. */
const save = ({ target, seed, input, kind, detail, smallest }: Found): string => {
  const path = join(tmpdir(), `palimpsest-fuzz-${target}-${seed}-${input}.json`)
  const shown =
    writeExact(smallest) ?? inspect(smallest, { depth: null, maxStringLength: null, maxArrayLength: null })
  writeFileSync(path, `${JSON.stringify({ target, seed, input, kind, detail, smallest: shown }, null, 2)}\n`)
  return path
}

const main = (): void => {
  const request = requestOf(command)
  const seconds = numbersOf(command, request, "seconds").at(-1) ?? 60
  const seed = numbersOf(command, request, "seed").at(-1) ?? Date.now() % 2 ** 31
  const wanted = request.values.format ?? []
  const unknown = wanted.filter((name) => !targets.some((target) => target.name === name))
  if (unknown.length > 0) misused(command, `there is no format ${unknown.join(", ")}`)
  if (seconds === 0) misused(command, "--seconds must be at least 1")
  const chosen = targets.filter(({ name }) => wanted.length === 0 || wanted.includes(name))
  const seeds = seedsOf(chosen, seed)
  console.log(`${seeds.files} recorded files, seed ${seed}`)
  const { tallies, found } = fuzz(chosen, seeds, seed, { seconds }, (input) => {
    if (input % 50 === 0) progress(`input ${input}`)
  })
  progress("")
  print(tallies)
  const path = found === null ? null : save(found)
  const inputs = tallies.reduce((sum, tally) => sum + tally.inputs, 0)
  if (found !== null) {
    console.log(`\n${found.target}: ${found.kind}\n${found.detail}`)
    console.log(`Input ${found.input} of seed ${seed} is in ${path}`)
  }
  console.log(`\n${inputs} inputs, seed ${seed}: ${found === null ? 0 : 1} failed`)
  if (request.json)
    console.log(
      JSON.stringify({
        command: "fuzz",
        seconds,
        seed,
        inputs,
        failed: found === null ? 0 : 1,
        path,
        tallies,
      }),
    )
  process.exitCode = found === null && inputs > 0 ? 0 : 1
}

main()
