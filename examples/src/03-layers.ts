/**
 * Effect layers, chosen one by one: store, counter, summariser, durable facts. Here all of them are offline.
 * `npm run -s example -- 03-layers`
 */
import { factsLayer, offlineFacts, offlineSummariser } from "@palimpsest/adapter-llm"
import { layerMemory } from "@palimpsest/adapter-pg/pglite"
import { explain, textOf, user } from "@palimpsest/core"
import { Engine, FactStore, Tokens } from "@palimpsest/core/engine"
import { Effect, Layer } from "effect"
import { SYSTEM, story } from "./quickstart/Story.ts"

const key = { tenant: "acme", chat: "a morning" }

const program = Effect.gen(function* () {
  const engine = yield* Engine
  const step = yield* engine.open(key, { system: SYSTEM, budget: { window: 8_000 } })
  yield* step.append([{ message: user("My name is Ada, and I prefer short answers.") }])
  for (const message of story) {
    if (message.role === "assistant") {
      const prompt = yield* step.prompt
      for (const pass of prompt.passes) console.log(`${pass.kind}: ${pass.facts} facts were kept before it`)
      for (const decision of prompt.decisions.slice(0, -1)) console.log(explain(decision))
    }
    yield* step.append([{ message }])
  }
  yield* step.checkpoint
  const facts = yield* (yield* FactStore).list(key)
  for (const fact of facts) console.log("fact:", JSON.stringify(fact))
  const { slots } = yield* step.prompt
  const summary = slots.find((slot) => slot.part === "summary")
  console.log(summary === undefined ? "no summary" : textOf(summary.message.parts))
})

const stores = Layer.mergeAll(layerMemory, Tokens.layer)
const facts = factsLayer().pipe(Layer.provide(offlineFacts))
const plugged = Layer.mergeAll(facts, offlineSummariser()).pipe(Layer.provideMerge(stores))
await Effect.runPromise(Effect.provide(program, Engine.layer.pipe(Layer.provideMerge(plugged))))
