/**
 * What the cases of the contract of an index of long-term memory are written with.
 *
 * @since 0.1.0
 */
import { Effect } from "effect"
import {
  type IndexReport,
  MemoryIndex,
  type SearchRequest,
  type SearchResult,
} from "../../engine/MemoryIndex.ts"
import { ThreadEditor } from "../../engine/ThreadEditor.ts"
import { type NewMessage, ThreadStore } from "../../engine/ThreadStore.ts"
import type { ThreadKey } from "../../thread/Row.ts"
import type { StorePorts } from "../MemoryStore.ts"
import { message, type StoreCase } from "./Case.ts"

/** What a case works with: a tenant of its own, and the ports. */
export interface MemoryBench {
  readonly key: ThreadKey
  readonly store: ThreadStore["Service"]
  readonly editor: ThreadEditor["Service"]
  readonly index: MemoryIndex["Service"]
  /** Appends texts to a chat of the tenant, with the ids `m1`, `m2` and so on after those given. */
  readonly say: (
    chat: string,
    texts: ReadonlyArray<string>,
    options?: { readonly owner?: string; readonly from?: number; readonly at?: number },
  ) => Effect.Effect<void, unknown>
  /** Indexes until nothing is left, and adds up the reports. */
  readonly indexAll: (rows?: number) => Effect.Effect<IndexReport, unknown>
  readonly search: (query: string, options?: Partial<SearchRequest>) => Effect.Effect<SearchResult, unknown>
}

/** More runs than any case needs. */
const MOST_RUNS = 200

const runAll = (index: MemoryIndex["Service"], tenant: string, rows: number | undefined) =>
  Effect.gen(function* () {
    let sum: IndexReport = { rows: 0, documents: 0, vectors: 0, left: true, degraded: [] }
    for (let run = 0; sum.left; run++) {
      if (run === MOST_RUNS) return yield* Effect.fail(new Error("the index says for ever that more is left"))
      const report = yield* index.index(tenant, rows === undefined ? {} : { rows })
      sum = {
        rows: sum.rows + report.rows,
        documents: sum.documents + report.documents,
        vectors: sum.vectors + report.vectors,
        left: report.left,
        degraded: [...sum.degraded, ...report.degraded],
      }
    }
    return sum
  })

const numbered = (texts: ReadonlyArray<string>, from: number, at?: number): ReadonlyArray<NewMessage> =>
  texts.map((text, i) => ({
    ...message(`m${from + i}`, text),
    ...(at === undefined ? {} : { at: at + i }),
  }))

const benchFor = (
  key: ThreadKey,
  store: ThreadStore["Service"],
  editor: ThreadEditor["Service"],
  index: MemoryIndex["Service"],
): MemoryBench => ({
  key,
  store,
  editor,
  index,
  say: (chat, texts, { owner = "", from = 1, at } = {}) =>
    Effect.gen(function* () {
      yield* store.open({ ...key, chat }, "Be exact.", { owner })
      yield* store.append({ ...key, chat }, numbered(texts, from, at))
    }),
  indexAll: (rows) => runAll(index, key.tenant, rows),
  search: (query, options = {}) =>
    index.search({ tenant: key.tenant, owner: "", query, limit: 10, ...options }),
})

/**
 * The ports that the contract of an index works with.
 *
 * @category models
 * @since 0.1.0
 */
export type MemoryPorts = StorePorts | MemoryIndex

/** Makes a case in a tenant of its own. */
export const memoryCase = (
  name: string,
  body: (bench: MemoryBench) => Effect.Effect<void, unknown>,
  options: { readonly concurrent?: boolean } = {},
): StoreCase<MemoryPorts> => ({
  name,
  concurrent: options.concurrent ?? false,
  run: Effect.gen(function* () {
    const tenant = `memory ${Math.random().toString(36).slice(2)}`
    const [store, editor] = [yield* ThreadStore, yield* ThreadEditor]
    yield* body(benchFor({ tenant, chat: "c1" }, store, editor, yield* MemoryIndex))
  }),
})

/** What was found, as `chat/row` in order; each piece counts. */
export const places = ({ found }: SearchResult): ReadonlyArray<string> =>
  found.map(({ document: { chat, row } }) => `${chat}/${row}`)
