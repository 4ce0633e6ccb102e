import { lineAt, type Source, targetOf } from "./Source.ts"

const DECLARATION =
  /^export (?:declare |abstract |async )*(?:const|let|class|interface|type|function\*?|enum) +([A-Za-z_$][\w$]*)/gm

/** The docblock that ends right before an offset, or null. */
const blockBefore = (text: string, offset: number): string | null => {
  const before = text.slice(0, offset).trimEnd()
  if (!before.endsWith("*/")) return null
  const start = before.lastIndexOf("/**")
  return start === -1 || before.slice(start, -2).includes("*/") ? null : before.slice(start)
}

const faultOf = (block: string | null): string | null => {
  if (block === null) return "has no docblock"
  const missing = ["@category", "@since"].filter((tag) => !block.includes(`${tag} `))
  if (missing.length > 0) return `lacks ${missing.join(" and ")}`
  return /^\/\*\*\s*\*\s*@/.test(block) ? "says nothing before its tags" : null
}

/** The names that a clause such as `{ a, type B, c as d }` takes from its module; null for all of them. */
const namesIn = (clause: string): ReadonlyArray<string> | null => {
  const listed = /\{([^}]*)\}/.exec(clause)?.[1]
  if (listed === undefined) return null
  return listed.split(",").map((name) =>
    name
      .trim()
      .replace(/^type /, "")
      .replace(/ as .*$/, ""),
  )
}

/** Whether a name of a file can be imported by those who install the package. */
export type IsPublic = (path: string, name: string) => boolean

/** Follows the re-exports of entry points. */
export const publicOf = (sources: ReadonlyArray<Source>, entries: ReadonlyArray<string>): IsPublic => {
  const byPath = new Map(sources.map((source) => [source.path, source]))
  const all = new Set<string>()
  const named = new Set<string>()
  const visit = (path: string): void => {
    const source = byPath.get(path)
    if (source === undefined || all.has(path)) return
    all.add(path)
    for (const one of source.imports.filter(({ keyword }) => keyword === "export")) {
      const target = targetOf(source, one)
      const names = namesIn(one.clause)
      if (target === null) continue
      if (names === null) visit(target)
      for (const name of names ?? []) named.add(`${target} ${name}`)
    }
  }
  for (const entry of entries) visit(entry)
  return (path, name) => all.has(path) || named.has(`${path} ${name}`)
}

/** What is wrong with the docblocks of a source's public exports. */
export const docFaults = (source: Source, isPublic: IsPublic): ReadonlyArray<string> => {
  const seen = new Set<string>()
  return [...source.text.matchAll(DECLARATION)].flatMap((found) => {
    const name = found[1] ?? ""
    // A repeated name is an overload, or a type beside its value: the first one is documented.
    if (seen.has(name) || !source.code.startsWith("export", found.index)) return []
    seen.add(name)
    const fault = isPublic(source.path, name) ? faultOf(blockBefore(source.text, found.index)) : null
    return fault === null ? [] : [`${source.path}:${lineAt(source.text, found.index)} ${name} ${fault}`]
  })
}
