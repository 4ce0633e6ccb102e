/** One redactor that a host gives to promises, at each boundary: the summary, the facts, the index and the embedder. */
import { factsLayer, offlineFacts } from "@palimpsest/adapter-llm"
import { layer, memoryIndexLayer } from "@palimpsest/adapter-pg"
import { clientMemory } from "@palimpsest/adapter-pg/pglite"
import { assistant, user } from "@palimpsest/core"
import { Embedder, searchMemory } from "@palimpsest/core/engine"
import { makePalimpsest } from "@palimpsest/core/promise"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { assert, describe, it } from "vitest"

const SECRET = "aurora borealis"

/** Words on which the redactor fails. */
const REFUSED = "zodiacal light"

const KEY = { tenant: "acme", chat: "1" }

const filler = (i: number): string => Array.from({ length: 60 }, (_, n) => `word${i}x${n}`).join(" ")

/** A chat that tells the secret everywhere and is compacted, and what was kept of it elsewhere. */
const kept = async (redact: (text: string) => string) => {
  const embedded: Array<string> = []
  const embedder = Layer.succeed(
    Embedder,
    Embedder.of({
      name: "counting",
      dimensions: 2,
      weight: 1,
      batch: 8,
      embed: (texts) =>
        Effect.sync(() => {
          embedded.push(...texts)
          return texts.map(() => [1, 0])
        }),
    }),
  )
  const all = searchMemory.pipe(
    Layer.provideMerge(factsLayer()),
    Layer.provideMerge(memoryIndexLayer()),
    Layer.provideMerge(layer),
    Layer.provide([embedder, offlineFacts]),
    Layer.provideMerge(clientMemory),
  )
  // What the tables hold is read through a layer that is built once with them.
  let tables: ReadonlyArray<unknown> = []
  const looking = Layer.effectDiscard(
    Effect.addFinalizer(() =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        tables = yield* sql`
          select text as "text" from palimpsest_documents union all select payload from palimpsest_marks
          union all select concat(subject, attribute, value, quote) from palimpsest_facts
          union all select text from palimpsest_drafts`
      }).pipe(Effect.orDie),
    ),
  ).pipe(Layer.provideMerge(all))
  const palimpsest = makePalimpsest({
    store: looking,
    index: looking,
    memory: looking,
    facts: looking,
    redact,
  })
  const step = await palimpsest.open(KEY, {
    budget: { window: 3_000 },
    policy: { tailGroups: 1 },
    owner: "ada",
  })
  for (let i = 0; i < 12; i++)
    await step.append(
      user(`I live in ${SECRET} ${i}. Never forget ${SECRET}.`),
      assistant(`${SECRET}: ${filler(i)}`),
    )
  const { passes } = await step.prompt()
  await step.end()
  while ((await palimpsest.index("acme")).left);
  await palimpsest.close()
  return { passes, embedded, tables }
}

describe("a redactor of the host", () => {
  it("is asked before a text is summarised, remembered, indexed or embedded; where it fails, nothing of it is", async () => {
    const { passes, embedded, tables } = await kept((text) => {
      if (text.includes(REFUSED)) throw new Error("no")
      return text.replaceAll(SECRET, "[hidden]")
    })
    assert.isAbove(passes.length, 0)
    assert.isAbove(embedded.length, 20)
    assert.isAbove(tables.length, 20)
    assert.include(JSON.stringify(tables), "[hidden]")
    assert.notInclude(JSON.stringify([embedded, tables]), SECRET)
    assert.notInclude(JSON.stringify([embedded, tables]), REFUSED)
  })
})
