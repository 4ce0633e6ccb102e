/**
 * Contract: a lease has one holder, until it is given back or its time is up. Blobs stand beside it: both are ports of
 * their own.
 *
 * @since 0.1.0
 */
import { Effect } from "effect"
import { BlobStore } from "../../engine/BlobStore.ts"
import type { StoreError } from "../../engine/Errors.ts"
import { Leases } from "../../engine/Leases.ts"
import { ThreadEditor } from "../../engine/ThreadEditor.ts"
import type { StorePorts } from "../MemoryStore.ts"
import { failsWith, holds, type StoreCase, same, storeCase } from "./Case.ts"

const LONG = 600_000
const all = { concurrency: "unbounded" } as const

const withLeases = (
  name: string,
  body: (
    leases: Leases["Service"],
    key: Parameters<Leases["Service"]["claim"]>[0],
  ) => Effect.Effect<void, unknown>,
  options: { readonly concurrent?: boolean } = {},
): StoreCase<StorePorts> => {
  const { run: _, ...rest } = storeCase(name, () => Effect.void, options)
  const key = () => ({ tenant: `contract ${Math.random().toString(36).slice(2)}`, chat: name })
  return { ...rest, run: Effect.flatMap(Leases, (leases) => Effect.suspend(() => body(leases, key()))) }
}

/** Leases and blobs. */
export const leaseCases: ReadonlyArray<StoreCase<StorePorts>> = [
  withLeases("a lease has one holder until it is given back", (leases, key) =>
    Effect.gen(function* () {
      const mine = { name: "pass", holder: "a" }
      yield* same("claimed", yield* leases.claim(key, mine, LONG), true)
      yield* same("prolonged", yield* leases.claim(key, mine, LONG), true)
      yield* same("another", yield* leases.claim(key, { ...mine, holder: "b" }, LONG), false)
      yield* same("another name", yield* leases.claim(key, { name: "other", holder: "b" }, LONG), true)
      yield* same(
        "another chat",
        yield* leases.claim({ ...key, chat: "x" }, { ...mine, holder: "b" }, LONG),
        true,
      )
      yield* leases.release(key, { ...mine, holder: "b" })
      yield* same("not given back by others", yield* leases.claim(key, { ...mine, holder: "b" }, LONG), false)
      yield* leases.release(key, mine)
      yield* leases.release(key, mine)
      yield* same("given back", yield* leases.claim(key, { ...mine, holder: "b" }, LONG), true)
    }),
  ),
  withLeases("a lease whose time is up is free", (leases, key) =>
    Effect.gen(function* () {
      yield* leases.claim(key, { name: "pass", holder: "dead" }, 20)
      yield* Effect.sleep(60)
      yield* same("claimed", yield* leases.claim(key, { name: "pass", holder: "b" }, LONG), true)
      yield* same("late", yield* leases.claim(key, { name: "pass", holder: "dead" }, LONG), false)
    }),
  ),
  withLeases(
    "of many that claim at once, one gets the lease",
    (leases, key) =>
      Effect.gen(function* () {
        const holders = Array.from({ length: 8 }, (_, i) => `${i}`)
        const got = yield* Effect.forEach(
          holders,
          (holder) => leases.claim(key, { name: "pass", holder }, LONG),
          all,
        )
        yield* same("holders", got.filter((one) => one).length, 1)
      }),
    { concurrent: true },
  ),
  {
    ...storeCase("a holder or a value without a fit name is refused, and nothing is kept", () => Effect.void),
    run: Effect.gen(function* () {
      const key = { tenant: `contract ${Math.random().toString(36).slice(2)}`, chat: "names" }
      const [blobs, leases] = [yield* BlobStore, yield* Leases]
      // Of no pattern: a name that can be compressed may be longer in an index.
      const long = Array.from({ length: 600 }, () => Math.random().toString(36).slice(2, 9)).join("")
      for (const id of [long, null as never, {} as never]) {
        const put = blobs.put(key, [
          { id: "a", text: "A" },
          { id, text: "B" },
        ])
        for (const bad of [put, blobs.get(key, [id]), leases.claim(key, { name: "n", holder: id }, LONG)]) {
          const error = yield* failsWith("StoreError", bad as Effect.Effect<unknown, StoreError>)
          yield* holds("named", error.reason.startsWith("name: its id is"))
        }
      }
      yield* same("kept", (yield* blobs.get(key, ["a"])).size, 0)
    }),
  },
  {
    ...storeCase("values are kept once, by chat, and read by forks", () => Effect.void),
    run: Effect.gen(function* () {
      const key = { tenant: `contract ${Math.random().toString(36).slice(2)}`, chat: "blobs" }
      const blobs = yield* BlobStore
      const editor = yield* ThreadEditor
      yield* blobs.put(key, [
        { id: "a", text: "A\u0000\ud83d" },
        { id: "b", text: "x".repeat(300_000) },
      ])
      yield* blobs.put(key, [{ id: "a", text: "another" }])
      const read = yield* blobs.get(key, ["a", "b", "nowhere"])
      yield* same("first", [...read.keys()].sort(), ["a", "b"])
      yield* same("kept", read.get("a"), "A\u0000\ud83d")
      yield* same("long", read.get("b")?.length, 300_000)
      yield* same("another chat", (yield* blobs.get({ ...key, chat: "x" }, ["a"])).size, 0)
      yield* same("none", (yield* blobs.get(key, [])).size, 0)
      const fork = yield* editor.fork(key, "fork")
      yield* same("fork", (yield* blobs.get(fork, ["a"])).get("a"), "A\u0000\ud83d")
      yield* editor.remove(key)
      yield* failsWith("StoreError", blobs.get(key, ["a"]))
      yield* failsWith("StoreError", blobs.put(key, [{ id: "c", text: "late" }]))
      yield* holds("fork", (yield* blobs.get(fork, ["b"])).get("b")?.length === 300_000)
    }),
  },
]
