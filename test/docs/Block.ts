import { filesUnder, lineAt, readText } from "../architecture/Source.ts"

/** A block of TypeScript in the documentation. */
export interface Block {
  readonly path: string
  /** Line of its first line of code, from 1. */
  readonly line: number
  readonly code: string
  /** What stands after `ts` where the block opens. */
  readonly info: string
}

const FENCE = /^([ \t]*(?:\* )?)```ts\b([^\n]*)\n([\s\S]*?)\n[ \t]*(?:\* ?)?```[ \t]*$/gm

const isDocumentation = (path: string): boolean =>
  path === "README.md" ||
  /^packages\/[^/]+\/README\.md$/.test(path) ||
  (path.startsWith("docs/") && path.endsWith(".md")) ||
  /^packages\/[^/]+\/src\/.*\.ts$/.test(path)

const unprefixed = (code: string, prefix: string): string => {
  const start = prefix.includes("*") ? /^[ \t]*\* ?/ : new RegExp(`^${prefix}`)
  return code
    .split("\n")
    .map((line) => line.replace(start, ""))
    .join("\n")
}

/** The blocks of one text. */
export const blocksIn = (path: string, text: string): ReadonlyArray<Block> =>
  [...text.matchAll(FENCE)].map((found) => {
    const [, prefix = "", info = "", code = ""] = found
    return { path, line: lineAt(text, found.index) + 1, code: unprefixed(code, prefix), info: info.trim() }
  })

/** The files that hold documentation. */
export const documentation = (): ReadonlyArray<string> => filesUnder(".").filter(isDocumentation)

/** All blocks of the documentation: of READMEs, of `docs/`, and of docblocks. */
export const allBlocks = (): ReadonlyArray<Block> =>
  documentation().flatMap((path) => blocksIn(path, readText(path)))
