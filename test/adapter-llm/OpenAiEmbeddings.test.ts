import { type OpenAiEmbedderOptions, openAiEmbedder, openAiEmbeddings } from "@palimpsest/adapter-llm"
import { Embedder } from "@palimpsest/core/engine"
import { Effect, Layer, Redacted, Result } from "effect"
import { EmbeddingModel } from "effect/ai"
import { FetchHttpClient } from "effect/http"
import { describe, expect, it } from "vitest"
import { KEY } from "./Fixtures.ts"
import { cutBody, garbage, hang, json, providers, type Reply, reset, status } from "./Provider.ts"

const start = providers()

const layerOf = (url: string, options: Partial<OpenAiEmbedderOptions> = {}) =>
  openAiEmbedder({
    url,
    key: Redacted.make(KEY),
    model: "tiny",
    dimensions: 2,
    timeout: 5_000,
    retries: 2,
    backoff: 1,
    ...options,
  }).pipe(Layer.provide(FetchHttpClient.layer))

const embed = async (layer: Layer.Layer<Embedder>, texts: ReadonlyArray<string>) => {
  const result = await Effect.flatMap(Embedder, (embedder) => embedder.embed(texts, "document")).pipe(
    Effect.result,
    Effect.provide(layer),
    Effect.runPromise,
  )
  return Result.isSuccess(result)
    ? { vectors: result.success.map((vector) => vector.map((x) => Math.round(x * 1e4) / 1e4)), error: null }
    : { vectors: [], error: result.failure }
}

type Datum = readonly [index: number | undefined, embedding: unknown]
const data = (...all: ReadonlyArray<Datum>): Reply =>
  json(200, {
    object: "list",
    model: "tiny",
    data: all.map(([index, embedding]) => ({ object: "embedding", index, embedding })),
    usage: { prompt_tokens: 8, total_tokens: 8 },
  })
const base64 = (...numbers: ReadonlyArray<number>) =>
  Buffer.from(Float32Array.from(numbers).buffer).toString("base64")

describe("one reply of the server", () => {
  it.each<[string, Reply, string | undefined]>([
    ["vectors in order", data([0, [1, 0]], [1, [0, 1]]), undefined],
    ["vectors in another order", data([1, [0, 1]], [0, [1, 0]]), undefined],
    ["vectors without an index", data([undefined, [1, 0]], [undefined, [0, 1]]), undefined],
    ["vectors in base64", data([0, base64(1, 0)], [1, base64(0, 1)]), undefined],
    ["too few", data([0, [1, 0]]), "Undecodable"],
    ["the same index twice", data([0, [1, 0]], [0, [0, 1]]), "Undecodable"],
    ["an index that is none", data([0, [1, 0]], [7, [0, 1]]), "Undecodable"],
    ["an index of minus one", data([0, [1, 0]], [-1, [0, 1]]), "Undecodable"],
    ["a null in a vector", data([0, [1, 0]], [1, [0, null]]), "Undecodable"],
    ["base64 of half a number", data([0, [1, 0]], [1, "AAA="]), "Undecodable"],
    ["base64 that is none", data([0, [1, 0]], [1, "%%%%"]), "Undecodable"],
    ["base64 of a NaN", data([0, [1, 0]], [1, base64(Number.NaN, 1)]), "Undecodable"],
    ["other dimensions", data([0, [1, 0, 0]], [1, [0, 1, 0]]), "BadVectors"],
    ["zeros", data([0, [1, 0]], [1, [0, 0]]), "BadVectors"],
    ["a page instead of JSON", garbage, "Undecodable"],
    ["a hang", hang, "Timeout"],
    ["a reset connection", reset, "Unreachable"],
    ["a body that is cut", cutBody, "Unreachable"],
    ["400", status(400), "Invalid"],
    [
      "400, too long",
      status(400, {}, { message: `maximum context length is 8192 tokens: ${KEY}` }),
      "TooLong",
    ],
    ["401", status(401, {}, { message: `Incorrect API key provided: ${KEY}` }), "Unauthorized"],
    ["404", status(404), "Invalid"],
    ["429", status(429), "RateLimited"],
    ["429, no quota", status(429, {}, { code: "insufficient_quota" }), "QuotaExhausted"],
    ["503", status(503), "Unavailable"],
  ])("%s", async (_, reply, reason) => {
    const server = await start(reply)
    const layer = layerOf(server.url, { retries: 0, timeout: reply === hang ? 100 : 5_000 })
    const { vectors, error } = await embed(layer, ["one", "two"])
    expect(error?.reason).toBe(reason)
    if (reason === undefined)
      expect(vectors).toEqual([
        [1, 0],
        [0, 1],
      ])
    else expect(error?.embedder).toBe("tiny/2")
    expect(`${error?.message} ${JSON.stringify(error)}`).not.toContain(KEY)
    expect(server.seen).toHaveLength(1)
  })

  it("a key that cannot be a header is Unauthorized, and not sent", async () => {
    const server = await start(data([0, [1, 0]]))
    const { error } = await embed(layerOf(server.url, { key: Redacted.make(`${KEY}\n`) }), ["one"])
    expect(error?.reason).toBe("Unauthorized")
    expect(JSON.stringify(error)).not.toContain(KEY)
    expect(server.seen).toHaveLength(0)
  })
})

