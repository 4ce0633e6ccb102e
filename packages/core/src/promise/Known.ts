/**
 * What is known of an owner, as promises: facts that are stated, forgotten and read, and all that is kept.
 *
 * @since 0.1.0
 */
import { Effect, Option, Stream } from "effect"
import { StoreError } from "../engine/Errors.ts"
import { type Fact, FactStore } from "../engine/FactStore.ts"
import {
  currentFacts,
  type FactsOf,
  type Forgetting,
  factHistory,
  forget,
  remember,
} from "../engine/HostFacts.ts"
import { exportOwner, OwnerData } from "../engine/OwnerData.ts"
import type { Statement } from "../engine/StateFact.ts"

/**
 * Names whose memory is meant: that which the tenant shares when no owner is named.
 *
 * @category models
 * @since 0.1.0
 */
export interface Whose {
  readonly tenant: string
  readonly owner?: string
}

/**
 * What is known of an owner.
 *
 * @category models
 * @since 0.1.0
 */
export interface Known {
  /** Remembers what the host states. Secrets, blank and overlong texts are a `FactError`. */
  readonly remember: (statement: Statement) => Promise<Fact>
  /** Has facts forgotten, by ids or by what they are about, with all that they superseded; resolves to how many. */
  readonly forget: (request: Forgetting) => Promise<number>
  /** Lists the facts that hold, latest first. */
  readonly facts: (query: FactsOf) => Promise<ReadonlyArray<Fact>>
  /** Lists all facts, superseded ones too, latest first. */
  readonly history: (query: FactsOf) => Promise<ReadonlyArray<Fact>>
  /** Hands out all that is kept of an owner, as lines of JSON that name their kind. Nothing is redacted. */
  readonly exportOwner: (whose: Whose) => AsyncIterable<string>
  /** Deletes all that is kept of an owner, its chats too, and refuses whatever is written to any of it later. */
  readonly removeOwner: (whose: Required<Whose>) => Promise<void>
}

const lacking = (port: string) =>
  new StoreError({
    operation: port,
    reason: `no ${port} is provided: use a store whose layer brings one`,
    isRetryable: false,
  })

const factStore = Effect.flatMap(
  Effect.serviceOption(FactStore),
  Option.match({
    onNone: () => Effect.fail(lacking("FactStore")),
    onSome: (store) => Effect.succeed(store),
  }),
)

const ownerData = Effect.flatMap(
  Effect.serviceOption(OwnerData),
  Option.match({
    onNone: () => Effect.fail(lacking("OwnerData")),
    onSome: (data) => Effect.succeed(data),
  }),
)

const withFacts = <A, E>(use: Effect.Effect<A, E, FactStore>): Effect.Effect<A, E | StoreError> =>
  Effect.flatMap(factStore, (store) => Effect.provideService(use, FactStore, store))

/** The lines of a stream that is there once the store was asked for. */
async function* linesOf(stream: Promise<Stream.Stream<string, StoreError>>): AsyncGenerator<string> {
  yield* Stream.toAsyncIterable(await stream)
}

/**
 * Makes what is known of owners, over a way to run programs.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeKnown = (run: <A, E>(program: Effect.Effect<A, E>) => Promise<A>): Known => ({
  remember: (statement) => run(withFacts(remember(statement))),
  forget: (request) => run(withFacts(forget(request))),
  facts: (query) => run(withFacts(currentFacts(query))),
  history: (query) => run(withFacts(factHistory(query))),
  exportOwner: ({ tenant, owner = "" }) =>
    linesOf(
      run(
        Effect.map(ownerData, (data) =>
          Stream.provideService(exportOwner({ tenant, owner }), OwnerData, data),
        ),
      ),
    ),
  removeOwner: (whose) => run(Effect.flatMap(ownerData, (data) => data.remove(whose))),
})
