/** The fact store on each server, in a database of its own. */
import { clientUrl, layer } from "@palimpsest/adapter-pg"
import { Layer } from "effect"
import { factsSuite } from "./suites/Facts.ts"
import { flushesSuite } from "./suites/Flushes.ts"
import { plantedSuite } from "./suites/Planted.ts"
import { databaseOn, describeOn, servers } from "./suites/Servers.ts"

for (const server of servers) {
  describeOn(server, `on ${server.name}`, () => {
    const { bench } = databaseOn(server, (url) => Layer.provideMerge(layer, clientUrl({ url })))
    factsSuite(bench, 60)
    plantedSuite(bench)
    flushesSuite(bench)
  })
}
