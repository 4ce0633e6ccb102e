import { type Command, misused, numbersOf, progress, requestOf } from "./Command.ts"
import { fuzzFences } from "./fences/FenceFuzz.ts"

const command: Command = {
  name: "fences",
  summary: "Feeds fences with payloads that try to get out, and scrubs them in chunks of every kind.",
  options: {
    payloads: { value: "N", help: "how many; 100,000 when not given" },
    seed: { value: "S", help: "where the payloads start; printed, so that a run can be repeated" },
    input: { value: "N", help: "only the payload of this number" },
  },
  exits:
    "Ends with 1 when a payload fails: made smaller, each is printed. Ends with 2 on a mistake in the options.",
}

const main = (): void => {
  const request = requestOf(command)
  const [most, given, only] = ["payloads", "seed", "input"].map((name) =>
    numbersOf(command, request, name).at(-1),
  )
  const seed = given ?? Date.now() % 2 ** 31
  const payloads = only === undefined ? (most ?? 100_000) : 1
  if (payloads === 0) misused(command, "it must try some: 0 payloads are too few")
  const start = performance.now()
  const found = fuzzFences({ seed, payloads, from: only ?? 0 }, (n, failures) => {
    if (n % 500 === 0) progress(`${n} of ${payloads} payloads, ${failures} ways to fail`)
  })
  progress("")
  for (const { kind, detail, input, smallest } of found) {
    console.log(`\n${kind}\n${JSON.stringify(smallest)}\n${detail}`)
    console.log(`npm run -s fences -- --seed ${seed} --input ${input}`)
  }
  const seconds = Math.round((performance.now() - start) / 1000)
  console.log(`${payloads} payloads in ${seconds} s, seed ${seed}: ${found.length} ways to fail`)
  if (request.json)
    console.log(JSON.stringify({ command: "fences", seconds, seed, payloads, failures: found }))
  process.exitCode = found.length === 0 ? 0 : 1
}

main()