describe("requests", () => {
  it("hold the texts, and no more than is asked for", async () => {
    const server = await start(data([0, [1, 0]]))
    await embed(layerOf(server.url), ["one"])
    expect(server.seen[0]?.path).toBe("/v1/embeddings")
    expect(server.seen[0]?.headers.authorization).toBe(`Bearer ${KEY}`)
    expect(server.seen[0]?.body).toEqual({ model: "tiny", input: ["one"] })
    await embed(layerOf(server.url, { askDimensions: true, encoding: "base64", extra: { user: "7" } }), [
      "one",
    ])
    expect(server.seen[1]?.body).toEqual({
      model: "tiny",
      input: ["one"],
      dimensions: 2,
      encoding_format: "base64",
      user: "7",
    })
  })

  it("hold no blank text: it gets a vector without a request", async () => {
    const server = await start(data([0, [0, 1]]))
    expect(await embed(layerOf(server.url), ["", "one", " "])).toMatchObject({
      vectors: [
        [1, 0],
        [0, 1],
        [1, 0],
      ],
    })
    expect(server.seen.map(({ body }) => body.input)).toEqual([["one"]])
  })

  it("are parted by texts and by characters", async () => {
    const echo: Reply = (response) => void response
    const server = await start(data([0, [1, 0]], [1, [0, 1]]), data([0, [3, 4]]), echo)
    const { vectors } = await embed(layerOf(server.url, { requestCharacters: 9 }), ["abcd", "efgh", "ijkl"])
    expect(vectors).toEqual([
      [1, 0],
      [0, 1],
      [0.6, 0.8],
    ])
    expect(server.seen.map(({ body }) => body.input)).toEqual([["abcd", "efgh"], ["ijkl"]])
  })

  it("of the bare model hold at most 2,048 texts, and none that is empty", async () => {
    const many = (count: number) => data(...Array.from({ length: count }, (_, i): Datum => [i, [1, i]]))
    const server = await start(many(2_048), many(2))
    const ask = (texts: ReadonlyArray<string>) =>
      Effect.flatMap(EmbeddingModel.EmbeddingModel, (model) => model.embedMany(texts)).pipe(
        Effect.result,
        Effect.provide(openAiEmbeddings({ url: server.url, model: "tiny" })),
        Effect.provide(FetchHttpClient.layer),
        Effect.runPromise,
      )
    const result = await ask(Array.from({ length: 2_050 }, (_, i) => `text ${i}`))
    expect(
      Result.isSuccess(result) && result.success.embeddings.map(({ vector }) => vector[1]).slice(2_046),
    ).toEqual([2_046, 2_047, 0, 1])
    expect(Result.isSuccess(result) && result.success.usage.inputTokens).toBe(16)
    const empty = await ask(["one", ""])
    expect(Result.isFailure(empty) && empty.failure.reason._tag).toBe("InvalidRequestError")
    expect(server.seen).toHaveLength(2)
  })

  it.each<[string, ReadonlyArray<Reply>, number]>([
    ["503, then well", [status(503), data([0, [1, 0]])], 2],
    ["429 with a wait, then well", [status(429, { "retry-after-ms": "120" }), data([0, [1, 0]])], 2],
    ["reset, cut, then well", [reset, cutBody, data([0, [1, 0]])], 3],
  ])("are repeated: %s", async (_, replies, requests) => {
    const server = await start(...replies)
    expect((await embed(layerOf(server.url), ["one"])).vectors).toEqual([[1, 0]])
    expect(server.seen).toHaveLength(requests)
    const waited = (server.seen[1]?.at ?? 0) - (server.seen[0]?.at ?? 0)
    if (replies.length === 2 && requests === 2) expect(waited).toBeGreaterThanOrEqual(1)
  })

  it("wait as long as the server asks, and no longer than the deadline", async () => {
    const server = await start(status(429, { "retry-after-ms": "120" }), data([0, [1, 0]]))
    await embed(layerOf(server.url), ["one"])
    expect((server.seen[1]?.at ?? 0) - (server.seen[0]?.at ?? 0)).toBeGreaterThanOrEqual(115)
    const slow = await start(status(429, { "retry-after": "3600" }))
    expect((await embed(layerOf(slow.url), ["one"])).error?.reason).toBe("RateLimited")
    expect(slow.seen).toHaveLength(1)
  })
})
