import { offlineEmbedder } from "@palimpsest/adapter-llm"
import { clientUrl, layer, memoryIndexLayer } from "@palimpsest/adapter-pg"
import { clientMemory } from "@palimpsest/adapter-pg/pglite"
import { loadO200k } from "@palimpsest/core/o200k"
import { Effect, Layer } from "effect"
import { type Command, misused, numbersOf, progress, requestOf, table } from "./Command.ts"
import { bringIn, type Finding, findEvidence, SIZES } from "./recall/Evidence.ts"
import { findInPrompts, type Prompted } from "./recall/InPrompt.ts"
import { type Dialogue, dialogues } from "./recall/Locomo.ts"
import { measureNear, type NearPoint } from "./recall/NearRecall.ts"

const command: Command = {
  name: "recall",
  summary:
    "Measures what long-term memory finds. On recorded dialogues beside the project, when they are there: how often all\nevidence of a question is found, and is in the prompt after many passes, with the offline embedder. On a server with pgvector: the search by vectors against\ncomparing each one, under filters.",
  options: {
    url: { value: "URL", help: "a server with pgvector, for the second part; without one it is left out" },
    vectors: { value: "N", help: "vectors of the second part (default 100,000)" },
  },
  exits:
    "Ends with 1 when less than 95 % of the nearest are found at some filter, or less than 65 % of the questions have all\ntheir evidence in the prompt; with 2 on a mistake in the options.",
}

/** Of the nearest, at each filter; and of questions, all of whose evidence is in the prompt. */
const LEAST_RECALL = 0.95
const LEAST_IN_PROMPT = 0.65

const mean = (values: ReadonlyArray<number>): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

const share = (values: ReadonlyArray<boolean>): number => mean(values.map((value) => (value ? 1 : 0)))

const percentile = (values: ReadonlyArray<number>, part: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * part)] ?? Number.NaN

const evidence = async (all: ReadonlyArray<Dialogue>) => {
  const counter = await loadO200k()
  const services = Layer.mergeAll(layer, Layer.provide(memoryIndexLayer(), offlineEmbedder())).pipe(
    Layer.provide(clientMemory),
  )
  const run = Effect.gen(function* () {
    const findings: Array<Finding> = []
    const prompted: Array<Prompted> = []
    for (const dialogue of all) {
      progress(`${dialogue.name}: searches`)
      yield* bringIn(dialogue)
      findings.push(...(yield* findEvidence(dialogue, counter.count)))
      progress(`${dialogue.name}: prompts`)
      prompted.push(yield* findInPrompts(dialogue, counter.count))
    }
    return { findings, prompted }
  })
  const { findings, prompted } = await Effect.runPromise(Effect.provide(run, services))
  return {
    dialogues: all.length,
    questions: findings.length,
    p95: percentile(
      findings.map(({ took }) => took),
      0.95,
    ),
    sizes: SIZES.map((size, i) => ({
      size,
      all: share(findings.map(({ all }) => all[i] === true)),
      tokens: mean(findings.map(({ tokens }) => tokens[i] ?? 0)),
    })),
    inPrompt: {
      passes: Math.min(...prompted.map(({ passes }) => passes)),
      summary: Math.max(...prompted.map(({ summaryTokens }) => summaryTokens)),
      recall: Math.max(...prompted.flatMap(({ recall }) => recall)),
      all: share(prompted.flatMap((one) => one.with)),
      withoutRecall: share(prompted.flatMap((one) => one.without)),
    },
  }
}

const percent = (part: number): string => `${(100 * part).toFixed(1)} %`

type Measured = Awaited<ReturnType<typeof evidence>>

const printEvidence = ({ dialogues, questions, sizes, p95, inPrompt }: Measured): void => {
  console.log(`${questions} questions of ${dialogues} dialogues, p95 of a search ${p95.toFixed(0)} ms`)
  const rows = sizes.map(({ size, all, tokens }) => [`${size}`, percent(all), tokens.toFixed(0)])
  console.log(table([["documents", "all evidence", "tokens"], ...rows]))
  const { passes, summary, recall } = inPrompt
  console.log(
    `\nall evidence in the prompt after ${passes} passes or more: ${percent(inPrompt.all)}, of it without memories ${percent(inPrompt.withoutRecall)}; a summary of at most ${summary} tokens, memories of at most ${recall}`,
  )
}

const printNear = (points: ReadonlyArray<NearPoint>): void => {
  const rows = points.map(({ selectivity, recallAt10, p95, p95Exact, scan }) => [
    percent(selectivity),
    scan,
    recallAt10.toFixed(3),
    `${p95.toFixed(0)} ms`,
    `${p95Exact.toFixed(0)} ms`,
  ])
  console.log(table([["filter lets through", "searched", "recall@10", "p95", "p95 exact"], ...rows]))
}

const main = async (): Promise<void> => {
  const request = requestOf(command)
  const [url, ...others] = request.values.url ?? []
  if (others.length > 0) misused(command, "--url is given twice")
  const [vectors = 100_000] = numbersOf(command, request, "vectors")
  const all = dialogues()
  if (all.length === 0) console.log("no recorded dialogues beside the project: the first part is left out")
  const found = all.length === 0 ? null : await evidence(all)
  progress("")
  if (found !== null) printEvidence(found)
  const extent = { vectors, dimensions: 256, queries: 50, seed: 7 }
  const near =
    url === undefined
      ? null
      : await Effect.runPromise(Effect.provide(measureNear(extent, progress), clientUrl({ url })))
  progress("")
  if (near !== null) printNear(near.points)
  const isForgotten = found !== null && found.inPrompt.all < LEAST_IN_PROMPT ? 1 : 0
  const unfound = near?.points.filter(({ recallAt10 }) => !(recallAt10 >= LEAST_RECALL)).length ?? 0
  const missed = unfound + isForgotten
  if (request.json) console.log(JSON.stringify({ command: "recall", missed, evidence: found, near }))
  process.exitCode = missed > 0 ? 1 : 0
}

await main()
