import { type EmbedderFunction, embedderFrom, offlineEmbedder } from "@palimpsest/adapter-llm"
import { isWellFormed, takeStart } from "@palimpsest/core"
import { Embedder } from "@palimpsest/core/engine"
import { Effect } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { embed } from "./EmbedKit.ts"

const from = (own: EmbedderFunction["embed"], options: Partial<EmbedderFunction> = {}) =>
  embedderFrom({ name: "mine", dimensions: 2, timeout: 30, embed: own, ...options })

const good: EmbedderFunction["embed"] = async (texts) => texts.map(() => [3, 4])

const hostile = new Proxy([], {
  get() {
    throw new Error("secret words")
  },
})

describe("a function of the host: whatever it does is a value", () => {
  it.each<[string, EmbedderFunction["embed"], string | undefined, string]>([
    ["answers", good, undefined, ""],
    ["answers with typed arrays", async (texts) => texts.map(() => Float32Array.of(3, 4)), undefined, ""],
    ["answers with nothing", (async () => undefined) as never, "BadVectors", "no list of vectors"],
    ["answers with too few", async () => [], "BadVectors", "0 vectors for 1 texts"],
    [
      "answers with too many",
      async () => [
        [1, 2],
        [1, 2],
      ],
      "BadVectors",
      "2 vectors for 1 texts",
    ],
    ["answers with other dimensions", async () => [[1, 2, 3]], "BadVectors", "declare `dimensions: 3`"],
    ["answers with NaN", async () => [[1, Number.NaN]], "BadVectors", "no finite number"],
    ["answers with infinity", async () => [[1, Number.POSITIVE_INFINITY]], "BadVectors", "no finite number"],
    ["answers with texts", (async () => [["1", "2"]]) as never, "BadVectors", "no finite number"],
    ["answers with holes", async () => [new Array(2)], "BadVectors", "no finite number"],
    ["answers with zeros", async () => [[0, 0]], "BadVectors", "no direction"],
    ["answers with what throws", (async () => [hostile]) as never, "Defect", ""],
    [
      "throws",
      () => {
        throw new RangeError("secret words")
      },
      "Failed",
      "RangeError",
    ],
    ["rejects with a text", () => Promise.reject("secret words"), "Failed", "string"],
    ["returns no promise", (() => 5) as never, "BadVectors", "no list of vectors"],
    ["never resolves", () => new Promise(() => {}), "Timeout", "30 ms"],
  ])("%s", async (_, own, reason, detail) => {
    const { vectors, error, attributes } = await embed(from(own), ["one"])
    expect(error?.reason).toBe(reason)
    if (reason === undefined) expect(vectors).toEqual([[Math.fround(0.6), Math.fround(0.8)]])
    else {
      expect(error?.embedder).toBe("mine/2")
      expect(error?.detail).toContain(detail)
      expect(error?.isRetryable).toBe(reason === "Timeout")
      expect(attributes["embedder.failure"]).toBe(reason)
    }
    expect(JSON.stringify(error)).not.toContain("secret words")
  })

  it("is aborted at the time-out", async () => {
    let aborted = false
    const hangs: EmbedderFunction["embed"] = (_, __, signal) => {
      signal.addEventListener("abort", () => {
        aborted = true
      })
      return new Promise(() => {})
    }
    await embed(from(hangs), ["one"])
    expect(aborted).toBe(true)
  })

  it("reads what its model wants to read before each text", async () => {
    const seen: Array<string> = []
    const own: EmbedderFunction["embed"] = async (texts, as) => {
      seen.push(as, ...texts)
      return texts.map(() => [1, 2])
    }
    const layer = from(own, { prefix: { query: "query: ", document: "passage: " } })
    await embed(layer, ["one"], undefined, "query")
    await embed(layer, ["two"])
    expect(seen).toEqual(["query", "query: one", "document", "passage: two"])
  })
})

