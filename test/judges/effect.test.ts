/** What is written as a prompt of `effect/ai`, judged by that module: its schema, and a model that records. */
import { type Conversation, conversation, messagesIn } from "@palimpsest/core/formats"
import { type EffectPrompt, effectPrompt } from "@palimpsest/core/formats/effect-prompt"
import { arbitraryThread } from "@palimpsest/core/testing"
import { Effect, Result, Schema, Stream } from "effect"
import * as LanguageModel from "effect/ai/LanguageModel"
import * as Prompt from "effect/ai/Prompt"
import * as Tokenizer from "effect/ai/Tokenizer"
import fc from "fast-check"
import { assert, describe, expect, it } from "vitest"

const TRIAL = { numRuns: 150, seed: 20_261_202 }

const decode = Schema.decodeUnknownResult(Prompt.Prompt)
const encode = Schema.encodeSync(Prompt.Prompt)

const decoded = (request: EffectPrompt): Prompt.Prompt => {
  const result = decode(request)
  return Result.isSuccess(result) ? result.success : assert.fail(String(result.failure))
}

const read = (input: unknown): Conversation => {
  const reading = effectPrompt.decode(input)
  return reading.ok ? reading.conversation : assert.fail(`${reading.path}: ${reading.reason}`)
}

/** The prompt that reaches the provider when it is asked with another one. */
const received = (prompt: Prompt.RawInput): Promise<Prompt.Prompt | undefined> => {
  const seen: Array<Prompt.Prompt> = []
  const model = LanguageModel.make({
    generateText: (options) => {
      seen.push(options.prompt)
      return Effect.succeed([{ type: "text", text: "ok" }])
    },
    streamText: () => Stream.empty,
  })
  const ask = LanguageModel.generateText({ prompt })
  return Effect.runPromise(
    ask.pipe(
      Effect.provideServiceEffect(LanguageModel.LanguageModel, model),
      Effect.map(() => seen[0]),
    ),
  )
}

const text = fc.string({ unit: "grapheme", maxLength: 12 })

const options = fc.constantFrom(
  {},
  { anthropic: { cacheControl: { type: "ephemeral" } } },
  { anthropic: { info: { type: "thinking", signature: "c2ln" } } },
  { openai: { itemId: "rs_1", encryptedContent: "ZW5j" } },
)

const file = fc
  .constantFrom<string | Uint8Array | URL>(
    "aGVs",
    new Uint8Array([1, 2]),
    new URL("https://example.org/a.png"),
  )
  .chain((data) => options.map((own) => Prompt.filePart({ mediaType: "image/png", data, options: own })))

const said = fc.tuple(text, options).map(([one, own]) => Prompt.textPart({ text: one, options: own }))

const thought = fc.tuple(text, options).map(([one, own]) => Prompt.reasoningPart({ text: one, options: own }))

/** A response with its calls, and their results. */
const step = fc
  .record({
    before: fc.array(fc.oneof(said, thought), { maxLength: 2 }),
    results: fc.array(fc.tuple(fc.jsonValue(), fc.boolean()), { minLength: 1, maxLength: 3 }),
    byProvider: fc.boolean(),
  })
  .map(({ before, results, byProvider }) => (first: number): ReadonlyArray<Prompt.Message> => {
    const call = (i: number) => ({ id: `c${first + i}`, name: "find", providerExecuted: byProvider })
    const calls = results.map((_, i) => Prompt.toolCallPart({ ...call(i), params: { i } }))
    const answers = results.map(([result, isFailure], i) =>
      Prompt.toolResultPart({ ...call(i), result, isFailure }),
    )
    if (byProvider) return [Prompt.assistantMessage({ content: [...before, ...calls, ...answers] })]
    return [
      Prompt.assistantMessage({ content: [...before, ...calls] }),
      Prompt.toolMessage({ content: answers }),
    ]
  })

