/**
 * What the cases of fact stores are written with.
 *
 * @since 0.1.0
 */
import { Effect } from "effect"
import { type Fact, FactStore } from "../../engine/FactStore.ts"
import type { ThreadKey } from "../../thread/Row.ts"
import { freshKey, type StoreCase } from "./Case.ts"

type Store = FactStore["Service"]

/** Makes a case in a tenant of its own. */
export const factCase = (
  name: string,
  body: (store: Store, key: ThreadKey) => Effect.Effect<void, unknown>,
  options: { readonly concurrent?: boolean } = {},
): StoreCase<FactStore> => ({
  name,
  concurrent: options.concurrent ?? false,
  run: Effect.flatMap(FactStore, (store) => Effect.suspend(() => body(store, freshKey(name)))),
})

/** A fact of the chat of a key: the e-mail address of Ada, said at the time 1. */
export const fact = (key: ThreadKey, id: string, fields: Partial<Fact> = {}): Fact => ({
  id,
  owner: "ada",
  chat: key.chat,
  subject: "user",
  attribute: "email",
  value: `${id}@example.com`,
  quote: `my address is ${id}@example.com`,
  row: `row of ${id}`,
  position: 1,
  at: 1,
  ...fields,
})

/** A fact that a host states, in no chat. */
export const stated = (key: ThreadKey, id: string, fields: Partial<Fact> = {}): Fact =>
  fact(key, id, { chat: "", quote: "", row: "", position: 0, ...fields })

/** Ids of facts, in order. */
export const factIds = (facts: ReadonlyArray<Fact>): ReadonlyArray<string> => facts.map(({ id }) => id)

/** The memory of Ada. */
export const adaOf = ({ tenant }: ThreadKey) => ({ tenant, owner: "ada" })

/** Later than any clock: what is said then was not forgotten before. */
export const LATER = 9_000_000_000_000
