/**
 * One run of the indexer over vectors: documents are taken, embedded without any lock, and their vectors kept.
 *
 * @since 0.1.0
 */
import type { Embedder, EmbedderError } from "@palimpsest/core/engine"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import type { SqlClient } from "effect/sql/SqlClient"
import type { methodsOf } from "../Method.ts"
import { type Claimed, type Embedded, makeClaims, makeHasWork } from "./Claims.ts"
import { embedTexts } from "./Embed.ts"

type Service = Embedder["Service"]

/**
 * What was done to vectors.
 *
 * @category models
 * @since 0.1.0
 */
export interface VectorsDone {
  readonly vectors: number
  /** Whether work is left that can go well now. */
  readonly left: boolean
  readonly degraded: ReadonlyArray<string>
}

/** What became of a batch: its vectors, and what got none. */
interface Outcome {
  readonly embedded: ReadonlyArray<Embedded>
  readonly refused: ReadonlyArray<Claimed>
  readonly failures: ReadonlyArray<EmbedderError>
}

const pair = (
  batch: ReadonlyArray<Claimed>,
  vectors: ReadonlyArray<string | null>,
): ReadonlyArray<Embedded> => batch.map((one, i) => ({ ...one, embedding: vectors[i] ?? null }))

const embedBatch = (embedder: Service, batch: ReadonlyArray<Claimed>) =>
  Effect.map(
    embedTexts(
      embedder,
      batch.map(({ text }) => text),
      "document",
    ),
    (vectors) => pair(batch, vectors),
  )

/** A batch that is refused may have one text that is: each is tried by itself, so that it does not stop the others. */
const embedEach = (embedder: Service, batch: ReadonlyArray<Claimed>): Effect.Effect<Outcome, EmbedderError> =>
  Effect.map(
    Effect.partition(batch, (one) =>
      embedBatch(embedder, [one]).pipe(Effect.mapError((error) => ({ one, error }))),
    ),
    ([done, failed]) => ({
      embedded: done.flat(),
      refused: failed.map(({ one }) => one),
      failures: failed.map(({ error }) => error),
    }),
  )

const mayBeOne = ({ reason }: EmbedderError): boolean => reason !== "BadVectors" && reason !== "Defect"

const embedAll = (embedder: Service, batch: ReadonlyArray<Claimed>): Effect.Effect<Outcome, EmbedderError> =>
  embedBatch(embedder, batch).pipe(
    Effect.map((embedded): Outcome => ({ embedded, refused: [], failures: [] })),
    Effect.catch((error) =>
      error.isRetryable || batch.length === 1 || !mayBeOne(error)
        ? Effect.fail(error)
        : embedEach(embedder, batch),
    ),
  )

const tell = (error: EmbedderError, many: number): string =>
  `${many} documents got no vector: ${error.message}. They are found by words alone, and tried again by a later run`

/**
 * Makes the run over the vectors of a space. Interrupted, it gives back what it took; killed, that is free again after
 * a while.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeIndexVectors = (
  sql: SqlClient,
  { plain, atomic }: ReturnType<typeof methodsOf>,
  patience: number,
) => {
  const { take, keep, giveBack } = makeClaims(sql)
  const hasWork = makeHasWork(sql)
  return Effect.fnUntraced(function* (tenant: string, space: number, embedder: Service, most: number) {
    const key = { tenant, chat: "" }
    const degraded: Array<string> = []
    let vectors = 0
    const run = (claim: string, batch: ReadonlyArray<Claimed>) => {
      const release = (some: ReadonlyArray<Claimed>, isAtFault: boolean) =>
        plain("index: give back", key, giveBack(tenant, space, claim, some, isAtFault))
      return embedAll(embedder, batch).pipe(
        Effect.tapError((error) => release(batch, !error.isRetryable)),
        Effect.onInterrupt(() => Effect.ignore(release(batch, false))),
        Effect.flatMap(({ embedded, refused, failures: [failure] }) =>
          Effect.gen(function* () {
            if (failure !== undefined) degraded.push(tell(failure, refused.length))
            if (refused.length > 0) yield* release(refused, true)
            vectors += yield* plain("index: keep vectors", key, keep(tenant, space, claim, embedded))
            return true
          }),
        ),
        Effect.catchTag("EmbedderError", (error) =>
          Effect.sync(() => {
            degraded.push(tell(error, batch.length))
            return false
          }),
        ),
      )
    }
    for (let taken = 0; taken < most; ) {
      const claim = `${yield* Random.nextInt}/${yield* Random.nextInt}`
      const size = Math.max(1, Math.min(embedder.batch, most - taken))
      const batch = yield* atomic(
        "index: take documents",
        key,
        take({ tenant, space, claim, most: size, patience }),
      )
      taken += size
      if (batch.length === 0) break
      if (!(yield* run(claim, batch))) return { vectors, left: false, degraded }
    }
    const left = yield* plain("index: ask for work", key, hasWork(tenant, space))
    return { vectors, left, degraded } satisfies VectorsDone
  })
}
