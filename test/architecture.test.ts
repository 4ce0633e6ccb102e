import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { codeOf } from "./architecture/Code.ts"
import { cyclesOf } from "./architecture/Cycles.ts"
import { docFaults, publicOf } from "./architecture/Docblocks.ts"
import { isPure, LAYERS, layerOf } from "./architecture/Layers.ts"
import {
  filesUnder,
  type Import,
  lineAt,
  readText,
  type Source,
  sourcesUnder,
  targetOf,
} from "./architecture/Source.ts"
import { MAP } from "./architecture/SourceMap.ts"

const core = sourcesUnder("packages/core/src")
const pure = core.filter((source) => isPure(source.path))
const adapters = ["adapter-pg", "adapter-llm"].map((name) => sourcesUnder(`packages/${name}/src`))
const examples = sourcesUnder("examples")
const packages = [...core, ...adapters.flat()]
const all = [...packages, ...examples, ...sourcesUnder("test")]

const placesOf = (source: Source, patterns: ReadonlyArray<RegExp>, text = source.code) =>
  patterns.flatMap((pattern) =>
    [...text.matchAll(pattern)].map((found) => `${source.path}:${lineAt(text, found.index)} ${found[0]}`),
  )

const badImports = (sources: ReadonlyArray<Source>, isBad: (one: Import, source: Source) => boolean) =>
  sources.flatMap((source) =>
    source.imports
      .filter((one) => isBad(one, source))
      .map((one) => `${source.path}:${one.line} ${one.specifier}`),
  )

const nameOf = (specifier: string): string =>
  specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/")

/** What a package exports: the address by which others import it, and the source. */
const entriesOf = (folder: string) => {
  const { name, exports } = JSON.parse(readText(`${folder}/package.json`)) as {
    readonly name: string
    readonly exports: Record<string, { readonly "@palimpsest/source": string }>
  }
  return Object.entries(exports).map(([entry, targets]) => ({
    address: `${name}${entry.slice(1)}`,
    path: `${folder}/${targets["@palimpsest/source"].slice(2)}`,
  }))
}

const folders = ["packages/core", "packages/adapter-pg", "packages/adapter-llm"]
const published = folders.flatMap(entriesOf)
const entries = published.map(({ address }) => address)

describe("the checks themselves", () => {
  it("see code, and neither strings nor comments nor regular expressions", () => {
    const text = 'const a = /throw"/g.test(b) / 2 // throw\nconst c = `throw $' + '{throwing("throw")} throw`'
    expect(codeOf(text).match(/throw\w*/g)).toEqual(["throwing"])
    expect(codeOf(text)).toHaveLength(text.length)
  })

  it("see loops", () => {
    const graph = new Map([
      ["a", ["b"]],
      ["b", ["c"]],
      ["c", ["b"]],
    ])
    expect(cyclesOf(graph)).toEqual(["b -> c -> b"])
  })

  it("found the sources", () => {
    expect(pure.length).toBeGreaterThan(40)
    expect(adapters.every((sources) => sources.length > 3)).toBe(true)
  })
})

