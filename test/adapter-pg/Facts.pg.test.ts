/** The fact store on each server, in a database of its own. */
import { clientUrl, layer } from "@palimpsest/adapter-pg"
import { Layer, ManagedRuntime } from "effect"
import { afterAll, beforeAll } from "vitest"
import { factsSuite } from "./suites/Facts.ts"
import { plantedSuite } from "./suites/Planted.ts"
import { create, describeOn, drop, freshName, type Server, servers, urlOf } from "./suites/Servers.ts"

const suiteOn = (server: Server) => {
  const database = freshName()
  const bench = ManagedRuntime.make(Layer.provideMerge(layer, clientUrl({ url: urlOf(server, database) })))
  describeOn(server, `on ${server.name}`, () => {
    beforeAll(() => create(server, database))
    afterAll(async () => {
      await bench.dispose()
      await drop(server, database)
    })
    factsSuite(bench, 60)
    plantedSuite(bench)
  })
}

servers.forEach(suiteOn)
