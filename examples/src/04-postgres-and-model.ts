/**
 * Real Postgres and a real model for the summaries, from the environment. `npm run -s example -- 04-postgres-and-model`
 *
 * DATABASE_URL, PALIMPSEST_LLM_URL (such as http://localhost:11434/v1), PALIMPSEST_LLM_MODEL, and PALIMPSEST_LLM_KEY
 * when the server wants one.
 */
import { modelSummariser, openAiChatConfig } from "@palimpsest/adapter-llm"
import { layerUrl } from "@palimpsest/adapter-pg"
import { explain } from "@palimpsest/core"
import { Engine, Tokens } from "@palimpsest/core/engine"
import { Effect, Layer } from "effect"
import { FetchHttpClient } from "effect/http"
import { SYSTEM, story } from "./quickstart/Story.ts"

const { DATABASE_URL: url, PALIMPSEST_LLM_URL: server, PALIMPSEST_LLM_MODEL: model } = process.env
const missing = Object.entries({ DATABASE_URL: url, PALIMPSEST_LLM_URL: server, PALIMPSEST_LLM_MODEL: model })
  .filter(([, value]) => value === undefined)
  .map(([name]) => name)

const program = Effect.gen(function* () {
  const engine = yield* Engine
  const key = { tenant: "acme", chat: `a morning, ${new Date().toISOString()}` }
  for (const message of story) {
    const step = yield* engine.open(key, { system: SYSTEM, budget: { window: 8_000 } })
    if (message.role === "assistant") {
      const prompt = yield* step.prompt
      for (const decision of prompt.decisions.slice(0, -1)) console.log(explain(decision))
      for (const { stage, reason, instead } of prompt.degraded) console.log(`${stage}: ${reason}; ${instead}`)
    }
    yield* step.append([{ message }])
    yield* step.checkpoint
  }
})

if (url === undefined || model === undefined || missing.length > 0) {
  console.error(`Set ${missing.join(", ")} first: this example needs a Postgres and a model server.`)
  process.exitCode = 2
} else {
  const summariser = modelSummariser({ name: model, window: 16_000 }).pipe(
    Layer.provide(openAiChatConfig()),
    Layer.provide(FetchHttpClient.layer),
  )
  const layer = Engine.layer.pipe(Layer.provide([layerUrl({ url }), Tokens.layer, summariser]))
  await Effect.runPromise(Effect.provide(program, layer))
}