/** Prompts as a host of `effect/ai` keeps them: decoded, and valid for a provider. */
const prompts = fc
  .tuple(
    fc.option(text),
    fc.array(
      fc.tuple(
        fc.array(fc.oneof(said, file), { minLength: 1, maxLength: 3 }),
        fc.array(step, { maxLength: 2 }),
      ),
      { maxLength: 3 },
    ),
  )
  .map(([system, turns]) => {
    const messages: Array<Prompt.Message> = system === null ? [] : [Prompt.systemMessage({ content: system })]
    let first = 0
    for (const [content, steps] of turns) {
      messages.push(Prompt.userMessage({ content }))
      for (const one of steps) {
        messages.push(...one(first))
        first += 3
      }
    }
    return Prompt.fromMessages(messages)
  })

const forms = (prompt: Prompt.Prompt): ReadonlyArray<unknown> => [prompt, encode(prompt)]

describe("prompts of effect/ai", () => {
  it("are valid, encoded or decoded, and come back as the same prompt", () => {
    fc.assert(
      fc.property(prompts, (prompt) => {
        for (const form of forms(prompt)) {
          expect(effectPrompt.validate(form)).toEqual([])
          const { request, losses } = effectPrompt.encode(read(form))
          expect(losses).toEqual([])
          expect(decoded(request)).toEqual(prompt)
          expect(decoded(effectPrompt.repair(form).request)).toEqual(prompt)
        }
      }),
      TRIAL,
    )
  })

  it("come back through a store", () => {
    fc.assert(
      fc.property(prompts, (prompt) => {
        const stored: Conversation = JSON.parse(JSON.stringify(read(prompt)))
        expect(decoded(effectPrompt.encode(stored).request)).toEqual(prompt)
      }),
      TRIAL,
    )
  })

  it("need no other form than their messages where they hold no options", () => {
    const plain = Prompt.make([
      { role: "system", content: "Be brief." },
      {
        role: "user",
        content: [
          { type: "text", text: "Look" },
          { type: "file", mediaType: "image/png", data: new Uint8Array([1]) },
        ],
      },
      { role: "assistant", content: [{ type: "tool-call", id: "a", name: "find", params: { id: 7 } }] },
      {
        role: "tool",
        content: [{ type: "tool-result", id: "a", name: "find", isFailure: false, result: { found: 1 } }],
      },
      { role: "assistant", content: "Done" },
    ])
    const { items, systemRaw } = read(encode(plain))
    expect(items.filter(({ raw }) => raw !== undefined)).toEqual([])
    expect(systemRaw).toBeUndefined()
  })
})

describe("threads of any provider", () => {
  const written = fc
    .tuple(arbitraryThread(), text)
    .map(
      ([thread, system]) =>
        effectPrompt.repair(effectPrompt.encode(conversation(thread, { system })).request).request,
    )

  it("decode by the schema, and reach the provider unchanged", async () => {
    await fc.assert(
      fc.asyncProperty(written, async (request) => {
        const prompt = decoded(request)
        expect((await received(prompt))?.content).toEqual(prompt.content)
      }),
      { ...TRIAL, numRuns: 60 },
    )
  })

  it("say the same when they are read again", () => {
    fc.assert(
      fc.property(written, (request) => {
        expect(messagesIn(read(decoded(request)))).toEqual(messagesIn(read(request)))
      }),
      { ...TRIAL, numRuns: 60 },
    )
  })
})

describe("truncation", () => {
  const whole = Prompt.make([
    { role: "user", content: "Where is it?" },
    { role: "assistant", content: [{ type: "tool-call", id: "a", name: "find", params: {} }] },
    {
      role: "tool",
      content: [{ type: "tool-result", id: "a", name: "find", isFailure: false, result: "here" }],
    },
    { role: "assistant", content: "It is here." },
  ])
  const tokenizer = Tokenizer.make({ tokenize: ({ content }) => Effect.succeed(content.map((_, i) => i)) })

  it("EF6: a prompt that is whole is valid", () => {
    expect(effectPrompt.validate(whole)).toEqual([])
  })

  it("EF6: what the tokenizer truncates is not", () => {
    const truncated = Effect.runSync(tokenizer.truncate(whole, 2))
    expect(truncated.content.map(({ role }) => role)).toEqual(["tool", "assistant"])
    expect(effectPrompt.validate(truncated).map(({ rule }) => rule)).toEqual(["EF5"])
    expect(effectPrompt.validate(effectPrompt.repair(truncated).request)).toEqual([])
  })
})
