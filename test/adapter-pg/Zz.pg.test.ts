import { clientUrl, layer } from "@palimpsest/adapter-pg"
import { ThreadStore } from "@palimpsest/core/engine"
import { Effect, Layer, ManagedRuntime } from "effect"
import { SqlClient } from "effect/sql"
import { it } from "vitest"
import { freshKey, messages } from "./suites/Damage.ts"
const url = "postgres://postgres@127.0.0.1:15432/postgres"
const bench = ManagedRuntime.make(Layer.provideMerge(layer, clientUrl({ url })))
it("kill", () => bench.runPromise(Effect.gen(function* () {
  const store = yield* ThreadStore
  const key = freshKey()
  const admin = (x: string) => Effect.runPromise(Effect.provide(Effect.flatMap(SqlClient.SqlClient, (s) => s.unsafe(x)), clientUrl({ url })))
  for (let i = 0; i < 20; i++) {
    const w = (n: number) => store.append(key, messages(1, n)).pipe(Effect.tapCause((c) => Effect.sync(() => console.log("CAUSE", c.reasons.map((r) => r._tag).join()))))
    yield* Effect.all([w(i + 1), w(i + 1), Effect.promise(() => admin("select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname='postgres'")), w(i + 1)], { concurrency: "unbounded" })
  }
})))
