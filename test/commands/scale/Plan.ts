import { Option, Schema } from "effect"

/** A node of a plan, as `explain (analyze, buffers, format json)` writes it. */
export interface Node {
  readonly "Node Type": string
  readonly "Relation Name"?: string
  readonly "Index Name"?: string
  readonly "CTE Name"?: string
  readonly "Index Cond"?: string
  readonly "Total Cost": number
  readonly "Actual Rows": number
  readonly "Actual Loops": number
  readonly "Rows Removed by Filter"?: number
  readonly "Rows Removed by Index Recheck"?: number
  readonly "Shared Hit Blocks"?: number
  readonly "Shared Read Blocks"?: number
  readonly Plans?: ReadonlyArray<Node>
}

const Count = Schema.optionalKey(Schema.Finite)

const Node: Schema.Codec<Node> = Schema.Struct({
  "Node Type": Schema.String,
  "Relation Name": Schema.optionalKey(Schema.String),
  "Index Name": Schema.optionalKey(Schema.String),
  "CTE Name": Schema.optionalKey(Schema.String),
  "Index Cond": Schema.optionalKey(Schema.String),
  "Total Cost": Schema.Finite,
  "Actual Rows": Schema.Finite,
  "Actual Loops": Schema.Finite,
  "Rows Removed by Filter": Count,
  "Rows Removed by Index Recheck": Count,
  "Shared Hit Blocks": Count,
  "Shared Read Blocks": Count,
  Plans: Schema.optionalKey(Schema.Array(Schema.suspend(() => Node))),
})

const Answer = Schema.Tuple([Schema.Struct({ Plan: Node })])
const asAnswer = Schema.decodeUnknownOption(Answer)

/** What a statement did, by the counters of the database. */
export interface Work {
  /** Rows that scans gave or rejected, of tables and of what was read from them before. */
  readonly rows: number
  /** Pages of tables and indexes that were touched. */
  readonly pages: number
}

/** Reads what `explain` answered: JSON, or its text. */
export const planOf = (answer: unknown): Node | undefined => {
  const value: unknown = typeof answer === "string" ? JSON.parse(answer) : answer
  return Option.getOrUndefined(asAnswer(value))?.[0].Plan
}

const nodesOf = (node: Node): ReadonlyArray<Node> => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

/** A scan gives rows and has none below it; of a bitmap, the half that reads the table counts. */
const isScan = (node: Node): boolean =>
  /^(Seq|Index|Index Only|Bitmap Heap|CTE|Tid|Sample) Scan$/.test(node["Node Type"])

const rowsOf = (node: Node): number =>
  node["Actual Loops"] *
  (node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0) + (node["Rows Removed by Index Recheck"] ?? 0))

/** Adds up what a plan did. */
export const workOf = (plan: Node): Work => ({
  rows: nodesOf(plan)
    .filter(isScan)
    .reduce((sum, node) => sum + rowsOf(node), 0),
  pages: (plan["Shared Hit Blocks"] ?? 0) + (plan["Shared Read Blocks"] ?? 0),
})

/** The range of an index must name a tenant and a chat, which every key begins with. */
const isRange = (node: Node): boolean =>
  /\btenant = /.test(node["Index Cond"] ?? "") &&
  (/\b(chat|source) = /.test(node["Index Cond"] ?? "") || node["Index Name"] === "palimpsest_tenants_pkey")

const nameOf = (node: Node): string =>
  node["Index Name"] ?? node["Relation Name"] ?? node["CTE Name"] ?? "rows"

const scanFault = (node: Node): string | null => {
  const type = node["Node Type"]
  const table = node["Relation Name"]
  if (type === "Seq Scan") return `reads all of ${table}`
  if (/^(Index|Index Only) Scan$|^Bitmap Index Scan$/.test(type) && !isRange(node))
    return `${type} of ${node["Index Name"]} without a tenant and a chat: ${node["Index Cond"] ?? "no range"}`
  return null
}

/** What is read, rejected or sorted is no more than the window. */
const sizeFault = (node: Node, most: number): string | null => {
  const type = node["Node Type"]
  const sorted = (node.Plans ?? []).reduce(
    (sum, below) => sum + below["Actual Rows"] * below["Actual Loops"],
    0,
  )
  if (/^(Sort|Incremental Sort)$/.test(type) && sorted > most) return `a sort of ${sorted} rows`
  if (isScan(node) && rowsOf(node) > most) return `${type} of ${nameOf(node)} reads ${rowsOf(node)} rows`
  return null
}

/** What the planner expects of a statement at which a server, as it comes, compiles it: that takes up to seconds. */
const COMPILED_ABOVE = 100_000

const costFault = (plan: Node): ReadonlyArray<string> =>
  plan["Total Cost"] >= COMPILED_ABOVE
    ? [`is expected to cost ${Math.round(plan["Total Cost"])}: a server would compile it first`]
    : []

/** What is wrong with a plan, for a window of at most so many rows. */
export const faultsOf = (plan: Node, most: number): ReadonlyArray<string> => [
  ...costFault(plan),
  ...nodesOf(plan).flatMap((node) =>
    [scanFault(node), sizeFault(node, most)].filter((fault) => fault !== null),
  ),
]