describe("the pure core", () => {
  const ALLOWED = new Set(["@noble/hashes", "stemmer"])
  const IMPURE = [
    /\b(?:Date|performance|process|console|globalThis|Intl|fetch|crypto|navigator)\b(?!\s*[?:])/g,
    /\bMath\.random\b/g,
    /\b(?:setTimeout|setInterval|setImmediate|queueMicrotask|structuredClone)\b/g,
    /\bthrow\b/g,
    /\b(?:toLocale\w*|localeCompare)\b/g,
  ]
  const LATER = [/\b(?:async|await|Promise)\b/g, /\bimport\s*\(/g]

  it("imports itself and hash functions, and its formats the schemas of effect", () => {
    const isForeign = ({ specifier, dynamic }: Import, { path }: Source) => {
      if (path.includes("/src/formats/") && nameOf(specifier) === "effect") return false
      if (path.endsWith("/o200k.ts") && dynamic && nameOf(specifier) === "gpt-tokenizer") return false
      return !specifier.startsWith(".") && !ALLOWED.has(nameOf(specifier))
    }
    expect(badImports(pure, isForeign)).toEqual([])
  })

  it("has no clock, chance, locale, I/O or exception", () => {
    expect(pure.flatMap((source) => placesOf(source, IMPURE))).toEqual([])
  })

  it("is synchronous, but for loading the tokenizer", () => {
    const sources = pure.filter((source) => !source.path.endsWith("/o200k.ts"))
    expect(sources.flatMap((source) => placesOf(source, LATER))).toEqual([])
  })
})

describe("imports", () => {
  it("run one way inside the core", () => {
    expect(core.filter((source) => layerOf(source.path) === -1).map((source) => source.path)).toEqual([])
    const isBackward = (one: Import, source: Source) => {
      const target = targetOf(source, one)
      if (target === null) return false
      if (one.typeOnly && isPure(source.path) && isPure(target)) return false
      return layerOf(target) > layerOf(source.path)
    }
    expect(badImports(core, isBackward), `the order is ${LAYERS.join(", ")}`).toEqual([])
  })

  it("have no loop at run time", () => {
    const graph = all.map((source) => {
      const used = source.imports.filter((one) => !one.typeOnly && !one.dynamic)
      return [source.path, used.flatMap((one) => targetOf(source, one) ?? [])] as const
    })
    expect(cyclesOf(new Map(graph))).toEqual([])
  })

  it("find their files, under the name that has an extension", () => {
    const files = new Set(all.map((source) => source.path))
    const isLost = (one: Import, source: Source) => {
      const target = targetOf(source, one)
      return target !== null && !files.has(target) && !target.endsWith(".json")
    }
    expect(badImports([...packages, ...examples], isLost)).toEqual([])
  })

  it("of adapters are the core, effect and their drivers, never another adapter", () => {
    const ALLOWED = new Set([
      "effect",
      "@effect/sql-pg",
      "@electric-sql/pglite",
      "@electric-sql/pglite-pgvector",
    ])
    const isForeign = ({ specifier }: Import, { path }: Source) => {
      const isOwn = specifier.startsWith(".") || specifier.startsWith("node:")
      if (isOwn) return specifier.startsWith("node:") && path.includes("/adapter-llm/")
      if (nameOf(specifier) === "@palimpsest/core") return !entries.includes(specifier)
      return !ALLOWED.has(nameOf(specifier))
    }
    expect(badImports(adapters.flat(), isForeign)).toEqual([])
  })

  it("never leave their package by a relative path", () => {
    const folderOf = (path: string) => /^(?:packages\/[^/]+|[^/]+)/.exec(path)?.[0]
    const isOutside = (one: Import, source: Source) => {
      const target = targetOf(source, one)
      return target !== null && folderOf(target) !== folderOf(source.path)
    }
    expect(badImports([...packages, ...examples], isOutside)).toEqual([])
  })

  it("of examples are public entry points", () => {
    const isPrivate = ({ specifier }: Import) =>
      specifier.startsWith("@palimpsest/") && !entries.includes(specifier)
    expect(badImports(examples, isPrivate)).toEqual([])
  })
})

describe("files", () => {
  const lengthOf = ({ text }: Source) => text.trimEnd().split("\n").length

  it("have at most 300 lines", () => {
    const long = all.map((source) => ({ path: source.path, lines: lengthOf(source) }))
    const near = long.filter(({ lines }) => lines > 250)
    if (near.length > 0)
      console.log(`over 250 lines: ${near.map(({ path, lines }) => `${path} (${lines})`).join(", ")}`)
    expect(near.filter(({ lines }) => lines > 300)).toEqual([])
  })

  it("of sources are not called utils, helpers or types", () => {
    const named = /\/(?:utils?|helpers?|types|misc|common)\.ts$/i
    expect(all.filter((source) => named.test(source.path)).map((source) => source.path)).toEqual([])
  })

  it("have no any", () => {
    const patterns = [/\bas any\b/g, /:\s*any\b/g, /<any>/g, /\bany\[\]/g]
    expect(all.flatMap((source) => placesOf(source, patterns))).toEqual([])
  })

  it("leave nothing to do", () => {
    const patterns = [
      new RegExp(`\\b(?:${["TO" + "DO", "FIX" + "ME", "X" + "XX", "HA" + "CK"].join("|")})\\b`, "g"),
    ]
    expect(all.flatMap((source) => placesOf(source, patterns, source.text))).toEqual([])
  })

  it("run every test, or print why not", () => {
    const silent = [/\b(?:it|test|describe)(?:\.\w+)*\.(?:only|skip|todo)\b/g]
    const conditional = [/\.(?:skipIf|runIf)\b/g]
    const isPrinting = ({ code }: Source) => /\bconsole\.(?:log|warn|error|info)\b/.test(code)
    expect(all.flatMap((source) => placesOf(source, silent))).toEqual([])
    const quiet = all.filter((source) => !isPrinting(source))
    expect(quiet.flatMap((source) => placesOf(source, conditional))).toEqual([])
  })

  it("name no folder of one machine", () => {
    const places = new RegExp(
      `(?<![\\w./-])/(?:${["wo" + "rk", "tmp/bash" + "_jobs"].join("|")})(?:/|\\b)`,
      "g",
    )
    const texts = filesUnder(".").filter((path) => !/\.(?:png|jpg|gif|tgz|tsbuildinfo)$/.test(path))
    const found = texts.flatMap((path) => {
      const text = readText(path)
      return [...text.matchAll(places)].map(({ index }) => `${path}:${lineAt(text, index)}`)
    })
    expect(found).toEqual([])
  })

  it("lock no download address", () => {
    const lock = readFileSync(new URL("../package-lock.json", import.meta.url), "utf8")
    expect(lock.match(/"resolved": "https?:[^"]*"/g)).toBeNull()
  })
})

describe("the source map", () => {
  it("has a line for each file, and no other: npm run -s source-map writes it", () => {
    const listed = [...readText(MAP).matchAll(/^- \[`[^`]+`\]\(\.\.\/([^)]+)\)/gm)].map((found) => found[1])
    expect(listed.toSorted()).toEqual(packages.map(({ path }) => path).toSorted())
  })
})

describe("every public export", () => {
  it("says what it is, in which category, since when", () => {
    const paths = published.map(({ path }) => path)
    expect(paths.filter((path) => !packages.some((source) => source.path === path))).toEqual([])
    const isPublic = publicOf(packages, paths)
    expect(packages.flatMap((source) => docFaults(source, isPublic))).toEqual([])
  })

  it("stands in a module that says what it is", () => {
    const silent = packages.filter(({ text }) => !/^\/\*\*[\s\S]*?@since [\s\S]*?\*\//.test(text))
    expect(silent.map((source) => source.path)).toEqual([])
  })
})
