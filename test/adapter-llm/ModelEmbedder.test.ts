import { modelEmbedder } from "@palimpsest/adapter-llm"
import { Effect, Layer } from "effect"
import { AiError, EmbeddingModel } from "effect/ai"
import { describe, expect, it } from "vitest"
import { embed } from "./EmbedKit.ts"

type Vectors = ReadonlyArray<ReadonlyArray<number>>

const model = (results: (inputs: ReadonlyArray<string>) => Effect.Effect<Vectors, AiError.AiError>) =>
  Layer.effect(
    EmbeddingModel.EmbeddingModel,
    EmbeddingModel.make({
      embedMany: ({ inputs }) =>
        Effect.map(results(inputs), (vectors) => ({
          results: vectors.map((vector) => [...vector]),
          usage: { inputTokens: 7 * inputs.length },
        })),
    }),
  )

const over = (results: Parameters<typeof model>[0], options: { retries?: number; batch?: number } = {}) =>
  modelEmbedder({ name: "tiny", dimensions: 2, ...options }).pipe(Layer.provide(model(results)))

const failing = (reason: AiError.AiErrorReason) =>
  Effect.fail(AiError.make({ module: "Test", method: "embedMany", reason }))

describe("modelEmbedder", () => {
  it.each<[string, Parameters<typeof model>[0], string]>([
    ["too few", () => Effect.succeed([]), "BadVectors"],
    ["other dimensions", () => Effect.succeed([[1]]), "BadVectors"],
    ["no finite number", () => Effect.succeed([[1, Number.NaN]]), "BadVectors"],
    ["zeros", () => Effect.succeed([[0, 0]]), "BadVectors"],
    ["a rate limit", () => failing(new AiError.RateLimitError({})), "RateLimited"],
    ["no quota", () => failing(new AiError.QuotaExhaustedError({})), "QuotaExhausted"],
    [
      "a key that is none",
      () => failing(new AiError.AuthenticationError({ kind: "InvalidKey" })),
      "Unauthorized",
    ],
    ["garbage", () => failing(new AiError.InvalidOutputError({ description: "hunter2" })), "Undecodable"],
    ["a death", () => Effect.die(new Error("hunter2")), "Defect"],
  ])("%s", async (_, results, reason) => {
    const { error } = await embed(over(results), ["one"])
    expect(error?.reason).toBe(reason)
    expect(error?.embedder).toBe("tiny/2")
    expect(JSON.stringify(error)).not.toContain("hunter2")
  })

  it("embeds in batches, and its span tells what that took", async () => {
    const sizes: Array<number> = []
    const layer = over(
      (inputs) =>
        Effect.sync(() => {
          sizes.push(inputs.length)
          return inputs.map(() => [1, 2])
        }),
      { batch: 2 },
    )
    const { vectors, attributes } = await embed(layer, ["a", "b", "", "c"])
    expect(vectors).toHaveLength(4)
    expect(sizes).toEqual([2, 1])
    expect(attributes).toMatchObject({
      "embedder.name": "tiny/2",
      "embedder.as": "document",
      "gen_ai.usage.input_tokens": 21,
    })
  })

  it("asks again as often as told, after what may pass", async () => {
    let asked = 0
    const flaky = () =>
      Effect.suspend(() =>
        ++asked === 1 ? failing(new AiError.RateLimitError({})) : Effect.succeed([[1, 2]]),
      )
    expect((await embed(over(flaky, { retries: 1 }), ["one"])).vectors).toHaveLength(1)
    expect(asked).toBe(2)
    const refusing = () =>
      Effect.suspend(() => {
        asked++
        return failing(new AiError.AuthenticationError({ kind: "InvalidKey" }))
      })
    await embed(over(refusing, { retries: 3 }), ["one"])
    expect(asked).toBe(3)
  })
})
