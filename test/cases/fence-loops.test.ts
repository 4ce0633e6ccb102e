import { factsLayer, offlineFacts } from "@palimpsest/adapter-llm"
import { MEMORY_NOTE, renderFence, renderRecall, toolResult, user } from "@palimpsest/core"
import { type Fact, FactStore, Facts, type FlushRequest, LongTermMemory } from "@palimpsest/core/engine"
import { makeMemoryState, memoryFacts, testCounter } from "@palimpsest/core/testing"
import { Effect, Layer } from "effect"
import { assert, describe, it } from "vitest"
import { calls, honest, inputs, KEY, open, run, sentTexts, summariserOf, talk } from "./Kit.ts"

const memoryOf = (...texts: ReadonlyArray<string>): Layer.Layer<LongTermMemory> =>
  Layer.succeed(LongTermMemory, {
    retrieve: () =>
      Effect.succeed({ memories: texts.map((text, i) => ({ id: `${i}`, text, origin: "chat 3" })) }),
  })

const recorded = (): { readonly flushes: Array<FlushRequest>; readonly layer: Layer.Layer<Facts> } => {
  const flushes: Array<FlushRequest> = []
  const flush = (request: FlushRequest) => Effect.sync(() => flushes.push(request))
  return { flushes, layer: Layer.succeed(Facts, { flush }) }
}

describe("what was recalled", () => {
  it("FENCE-06: an earlier block is no memory, and equal ones are one", () => {
    const earlier = renderFence("memory-context", MEMORY_NOTE, "- Likes tea. [chat 1]")
    const texts = ["Likes tea.", "Likes  tea.\n", earlier, `Note: ${earlier}`]
    const block = renderRecall(
      texts.map((text, i) => ({ id: `${i}`, text, origin: "chat 3" })),
      1_000,
      testCounter,
    )
    assert.deepStrictEqual(block?.sources, ["0"])
    assert.strictEqual(block?.text, renderFence("memory-context", MEMORY_NOTE, "- Likes tea. [chat 3]"))
  })

  it("FENCE-06: with nothing but an earlier block nothing is injected", () =>
    run(
      Effect.gen(function* () {
        const step = yield* open(4_000)
        yield* step.append(inputs([user("Hi")]))
        assert.deepStrictEqual(sentTexts(yield* step.prompt), ["Hi"])
      }),
      { memory: memoryOf(renderFence("memory-context", MEMORY_NOTE, "- x [y]")) },
    ))

  it("FENCE-07: turns with the same memory recalled flush and summarise what was said, and nothing of it", async () => {
    const facts = recorded()
    const model = summariserOf(honest)
    await run(
      Effect.gen(function* () {
        const step = yield* open(4_000)
        let blocks = 0
        let from = 1
        for (const pair of Array.from({ length: 20 }, (_, i) => talk(1, 150, `turn ${i}`))) {
          yield* step.append(inputs(pair.slice(0, 1), from))
          const prompt = yield* step.prompt
          blocks += sentTexts(prompt).filter((text) => text.includes("Prefers window seats")).length
          yield* step.append(inputs(pair.slice(1), from + 1))
          from += 2
        }
        assert.isAbove(blocks, 10)
      }),
      { memory: memoryOf("Prefers window seats"), facts: facts.layer, summariser: model.layer },
    )
    assert.isAtLeast(facts.flushes.length, 2)
    assert.notInclude(JSON.stringify(facts.flushes), "window seats")
    assert.isTrue(facts.flushes.every(({ rows }) => rows.every(({ kind }) => kind === "message")))
    const ids = facts.flushes.flatMap(({ rows }) => rows.map(({ id }) => id))
    assert.deepStrictEqual(ids, [...new Set(ids)])
    assert.notInclude(JSON.stringify(model.asked), "window seats")
    assert.notInclude(JSON.stringify(model.asked), "memory-context")
  })

  it.each([
    ["Forget my name.", []],
    ["My name is Eva.", ["Eva"]],
  ])(
    "FENCE-08: what a tool lists of deleted memories, or recalls of them, makes no fact again: %s",
    async (first, values) => {
      const state = makeMemoryState()
      const kept: Array<Fact> = []
      const shelf = Layer.mock(FactStore, {
        put: (_, facts) => Effect.sync(() => kept.push(...facts)),
        list: () => Effect.succeed(kept),
      })
      const facts = factsLayer().pipe(Layer.provide([offlineFacts, state.layer, shelf]))
      const listed = toolResult("c1", "My name is Ana.\nI live in Kyiv.")
      await run(
        Effect.gen(function* () {
          const step = yield* open(4_000)
          yield* step.append(inputs([user(first), calls("c1"), listed, ...talk(10, 150)]))
          yield* step.prompt
          const { passes } = yield* step.compact()
          assert.strictEqual(passes[0]?.mark.kind === "summary" && passes[0].mark.pass.rows > 3, true)
        }),
        { memory: memoryOf("My name is Ana."), facts, state },
      )
      assert.deepStrictEqual(
        kept.map(({ value }) => value),
        values,
      )
    },
  )

  it("FENCE-08: what was forgotten does not come back by a paste of what was recalled, or by a tool", async () => {
    const state = makeMemoryState()
    const store = Effect.runSync(Effect.provide(FactStore, memoryFacts))
    const facts = factsLayer().pipe(
      Layer.provide([offlineFacts, state.layer, Layer.succeed(FactStore, store)]),
    )
    const owner = { tenant: KEY.tenant, owner: "" }
    const block = renderFence("memory-context", MEMORY_NOTE, "My name is Ana.\nI live in Lyon.")
    await run(
      Effect.gen(function* () {
        const step = yield* open(4_000)
        yield* step.append(inputs([user("My name is Ana."), ...talk(5, 150)]))
        yield* step.compact()
        assert.lengthOf(yield* store.current(owner), 1)
        assert.strictEqual(yield* store.forget({ ...owner, attribute: "name" }), 1)
        const listed = toolResult("c1", "My name is Ana.")
        yield* step.append(inputs([user(`${block}\nForget it.`), calls("c1"), listed, ...talk(5, 150)], 20))
        assert.lengthOf((yield* step.compact()).passes, 1)
      }),
      { facts, state },
    )
    assert.deepStrictEqual(await Effect.runPromise(store.history(owner)), [])
  })
})
