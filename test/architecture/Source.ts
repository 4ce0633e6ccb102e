import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join, normalize } from "node:path"
import { projectRoot } from "../commands/Root.ts"
import { codeOf } from "./Code.ts"

/** One import or re-export. */
export interface Import {
  readonly keyword: "import" | "export"
  /** What stands before `from`. */
  readonly clause: string
  readonly specifier: string
  /** Nothing of it is left when the program runs. */
  readonly typeOnly: boolean
  /** An expression, run when it is reached. */
  readonly dynamic: boolean
  readonly line: number
}

/** A source file, by its path from the root of the project. */
export interface Source {
  readonly path: string
  readonly text: string
  /** The text with comments, strings and regular expressions blanked. */
  readonly code: string
  readonly imports: ReadonlyArray<Import>
}

const SKIPPED = new Set(["node_modules", "dist", ".git", "coverage", ".docs", ".palimpsest"])

/** Paths of all files under a folder, from the root of the project, in order; what is built or installed left out. */
export const filesUnder = (folder: string): ReadonlyArray<string> => {
  const absolute = join(projectRoot, folder)
  if (!existsSync(absolute)) return []
  return readdirSync(absolute, { withFileTypes: true })
    .filter((entry) => !SKIPPED.has(entry.name))
    .flatMap((entry) => {
      const path = folder === "." ? entry.name : `${folder}/${entry.name}`
      return entry.isDirectory() ? filesUnder(path) : entry.isFile() ? [path] : []
    })
    .sort()
}

export const readText = (path: string): string => readFileSync(join(projectRoot, path), "utf8")

export const lineAt = (text: string, offset: number): number => text.slice(0, offset).split("\n").length

const isTypeOnly = (clause: string): boolean => {
  if (/^type\b(?!\s*,)/.test(clause)) return true
  const names = /^\{([^}]*)\}$/.exec(clause)?.[1]?.split(",") ?? []
  const written = names.map((name) => name.trim()).filter((name) => name !== "")
  return written.length > 0 && written.every((name) => name.startsWith("type "))
}

const CLAUSE = String.raw`(?:type\s+)?(?:\*(?:\s*as\s+\w+)?|\w+(?:\s*,\s*\{[^}]*\})?|\{[^}]*\})`
const STATEMENT = new RegExp(String.raw`^(?:import|export)\s+(?:(${CLAUSE})\s*from\s*)?"([^"\n]+)"`, "gm")
const EXPRESSION = /\bimport\s*\(\s*"([^"\n]+)"/g

const importsOf = (text: string, code: string): ReadonlyArray<Import> => {
  const isCode = (at: number) => code.startsWith("import", at) || code.startsWith("export", at)
  const statements = [...text.matchAll(STATEMENT)]
    .filter((found) => isCode(found.index))
    .map((found) => ({
      keyword: found[0].startsWith("export") ? ("export" as const) : ("import" as const),
      clause: found[1] ?? "",
      specifier: found[2] ?? "",
      typeOnly: isTypeOnly(found[1] ?? ""),
      dynamic: false,
      line: lineAt(text, found.index),
    }))
  const expressions = [...text.matchAll(EXPRESSION)]
    .filter((found) => isCode(found.index))
    .map((found) => ({
      keyword: "import" as const,
      clause: "",
      specifier: found[1] ?? "",
      typeOnly: false,
      dynamic: true,
      line: lineAt(text, found.index),
    }))
  return [...statements, ...expressions]
}

export const readSource = (path: string): Source => {
  const text = readText(path)
  const code = codeOf(text)
  return { path, text, code, imports: importsOf(text, code) }
}

/** The TypeScript sources under a folder. */
export const sourcesUnder = (folder: string): ReadonlyArray<Source> =>
  filesUnder(folder)
    .filter((path) => path.endsWith(".ts"))
    .map(readSource)

/** The path that a relative import names; null for a package. */
export const targetOf = (source: Source, { specifier }: Import): string | null =>
  specifier.startsWith(".") ? normalize(join(dirname(source.path), specifier)) : null
