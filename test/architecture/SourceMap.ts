import { LAYERS } from "./Layers.ts"
import { type Source, sourcesUnder, targetOf } from "./Source.ts"

/** Where the map is kept. */
export const MAP = "docs/source-map.md"

const INTRODUCTION = `# Source map

Every source file of the packages, from rows to prompt. A folder uses the folders above it, and a file stands after
those of its folder that it uses. Each sentence is the first one of its file; \`npm run -s source-map\` writes this page.
`

const ADAPTERS = [
  ["packages/adapter-pg", "Adapter: threads in Postgres, on a server or in the process."],
  ["packages/adapter-llm", "Adapter: summaries and facts from a language model, or without one."],
] as const

const FOLDERS: Readonly<Record<string, string>> = {
  text: "Text, before there are messages.",
  count: "What a message weighs.",
  thread: "Rows, and the window and groups made of them.",
  summary: "The running summary: typed items, merged by code.",
  prepass: "What needs no model: older results shorter.",
  decide: "The decision of a step, with its numbers.",
  prompt: "The window laid out as a prompt.",
  recall: "Long-term memory: what is searched for, and what of it is shown.",
  formats: "A prompt in the words of a provider.",
  engine: "The interpreter: decisions carried out over ports.",
  promise: "The engine for those who use promises.",
  testing: "Laws, arbitraries, stores in memory, the contract of a store.",
}

const sentenceOf = ({ text }: Source): string => {
  const block = /^\/\*\*([\s\S]*?)\*\//.exec(text)?.[1] ?? ""
  const prose = block.replace(/^[ \t]*\*[ \t]?/gm, "").trim()
  const paragraph = prose.split(/\n\s*\n/)[0]?.replace(/\s+/g, " ") ?? ""
  return (/^.*?[.](?= |$)/.exec(paragraph)?.[0] ?? paragraph).trim()
}

/** Each file after those of the same folder that it uses. */
const inReadingOrder = (sources: ReadonlyArray<Source>): ReadonlyArray<Source> => {
  const byPath = new Map(sources.map((source) => [source.path, source]))
  const done = new Set<Source>()
  const visit = (source: Source, open: ReadonlySet<Source>): void => {
    if (done.has(source) || open.has(source)) return
    for (const one of source.imports) {
      const used = byPath.get(targetOf(source, one) ?? "")
      if (used !== undefined) visit(used, new Set([...open, source]))
    }
    done.add(source)
  }
  for (const source of sources) visit(source, new Set())
  return [...done]
}

const lineOf = (source: Source): string =>
  `- [\`${source.path.replace(/^packages\/[^/]+\/src\//, "")}\`](../${source.path}): ${sentenceOf(source)}`

const section = (title: string, sources: ReadonlyArray<Source>): string =>
  `${title}\n\n${inReadingOrder(sources).map(lineOf).join("\n")}\n`

const coreSections = (): ReadonlyArray<string> => {
  const core = sourcesUnder("packages/core/src")
  const folders = LAYERS.filter((layer) => !layer.endsWith(".ts"))
  const single = core.filter(({ path }) => path.split("/").length === 4)
  return [
    ...folders.map((folder) => {
      const title = `## core: ${folder}\n\n${FOLDERS[folder] ?? ""}`
      return section(
        title,
        core.filter(
          ({ path }) =>
            path.startsWith(`packages/core/src/${folder}/`) || path === `packages/core/src/${folder}.ts`,
        ),
      )
    }),
    section("## core: entry points beside folders", single),
  ]
}

/** The page: the packages from rows to prompt, with a line for each file. */
export const sourceMap = (): string =>
  [
    INTRODUCTION,
    ...coreSections(),
    ...ADAPTERS.map(([folder, title]) =>
      section(`## ${folder.slice("packages/".length)}\n\n${title}`, sourcesUnder(`${folder}/src`)),
    ),
  ].join("\n")
