import { execFile } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { transformWithOxc } from "vite"
import { projectRoot } from "../Root.ts"

/** How a trial ended. `broken`: the program could not be loaded, or did not answer. */
export interface Verdict {
  readonly kind: "held" | "caught" | "timeout" | "broken"
  readonly detail: string
}

/** A copy of the built core, in which one file at a time can be another one. */
export interface Workspace {
  /** Tries the properties of a law; of those that belong to a format, the ones near a file, if one is named. */
  readonly tryLaw: (law: number, runs: number, file?: string) => Promise<Verdict>
  /** Puts other source text in place of a file of the core while an action runs. */
  readonly withFile: <A>(file: string, source: string, action: () => Promise<A>) => Promise<A>
  readonly remove: () => void
}

const SEED = 20_240_601
const SECONDS = 240

const builtName = (file: string): string =>
  file.replace(/^packages\/core\/src\//, "core/dist/").replace(/\.ts$/, ".js")

const compile = async (file: string, source: string): Promise<string> => {
  const { code } = await transformWithOxc(source, join(projectRoot, file), { lang: "ts", sourcemap: false })
  return code.replace(/(from\s*|import\s*\(?\s*)"(\.[^"]*)\.ts"/g, '$1"$2.js"')
}

const verdictOf = (stdout: string, stderr: string, isKilled: boolean): Verdict => {
  if (isKilled) return { kind: "timeout", detail: `no answer in ${SECONDS} s` }
  const last = stdout.trim().split("\n").at(-1) ?? ""
  if (last === "held") return { kind: "held", detail: "" }
  if (last.startsWith("caught ")) return { kind: "caught", detail: last.slice("caught ".length) }
  return {
    kind: "broken",
    detail: last || (stderr.match(/\w*Error: .*/)?.[0] ?? "it ended without an answer"),
  }
}

/** Makes a workspace in a temporary folder. The core must be built. */
export const makeWorkspace = (): Workspace => {
  const folder = mkdtempSync(join(tmpdir(), "palimpsest-mutants-"))
  mkdirSync(join(folder, "core"))
  for (const name of ["dist", "package.json"])
    cpSync(join(projectRoot, "packages/core", name), join(folder, "core", name), { recursive: true })
  symlinkSync(join(projectRoot, "node_modules"), join(folder, "node_modules"))
  const build = pathToFileURL(join(folder, "core/dist")).href
  const trial = join(import.meta.dirname, "Trial.js")
  return {
    tryLaw: (law, runs, file = "") =>
      new Promise((resolve) => {
        const words = [trial, build, String(law), String(runs), String(SEED), file]
        execFile(
          process.execPath,
          words,
          { timeout: SECONDS * 1000, maxBuffer: 2 ** 26 },
          (error, out, err) => resolve(verdictOf(out, err, error?.killed === true)),
        )
      }),
    withFile: async (file, source, action) => {
      const path = join(folder, builtName(file))
      const before = readFileSync(path, "utf8")
      writeFileSync(path, await compile(file, source))
      try {
        return await action()
      } finally {
        writeFileSync(path, before)
      }
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
