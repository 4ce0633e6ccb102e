/**
 * Checks the packages as they are published: `npm run -s packaging`. Packs each one, has publint and attw look at the
 * tarballs, installs them in an empty project, and imports every entry point with plain Node.
 */
import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { projectRoot } from "../commands/Root.ts"

interface Manifest {
  readonly name: string
  readonly exports: Record<string, unknown>
  readonly peerDependencies?: Record<string, string>
}

const FOLDERS = ["core", "adapter-pg", "adapter-llm"]
/** Optional peers and the tokenizer: what the pure entry points must do without. */
const HEAVY = ["effect", "fast-check", "gpt-tokenizer"]

const run = (program: string, words: ReadonlyArray<string>, cwd: string): string => {
  try {
    return execFileSync(program, [...words], { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] })
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { readonly stdout?: string; readonly stderr?: string }
    throw new Error(`${program} ${words.join(" ")}\n${stdout}${stderr}`)
  }
}

const binary = (name: string): string => join(projectRoot, "node_modules/.bin", name)

const manifestOf = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(projectRoot, "packages", folder, "package.json"), "utf8")) as Manifest

const pack = (folder: string, into: string): string => {
  const out = run(
    "npm",
    ["pack", "--json", "--ignore-scripts", "--pack-destination", into],
    join(projectRoot, "packages", folder),
  )
  const listed = Object.values(JSON.parse(out) as Record<string, { readonly filename: string }>)
  return join(into, listed[0]?.filename ?? "")
}

const project = (folder: string, tarballs: ReadonlyArray<string>): void => {
  mkdirSync(folder)
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }))
  run(
    "npm",
    ["install", "--prefer-offline", "--ignore-scripts", "--no-audit", "--no-fund", ...tarballs],
    folder,
  )
}

/** Imports entry points in a new process, and fails when one of them exports nothing. */
const importAll = (folder: string, entries: ReadonlyArray<string>): void => {
  const code = entries.map(
    (entry) =>
      `const names = Object.keys(await import(${JSON.stringify(entry)})); if (names.length === 0) throw new Error(${JSON.stringify(entry)} + " exports nothing")`,
  )
  for (const one of code) run(process.execPath, ["--input-type=module", "-e", one], folder)
}

const remove = (folder: string, names: ReadonlyArray<string>): void => {
  for (const name of names) rmSync(join(folder, "node_modules", name), { recursive: true, force: true })
}

const addressesOf = ({ name, exports }: Manifest): ReadonlyArray<string> =>
  Object.keys(exports).map((entry) => `${name}${entry.slice(1)}`)

/** The version that this project is developed with. */
const pinned = (name: string): string => {
  const path = join(projectRoot, "node_modules", name, "package.json")
  return `${name}@${(JSON.parse(readFileSync(path, "utf8")) as { version: string }).version}`
}

const ROW = /^\| `(?:\.|(\/[\w/-]+))` \|[^|]*\|([^|]*)\|$/gm

/** The entry points of the core as its README lists them, each with the peers that it says are needed. */
const listed = (): ReadonlyMap<string, ReadonlyArray<string>> => {
  const text = readFileSync(join(projectRoot, "packages/core/README.md"), "utf8")
  const rows = [...text.matchAll(ROW)].map(([, entry = "", needs = ""]) => {
    const peers = [...needs.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name)
    return [`@palimpsest/core${entry}`, peers] as const
  })
  return new Map(rows)
}

/** Fails when the README of the core lists other entry points than it has. */
const checkListed = (addresses: ReadonlyArray<string>): void => {
  const [has, says] = [addresses, [...listed().keys()]].map((names) => names.toSorted().join("\n"))
  if (has !== says) throw new Error(`packages/core/README.md lists\n${says}\nand the core has\n${has}`)
}

/** The entry points that need none of some packages, by the README. */
const without = (missing: ReadonlyArray<string>): ReadonlyArray<string> =>
  [...listed()].flatMap(([entry, needs]) => (needs.some((name) => missing.includes(name)) ? [] : [entry]))

const stage = (name: string, action: () => void): void => {
  const start = performance.now()
  action()
  console.log(`ok  ${name} (${((performance.now() - start) / 1000).toFixed(1)} s)`)
}

const main = (folder: string): void => {
  const manifests = FOLDERS.map(manifestOf)
  const tarballs: Array<string> = []
  stage("pack", () => tarballs.push(...FOLDERS.map((name) => pack(name, folder))))
  for (const tarball of tarballs) {
    const name = tarball.split("/").at(-1) ?? ""
    stage(`publint ${name}`, () => run(binary("publint"), ["run", "--strict", tarball], folder))
    stage(`attw ${name}`, () => run(binary("attw"), ["--profile", "esm-only", tarball], folder))
  }
  const peers = manifests.flatMap(({ peerDependencies = {} }) => Object.keys(peerDependencies))
  const foreign = [...new Set(peers)].filter((name) => !name.startsWith("@palimpsest/"))
  stage("install everything", () => project(join(folder, "full"), [...tarballs, ...foreign.map(pinned)]))
  stage("import every entry point", () => importAll(join(folder, "full"), manifests.flatMap(addressesOf)))
  const core = manifests.slice(0, 1).flatMap(addressesOf)
  stage("packages/core/README.md lists every entry point", () => checkListed(core))
  stage("install the core and effect", () =>
    project(join(folder, "bare"), [...tarballs.slice(0, 1), pinned("effect")]),
  )
  stage("import what needs no fast-check", () => {
    remove(join(folder, "bare"), ["fast-check"])
    importAll(join(folder, "bare"), without(["fast-check"]))
  })
  stage(`import the pure core without ${HEAVY.join(", ")}`, () => {
    remove(join(folder, "bare"), HEAVY)
    importAll(join(folder, "bare"), without(HEAVY))
  })
}

const folder = mkdtempSync(join(tmpdir(), "palimpsest-packages-"))
try {
  main(folder)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