describe("any embedder", () => {
  const texts = fc.array(
    fc.oneof(fc.string({ unit: "binary", maxLength: 40 }), fc.constantFrom("", " ", "\ud800", "👍👍👍👍")),
    {
      maxLength: 30,
    },
  )

  it("gives each text its vector, in order, over any batches; what is sent is well formed, short and not blank", async () => {
    await fc.assert(
      fc.asyncProperty(
        texts,
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 1, max: 30 }),
        async (list, batch, characters) => {
          const requests: Array<ReadonlyArray<string>> = []
          const own: EmbedderFunction["embed"] = async (given) => {
            requests.push(given)
            return given.map((text) => [1, text.length])
          }
          const layer = from(own, { batch, characters, requestCharacters: 40 })
          const { vectors, attributes } = await embed(layer, list, (text) => text)
          expect(vectors).toHaveLength(list.length)
          for (const request of requests) {
            expect(request.length).toBeLessThanOrEqual(batch)
            expect(request.length === 1 || request.join("").length <= 40).toBe(true)
            for (const text of request) {
              expect(text.length).toBeLessThanOrEqual(characters)
              expect(isWellFormed(text) && text.trim() !== "").toBe(true)
            }
          }
          const sent = requests.flat()[Symbol.iterator]()
          list.forEach((text, i) => {
            const [x = 0, y = 0] = vectors[i] ?? []
            expect(Math.abs(x * x + y * y - 1)).toBeLessThan(1e-6)
            const start = takeStart(text, characters).trim() === "" ? 0 : sent.next().value?.length
            expect(Math.round(y / x)).toBe(start)
          })
          expect(attributes["embedder.requests"]).toBe(requests.length)
          expect(attributes["embedder.texts"]).toBe(list.length)
        },
      ),
      { numRuns: 200 },
    )
  })

  it("cuts a long text, and its span tells", async () => {
    const seen: Array<string> = []
    const own: EmbedderFunction["embed"] = async (given) => {
      seen.push(...given)
      return given.map(() => [1, 2])
    }
    const { attributes } = await embed(from(own, { characters: 5 }), ["abcd👍ef", "short"])
    expect(seen).toEqual(["abcd", "short"])
    expect(attributes["embedder.cut"]).toBe(1)
  })

  it("TRUST-07: reads no secret, by the host's own rule, whatever the cut", async () => {
    const seen: Array<string> = []
    const own: EmbedderFunction["embed"] = async (given) => {
      seen.push(...given)
      return given.map(() => [1, 2])
    }
    for (let at = 0; at < 30; at++)
      await embed(from(own, { characters: 20 }), [`${"x".repeat(at)} MARKER`], (text) =>
        text.replaceAll("MARKER", "[-]"),
      )
    expect(seen.join()).not.toMatch(/M/)
    seen.length = 0
    await embed(from(own), ["my key is sk-test-4f9a8b7c6d5e4f3a"])
    expect(seen).toEqual(["my key is [redacted api-key]"])
  })

  it("TRUST-07: a redactor that throws or gives no text lets nothing out, and the span tells", async () => {
    for (const broken of [
      () => {
        throw new Error("no")
      },
      () => 7 as never,
    ]) {
      const seen: Array<string> = []
      const own: EmbedderFunction["embed"] = async (given) => {
        seen.push(...given)
        return given.map(() => [1, 2])
      }
      const { vectors, attributes } = await embed(from(own), ["hunter2"], broken)
      expect(vectors).toHaveLength(1)
      expect(seen.join()).not.toContain("hunter2")
      expect(attributes["embedder.unredacted"]).toBe(1)
    }
  })
})

describe("offlineEmbedder", () => {
  it("says by its name that it is lexical, and which vectors it makes", async () => {
    const name = (options?: { dimensions: number }) =>
      Effect.map(Embedder, (embedder) => [embedder.name, embedder.dimensions]).pipe(
        Effect.provide(offlineEmbedder(options)),
        Effect.runPromise,
      )
    expect(await name()).toEqual(["hashed-features-1/384", 384])
    expect(await name({ dimensions: 256 })).toEqual(["hashed-features-1/256", 256])
  })

  it("finds what is said in other forms of the same words", async () => {
    const { vectors } = await embed(offlineEmbedder(), [
      "Ми читали книгу про море",
      "читаю книги про моря",
      "The server is down",
    ])
    const dot = (a = 0, b = 0) =>
      (vectors[a] ?? []).reduce((sum, x, i) => sum + x * (vectors[b]?.[i] ?? 0), 0)
    expect(dot(0, 1)).toBeGreaterThan(dot(0, 2) + 0.05)
  })
})
