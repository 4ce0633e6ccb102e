/** The compiler, as judge of requests that are written as literals. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { projectRoot } from "../commands/Root.ts"
import { runTsc } from "../commands/Tsc.ts"

/** What the compiler says of literals that are to be of the type `Sent`, which `head` declares. */
export const judge = async (
  name: string,
  head: string,
  literals: ReadonlyArray<string>,
): Promise<ReadonlyArray<string>> => {
  const folder = join(projectRoot, "node_modules/.cache/palimpsest-judges", name)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const compilerOptions = {
    ...{ strict: true, exactOptionalPropertyTypes: true, noEmit: true, skipLibCheck: true },
    ...{ module: "nodenext", target: "es2022", lib: ["es2023", "dom"], types: [] },
  }
  const source = [
    head,
    ...literals.map((literal, i) => `export const request${i} = ${literal} satisfies Sent`),
  ]
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["*.mts"] }))
  writeFileSync(join(folder, "requests.mts"), source.join("\n"))
  const output = await runTsc(folder)
  return output.split("\n").filter((line) => line.includes("error"))
}
