/**
 * One run of the indexer over spaces: the one of the embedder before, while it is searched, then the embedder's own; it goes live when it
 * is complete.
 *
 * @since 0.1.0
 */
import type { StoreError } from "@palimpsest/core/engine"
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { methodsOf } from "../Method.ts"
import { makeIndexVectors, type VectorsDone } from "./IndexVectors.ts"
import type { Embedders } from "./NearBy.ts"
import { dropNear, makeBuildNear } from "./NearIndex.ts"
import type { Settings } from "./Options.ts"
import { isOf, makeAddSpace, makeDropSpace, makeGoLive, makeSpaces, type Space } from "./Spaces.ts"

const together = (a: VectorsDone, b: VectorsDone): VectorsDone => ({
  vectors: a.vectors + b.vectors,
  left: a.left || b.left,
  degraded: [...a.degraded, ...b.degraded],
})

const NOTHING: VectorsDone = { vectors: 0, left: false, degraded: [] }

/**
 * Makes the run over the spaces of a tenant.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeFillSpaces = (
  sql: SqlClient,
  methods: ReturnType<typeof methodsOf>,
  { patience, indexFrom, retirePrevious }: Settings,
) => {
  const { plain, atomic } = methods
  const spacesOf = makeSpaces(sql)
  const addSpace = makeAddSpace(sql)
  const dropSpace = makeDropSpace(sql)
  const goLive = makeGoLive(sql)
  const buildNear = makeBuildNear(sql, indexFrom)
  const indexVectors = makeIndexVectors(sql, methods, patience)
  const keyOf = (tenant: string) => ({ tenant, chat: "" })
  const read = (tenant: string) => plain("index: spaces", keyOf(tenant), spacesOf(tenant))
  const ensure = Effect.fnUntraced(function* (tenant: string, { embedder }: Embedders) {
    const before = yield* read(tenant)
    if (before.some(isOf(embedder))) return before
    yield* atomic("index: add a space", keyOf(tenant), addSpace(tenant, embedder))
    return yield* read(tenant)
  })
  const retire = (tenant: string, spaces: ReadonlyArray<Space>) =>
    Effect.forEach(
      spaces,
      ({ space }) =>
        atomic("index: retire a space", keyOf(tenant), dropSpace(tenant, space)).pipe(
          Effect.andThen(plain("index: retire a space", keyOf(tenant), dropNear(sql, space))),
        ),
      { discard: true },
    )
  return Effect.fnUntraced(function* (
    tenant: string,
    both: Embedders,
    most: number,
  ): Effect.fn.Return<VectorsDone, StoreError> {
    const { embedder, previous } = both
    const spaces = yield* ensure(tenant, both)
    const own = spaces.find(isOf(embedder))
    if (own === undefined) return NOTHING
    const old = previous === null || own.isLive ? undefined : spaces.find(isOf(previous))
    const kept =
      previous === null || old === undefined
        ? NOTHING
        : yield* indexVectors(tenant, old.space, previous, most)
    const done = together(kept, yield* indexVectors(tenant, own.space, embedder, most))
    if (!own.isLive) yield* plain("index: go live", keyOf(tenant), goLive(tenant, own.space))
    const isLive = (yield* read(tenant)).some((space) => space.space === own.space && space.isLive)
    if (isLive && retirePrevious)
      yield* retire(
        tenant,
        spaces.filter((one) => one !== own),
      )
    const unbuilt = yield* plain("index: build", keyOf(tenant), buildNear(tenant, own))
    return unbuilt === null ? done : { ...done, degraded: [...done.degraded, unbuilt] }
  })
}
