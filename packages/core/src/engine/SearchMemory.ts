/**
 * Long-term memory over an index of what was said, and the facts that hold.
 *
 * @since 0.1.0
 */
import { Effect, Layer, Option, Result } from "effect"
import { chooseMemories } from "../recall/Choose.ts"
import type { MemoryDocument } from "../recall/Document.ts"
import { takeEnd, takeStart } from "../text/Unicode.ts"
import { MemoryError, type StoreError } from "./Errors.ts"
import { type Fact, FactStore } from "./FactStore.ts"
import { LongTermMemory } from "./Memory.ts"
import { MemoryIndex } from "./MemoryIndex.ts"

/** Of a long message the start and the end are searched for, in UTF-16 units: there it says what it is about. */
const QUERY = 2000

/** Tokens that a memory takes at least, with where it comes from and when it was said. */
const LEAST_TOKENS = 12

/** Most documents that are asked for, whatever the allowance. */
const MOST = 60

const queryOf = (text: string): string =>
  text.length <= 2 * QUERY ? text : `${takeStart(text, QUERY)}\n${takeEnd(text, QUERY)}`

const toMemoryError = (error: StoreError): MemoryError =>
  new MemoryError({ reason: error.message, isRetryable: error.isRetryable })

interface KnownFacts {
  readonly facts: ReadonlyArray<Fact>
  readonly superseded: ReadonlyArray<Fact>
  readonly degraded: ReadonlyArray<string>
}

const NOTHING_KNOWN: KnownFacts = { facts: [], superseded: [], degraded: [] }

/** What is known beside what was said. A store of facts that fails costs the facts, not what was found. */
const factsOf = Effect.fnUntraced(function* (
  store: FactStore["Service"] | null,
  owner: { readonly tenant: string; readonly owner: string },
  found: ReadonlyArray<MemoryDocument>,
): Effect.fn.Return<KnownFacts> {
  if (store === null) return NOTHING_KNOWN
  const rows = found.map(({ chat, row }) => ({ chat, row }))
  const read = yield* Effect.result(Effect.all([store.current(owner), store.superseded(owner, rows)]))
  if (Result.isFailure(read)) return { ...NOTHING_KNOWN, degraded: [read.failure.message] }
  const [facts, superseded] = read.success
  return { facts, superseded, degraded: [] }
})

/**
 * Searches what was said in all chats of an owner, and adds the facts that hold: the memory of a step. Without a fact
 * store it is what was said alone.
 *
 * @category layers
 * @since 0.1.0
 */
export const searchMemory: Layer.Layer<LongTermMemory, never, MemoryIndex> = Layer.effect(
  LongTermMemory,
  Effect.gen(function* () {
    const index = yield* MemoryIndex
    const store = Option.getOrNull(yield* Effect.serviceOption(FactStore))
    const retrieve: LongTermMemory["Service"]["retrieve"] = Effect.fn("SearchMemory.retrieve")(function* ({
      key: { tenant, chat },
      owner,
      query,
      visible,
      tokens,
    }) {
      const limit = Math.min(MOST, Math.floor(tokens / LEAST_TOKENS))
      const text = queryOf(query)
      if (limit < 1 || text.trim() === "") return { memories: [] }
      const { found, scan, degraded } = yield* index.search({
        tenant,
        owner,
        query: text,
        limit,
        roles: ["user", "assistant"],
        except: { chat, rows: [...visible] },
      })
      const documents = found.map(({ document }) => document)
      const known = yield* factsOf(store, { tenant, owner }, documents)
      yield* Effect.annotateCurrentSpan({ "memory.found": documents.length, "memory.scan": scan })
      const { facts, superseded } = known
      return {
        memories: chooseMemories({ chat, query: text, visible, found: documents, facts, superseded }),
        degraded: [...degraded, ...known.degraded],
      }
    }, Effect.mapError(toMemoryError))
    return LongTermMemory.of({ retrieve })
  }),
)
