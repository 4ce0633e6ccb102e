/**
 * What is known of an owner, as promises: facts that are stated, forgotten and read, and all that is kept.
 *
 * @since 0.1.0
 */
import { Effect, Option } from "effect"
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
import { OwnerData, type OwnerPage } from "../engine/OwnerData.ts"
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

const withData = <A>(use: (data: OwnerData["Service"]) => Effect.Effect<A, StoreError>) =>
  Effect.flatMap(ownerData, use)

/** Records of one page: few, since one may be as large as a row. */
const PAGE = 50

async function* linesOf(page: (from: string | null) => Promise<OwnerPage>): AsyncGenerator<string> {
  let from: string | null = null
  do {
    const { records, next } = await page(from)
    for (const record of records) yield JSON.stringify(record)
    from = next
  } while (from !== null)
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
    linesOf((from) => run(withData((data) => data.page({ tenant, owner }, from, PAGE)))),
  removeOwner: (whose) => run(withData((data) => data.remove(whose))),
})
