/**
 * Tries one law of a build of the core, in a process of its own: `Trial.js MODULE LAW RUNS SEED`. Prints `held`, or
 * `caught` and the property that failed, on the last line.
 */
import { lawsIn } from "../AllLaws.ts"

const [module = "", law = "", runs = "", seed = ""] = process.argv.slice(2)

const laws = lawsIn((await import(module)) as Record<string, unknown>)
const properties = laws.filter(({ number }) => number === Number(law)).flatMap((one) => one.properties)
if (properties.length === 0) console.log("no such law")
let caughtBy: string | null = null
for (const { name, run } of properties) {
  try {
    await run({ runs: Number(runs), seed: Number(seed) })
  } catch {
    caughtBy = name
    break
  }
}
if (properties.length > 0) console.log(caughtBy === null ? "held" : `caught ${caughtBy}`)
