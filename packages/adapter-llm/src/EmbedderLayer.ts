/**
 * What every embedder of this package does around its model: redact, cut, send in batches, and check what comes.
 *
 * @since 0.1.0
 */
import { failClosed } from "@palimpsest/core"
import { Embedder, EmbedderError, Redactor } from "@palimpsest/core/engine"
import { Effect, Layer } from "effect"
import { batchesOf, cutText } from "./EmbedTexts.ts"
import { unitVector } from "./HashedVector.ts"
import { checkVectors } from "./VectorCheck.ts"

/**
 * What an embedder is called, and what its model takes.
 *
 * @category models
 * @since 0.1.0
 */
export interface EmbedderOptions {
  /** Name of the model. With the dimensions after it, it names the vectors: another name is a migration of the index. */
  readonly name: string
  /** Numbers in each vector. */
  readonly dimensions: number
  /** How much its order counts beside the order by words: 1 by default; less for what knows words alone. */
  readonly weight?: number
  /** Most texts in one request; 64 by default. */
  readonly batch?: number
  /** Most characters (UTF-16 units) of one text: a longer one is cut at its end; 8,000 by default. */
  readonly characters?: number
  /** Most characters of all texts in one request; 200,000 by default. */
  readonly requestCharacters?: number
  /** Milliseconds for one request; 60,000 by default. */
  readonly timeout?: number
  /** What the model wants to read before a document and before a query, such as `query: `; nothing by default. */
  readonly prefix?: { readonly document?: string; readonly query?: string }
}

/**
 * Why there are no vectors, without the name of the embedder.
 *
 * @category errors
 * @since 0.1.0
 */
export type EmbedFault = Pick<EmbedderError, "reason" | "isRetryable" | "detail">

/** What came of one request, to be checked, and the tokens that it took where that is known. */
export interface Embedded {
  readonly vectors: unknown
  readonly inputTokens?: number | undefined
}

/** Gives the vectors of one request. */
export type EmbedBatch = (
  texts: ReadonlyArray<string>,
  as: "document" | "query",
) => Effect.Effect<Embedded, EmbedFault>

const DEFECT: EmbedFault = { reason: "Defect", isRetryable: false, detail: "the embedder died" }

const once = Effect.fnUntraced(function* (
  options: EmbedderOptions,
  embed: EmbedBatch,
  texts: ReadonlyArray<string>,
  as: "document" | "query",
) {
  const limit = options.timeout ?? 60_000
  const made = yield* Effect.suspend(() => embed(texts, as)).pipe(
    Effect.timeoutOrElse({
      duration: limit,
      orElse: () =>
        Effect.fail<EmbedFault>({
          reason: "Timeout",
          isRetryable: true,
          detail: `no answer within ${limit} ms`,
        }),
    }),
  )
  const checked = checkVectors(made.vectors, texts.length, options.dimensions)
  return typeof checked === "string"
    ? yield* Effect.fail<EmbedFault>({ reason: "BadVectors", isRetryable: false, detail: checked })
    : { vectors: checked, inputTokens: made.inputTokens }
})

/** Each text as it is sent; a blank one is not, for servers refuse it. */
const prepared = (options: EmbedderOptions, texts: ReadonlyArray<string>, as: "document" | "query") => {
  const most = options.characters ?? 8_000
  const cut = texts.map((text) => cutText(text, most))
  return {
    texts: cut.map((text) => (text.trim() === "" ? null : `${options.prefix?.[as] ?? ""}${text}`)),
    cut: cut.filter((text, i) => text.length < (texts[i]?.length ?? 0)).length,
  }
}

const embedAll = (options: EmbedderOptions, embed: EmbedBatch) =>
  Effect.fnUntraced(function* (texts: ReadonlyArray<string>, as: "document" | "query") {
    const ready = prepared(options, texts, as)
    const sent = ready.texts.filter((text) => text !== null)
    const batches = batchesOf(sent, options.batch ?? 64, options.requestCharacters ?? 200_000)
    yield* Effect.annotateCurrentSpan({ "embedder.cut": ready.cut, "embedder.requests": batches.length })
    const made = yield* Effect.forEach(batches, (batch) => once(options, embed, batch, as))
    const tokens = made.flatMap(({ inputTokens }) => inputTokens ?? [])
    if (tokens.length > 0)
      yield* Effect.annotateCurrentSpan(
        "gen_ai.usage.input_tokens",
        tokens.reduce((sum, each) => sum + each, 0),
      )
    const vectors = made.flatMap((each) => each.vectors)[Symbol.iterator]()
    const nothing = Array.from({ length: options.dimensions }, () => 0)
    return ready.texts.map((text) =>
      unitVector((text === null ? undefined : vectors.next().value) ?? nothing),
    )
  })

const make = Effect.fnUntraced(function* (options: EmbedderOptions, embed: EmbedBatch) {
  const name = `${options.name}/${options.dimensions}`
  const given = yield* Redactor
  const all = embedAll(options, embed)
  return Embedder.of({
    name,
    dimensions: options.dimensions,
    weight: options.weight ?? 1,
    batch: options.batch ?? 64,
    embed: Effect.fn("Embedder.embed")(
      function* (texts: ReadonlyArray<string>, as: "document" | "query") {
        let failures = 0
        const redact = failClosed(given, () => {
          failures++
        })
        const clean = texts.map(redact)
        yield* Effect.annotateCurrentSpan({
          "embedder.name": name,
          "embedder.texts": texts.length,
          "embedder.as": as,
          "embedder.unredacted": failures,
        })
        return yield* all(clean, as)
      },
      Effect.catchDefect(() => Effect.fail(DEFECT)),
      Effect.tapError(({ reason }) => Effect.annotateCurrentSpan("embedder.failure", reason)),
      Effect.mapError((fault) => new EmbedderError({ embedder: name, ...fault })),
    ),
  })
})

/** Makes the layer of an embedder. Texts are redacted before they are cut, so that no half of a secret gets through. */
export const embedderLayer = (options: EmbedderOptions, embed: EmbedBatch): Layer.Layer<Embedder> =>
  Layer.effect(Embedder, make(options, embed))
