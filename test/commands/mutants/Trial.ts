/**
 * Tries one law of a build of the core, in a process of its own: `Trial.js BUILD LAW RUNS SEED FILE`, where BUILD
 * is the address of its folder, and FILE the source that was changed, if any. Prints `held`, or `caught` and the
 * property that failed, on the last line.
 */
import { type Build, lawsOf } from "../AllLaws.ts"
import { lawsOfFile } from "./LawsOfFile.ts"

const [build = "", law = "", runs = "", seed = "", file = ""] = process.argv.slice(2)

const laws = await lawsOf({
  core: (await import(`${build}/index.js`)) as Build["core"],
  o200k: (await import(`${build}/o200k.js`)) as Build["o200k"],
  testing: (await import(`${build}/testing/index.js`)) as Build["testing"],
})
const numbered = laws.filter(({ number }) => number === Number(law))
const properties = lawsOfFile(numbered, file).flatMap((one) => one.properties)
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
