/** Two stores, one history: what is done to chats in memory and in Postgres is answered alike, step by step. */

import type { StorePorts } from "@palimpsest/adapter-pg"
import type { ThreadKey } from "@palimpsest/core"
import { memoryStore } from "@palimpsest/core/testing"
import { Effect, type ManagedRuntime, ManagedRuntime as Runtime } from "effect"
import fc from "fast-check"
import { assert, describe, it } from "vitest"
import { type Act, acts, perform, readRest, readThread } from "./Moves.ts"

type Store = ManagedRuntime.ManagedRuntime<StorePorts, unknown>

const CHATS = 5
let count = 0

/** An outcome that can be compared: of an error, what a caller may look at. */
const outcomeOf = <A, E>(store: Store, effect: Effect.Effect<A, E, StorePorts>): Promise<object> =>
  store.runPromise(
    Effect.match(effect, {
      onSuccess: (value): object => ({ value }),
      onFailure: (error): object => {
        const { _tag, row, reason, isRetryable } = error as Record<string, unknown>
        return { error: { _tag, row, reason, isRetryable } }
      },
    }),
  )

/** Asks both, and fails when they answer otherwise. */
const compare = async <A, E>(
  stores: readonly [Store, Store],
  what: string,
  effect: Effect.Effect<A, E, StorePorts>,
) => {
  const [actual, expected] = [await outcomeOf(stores[0], effect), await outcomeOf(stores[1], effect)]
  assert.deepStrictEqual(actual, expected, what)
}

/** Plays a history on both: each answer, each thread after each step, and all the rest of one chat in turn. */
const playBoth = async (store: Store, history: ReadonlyArray<Act>) => {
  const both = [store, Runtime.make(memoryStore)] as const
  const run = `${++count} of ${process.pid} ${Date.now()}`
  const chatName = (chat: number) => `chat ${chat}`
  const keyOf = (tenant: number, chat: number): ThreadKey => ({
    tenant: `twin ${tenant}, ${run}`,
    chat: chatName(chat),
  })
  for (const [i, act] of history.entries()) {
    const step = `step ${i + 1}: ${JSON.stringify(act)}`
    await compare(both, step, perform(keyOf(act.tenant, act.chat), chatName, act))
    for (let chat = 0; chat < CHATS; chat++) {
      await compare(both, `chat ${chat} after ${step}`, readThread(keyOf(act.tenant, chat)))
    }
    const next = keyOf(act.tenant, i % 2 === 0 ? act.chat : i % CHATS)
    await compare(both, `${next.chat} after ${step}`, readRest(next, i % 12))
  }
  for (let chat = 0; chat < CHATS; chat++)
    await compare(both, `chat ${chat} at the end`, readRest(keyOf(0, chat), 3))
}

export const twinSuite = (store: Store, runs: number) =>
  describe("twins", () => {
    it(`the same as in memory, after each step of ${runs} histories`, () =>
      fc.assert(
        fc.asyncProperty(acts, (history) => playBoth(store, history)),
        { seed: 20_261_202, numRuns: runs, endOnFailure: true },
      ))
  })
