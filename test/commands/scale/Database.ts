import { clientUrl, layer } from "@palimpsest/adapter-pg"
import { clientMemory } from "@palimpsest/adapter-pg/pglite"
import { Engine, Tokens } from "@palimpsest/core/engine"
import { Effect, Layer, ManagedRuntime } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/** The engine over a database of this run alone, and how to be rid of it. */
export const openDatabase = async (url: string | undefined) => {
  const admin = (text: string) =>
    url === undefined
      ? Promise.resolve()
      : Effect.runPromise(
          Effect.provide(
            Effect.flatMap(SqlClient, (sql) => sql.unsafe(text)),
            clientUrl({ url, maxConnections: 1 }),
          ),
        )
  const name = `palimpsest_scale_${process.pid}_${Date.now()}`
  await admin(`create database ${name} template template0 encoding 'UTF8' locale 'C'`)
  const client =
    url === undefined ? clientMemory : clientUrl({ url: url.replace(/\/[^/?]*(?=\?|$)/, `/${name}`) })
  const services = Engine.layer.pipe(
    Layer.provide(Tokens.layerEstimate),
    Layer.provideMerge(Layer.provideMerge(layer, client)),
  )
  const runtime = ManagedRuntime.make(services)
  const close = async () => {
    await runtime.dispose()
    await admin(`drop database if exists ${name} with (force)`)
  }
  return { runtime, close }
}
