/**
 * A fact store that lives in memory, for tests and examples.
 *
 * @since 0.1.0
 */
import { Clock, Effect, Layer, Result } from "effect"
import type { StoreError } from "../engine/Errors.ts"
import { checkFacts, factLimit } from "../engine/FactFaults.ts"
import { FactStore, type OwnerKey } from "../engine/FactStore.ts"
import { checkKey } from "../engine/RowFaults.ts"
import type { ThreadKey } from "../thread/Row.ts"
import {
  addTo,
  currentIn,
  emptyShelf,
  forgetIn,
  historyIn,
  isStatedIn,
  listIn,
  type Shelf,
  supersededIn,
} from "./memory/Facts.ts"

/**
 * Where facts lie, and what was removed and takes none any more.
 *
 * @category models
 * @since 0.1.0
 */
export interface Shelves {
  readonly shelfOf: (tenant: string) => Shelf
  /** Refuses a chat that was removed, or whose tenant was. */
  readonly live: (operation: string, key: ThreadKey) => Result.Result<unknown, StoreError>
  /** Refuses an owner that was removed, or whose tenant was. */
  readonly liveOwner: (operation: string, tenant: string, owner: string) => Result.Result<unknown, StoreError>
}

/**
 * Makes a fact store over shelves.
 *
 * @category constructors
 * @since 0.1.0
 */
export const factsOver = ({ shelfOf, live, liveOwner }: Shelves): FactStore["Service"] => {
  const within = <A>(
    operation: string,
    { tenant, chat = "", owner = "" }: Partial<ThreadKey & OwnerKey> & { readonly tenant: string },
    run: (shelf: Shelf) => Result.Result<A, StoreError>,
  ) =>
    Effect.suspend(() =>
      Effect.fromResult(
        Result.flatMap(checkKey(operation, { tenant, chat }, [owner]), () => run(shelfOf(tenant))),
      ),
    )
  const read = <A>(
    operation: string,
    key: Parameters<typeof within>[1],
    run: (shelf: Shelf) => ReadonlyArray<A>,
    limit?: number,
  ) =>
    within(operation, key, (shelf) =>
      Result.succeed(limit === undefined ? run(shelf) : run(shelf).slice(0, limit)),
    )
  return FactStore.of({
    put: (key, facts) =>
      within("put facts", key, (shelf) =>
        Result.gen(function* () {
          const checked = yield* checkFacts("put facts", facts)
          yield* live("put facts", key)
          for (const { owner } of checked) yield* liveOwner("put facts", key.tenant, owner)
          const said = checked.map((fact) => ({ ...fact, chat: key.chat }))
          return addTo(shelf, said, false)
        }),
      ),
    list: (key) => read("list facts", key, (shelf) => listIn(shelf, key.chat)),
    current: (query) =>
      read("current facts", query, (shelf) => currentIn(shelf, query), factLimit(query.limit)),
    history: (query) =>
      read("history of facts", query, (shelf) => historyIn(shelf, query), factLimit(query.limit)),
    superseded: (owner, rows) => read("superseded facts", owner, (shelf) => supersededIn(shelf, owner, rows)),
    remember: (tenant, fact) =>
      within("remember", { tenant, owner: fact.owner }, (shelf) =>
        Result.gen(function* () {
          const [stated = fact] = yield* checkFacts("remember", [{ ...fact, chat: "" }])
          yield* liveOwner("remember", tenant, fact.owner)
          addTo(shelf, [stated], true)
          return isStatedIn(shelf, stated)
        }),
      ),
    forget: (request) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) =>
        within("forget", request, (shelf) =>
          Result.map(liveOwner("forget", request.tenant, request.owner), () => forgetIn(shelf, request, now)),
        ),
      ),
  })
}

const make = () => {
  const shelves = new Map<string, Shelf>()
  const always = () => Result.succeed(undefined)
  return factsOver({
    shelfOf: (tenant) => {
      const shelf = shelves.get(tenant) ?? emptyShelf()
      shelves.set(tenant, shelf)
      return shelf
    },
    live: always,
    liveOwner: always,
  })
}

/**
 * Keeps facts in this process, apart from any chats: what is removed there stays here. Nothing is shared between two
 * builds of the layer.
 *
 * @category layers
 * @since 0.1.0
 */
export const memoryFacts: Layer.Layer<FactStore> = Layer.sync(FactStore, make)
