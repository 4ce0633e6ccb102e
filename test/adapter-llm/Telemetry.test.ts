import { modelFacts, modelSummariser, offlineSummariser } from "@palimpsest/adapter-llm"
import { emptyDelta, user } from "@palimpsest/core"
import { Summariser } from "@palimpsest/core/engine"
import { Effect, Layer, Tracer } from "effect"
import { LanguageModel, Telemetry } from "effect/ai"
import { afterEach, describe, expect, it } from "vitest"
import { delta, KEY, messageRow, model, outcomeOf, requestOf, summariser, transcript } from "./Fixtures.ts"
import { answers, type Provider, provider, says } from "./Provider.ts"

let server: Provider
afterEach(() => server?.close())

/** Keeps each span that is begun. */
const recording = (spans: Array<Tracer.NativeSpan>) =>
  Layer.succeed(
    Tracer.Tracer,
    Tracer.make({
      span: (options) => {
        const span = new Tracer.NativeSpan(options)
        spans.push(span)
        return span
      },
    }),
  )

const traced = async (layer: Layer.Layer<Summariser>) => {
  const spans: Array<Tracer.NativeSpan> = []
  await Effect.flatMap(Summariser, ({ summarise }) => summarise(requestOf(transcript))).pipe(
    Effect.exit,
    Effect.provide(layer),
    Effect.provide(recording(spans)),
    Effect.runPromise,
  )
  return spans.map((span) => ({ name: span.name, attributes: Object.fromEntries(span.attributes), span }))
}

/** All that a span says, its end included. */
const textOfSpans = (spans: Awaited<ReturnType<typeof traced>>): string =>
  spans
    .map(({ name, attributes, span }) => {
      const events = span.events.map((event) =>
        JSON.stringify(event, (_, v) => (typeof v === "bigint" ? `${v}` : v)),
      )
      const status = span.status._tag === "Ended" ? JSON.stringify(span.status.exit) : ""
      return [name, JSON.stringify(attributes), ...events, status].join(" ")
    })
    .join("\n")

describe("spans of a summary", () => {
  it("hold the tokens used, and neither content nor key", async () => {
    server = await provider(answers(delta))
    const spans = await traced(summariser(server.url))
    expect(spans.find(({ name }) => name === "Summariser.summarise")?.attributes).toMatchObject({
      "summariser.name": "tiny",
      "summariser.rows": 2,
      "gen_ai.usage.input_tokens": 321,
      "gen_ai.usage.output_tokens": 45,
    })
    expect(spans.find(({ name }) => name === "LanguageModel.generateObject")?.attributes).toMatchObject({
      "gen_ai.request.model": "tiny",
      "gen_ai.response.model": "tiny-2026",
      "gen_ai.usage.input_tokens": 321,
    })
    for (const word of ["touch prod", "Audit", KEY]) {
      expect(JSON.stringify(spans.map(({ attributes }) => attributes))).not.toContain(word)
    }
  })

  it("name the failure", async () => {
    server = await provider(says("I would rather not", "length"))
    const spans = await traced(summariser(server.url))
    const outer = spans.find(({ name }) => name === "Summariser.summarise")
    expect(outer?.attributes).toMatchObject({
      "summariser.failure": "CutOff",
      "gen_ai.usage.output_tokens": 45,
    })
    expect(textOfSpans(spans.filter(({ name }) => name === "Summariser.summarise"))).not.toContain("rather")
  })

  it("leave the host's own span transformer at work", async () => {
    server = await provider(answers(delta))
    const seen: Array<number> = []
    const layer = summariser(server.url)
    await Effect.flatMap(Summariser, ({ summarise }) => summarise(requestOf(transcript))).pipe(
      Effect.provideService(Telemetry.CurrentSpanTransformer, ({ response }) => {
        seen.push(response.length)
      }),
      Effect.provide(layer),
      Effect.runPromise,
    )
    expect(seen).toEqual([2])
  })
})

describe("other language models", () => {
  it("a layer that dies is a value", async () => {
    const dying = Layer.effect(
      LanguageModel.LanguageModel,
      LanguageModel.make({
        generateText: () => Effect.die("boom"),
        streamText: () => {
          throw new Error("no")
        },
      }),
    )
    const outcome = await outcomeOf(modelSummariser({ name: "dying", window: 1 }).pipe(Layer.provide(dying)))
    expect(outcome).toMatchObject({ _tag: "SummariserError", reason: "Failed", isRetryable: false })
  })

  it("a facts layer builds over the same model", async () => {
    server = await provider(answers({ facts: [] }))
    await Effect.runPromise(
      Effect.scoped(Layer.build(modelFacts({ name: "x" }).pipe(Layer.provide(model(server.url))))),
    )
  })
})

describe("offlineSummariser", () => {
  it("reads the rows, without a network, always alike", async () => {
    const rows = [messageRow("m1", 1, user("Never touch prod. Please fix the login in src/auth.ts."))]
    const request = { ...requestOf("not read"), messages: rows, rows: ["m1"] }
    const first = await outcomeOf(offlineSummariser(), request)
    expect(first).not.toEqual(emptyDelta)
    expect(JSON.stringify(first)).toContain("prod")
    expect(await outcomeOf(offlineSummariser(), request)).toEqual(first)
  })
})
