/**
 * A fact store that lives in memory, for tests and examples.
 *
 * @since 0.1.0
 */
import { Effect, Layer, Ref } from "effect"
import { type Fact, FactStore } from "../engine/FactStore.ts"
import type { ThreadKey } from "../thread/Row.ts"

type Shelf = ReadonlyMap<string, Fact>

const shelfOf = (key: ThreadKey): string => JSON.stringify([key.tenant, key.chat])

const inOrder = (a: Fact, b: Fact): number =>
  a.position - b.position || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)

const putInto = (shelf: Shelf, facts: ReadonlyArray<Fact>): Shelf =>
  new Map([...facts.map((fact) => [fact.id, fact] as const).reverse(), ...shelf])

/**
 * Keeps facts in a map of this process. Nothing is shared between two builds of the layer.
 *
 * @category layers
 * @since 0.1.0
 */
export const memoryFacts: Layer.Layer<FactStore> = Layer.effect(
  FactStore,
  Effect.gen(function* () {
    const shelves = yield* Ref.make<ReadonlyMap<string, Shelf>>(new Map())
    return FactStore.of({
      put: (key, facts) =>
        Ref.modify(shelves, (all) => {
          const before = all.get(shelfOf(key)) ?? new Map<string, Fact>()
          const after = putInto(before, facts)
          return [after.size - before.size, new Map([...all, [shelfOf(key), after]])]
        }),
      list: (key) =>
        Effect.map(Ref.get(shelves), (all) => [...(all.get(shelfOf(key))?.values() ?? [])].sort(inOrder)),
    })
  }),
)
