/**
 * One thread, three providers in turn and back to the first: window, tokenizer, images, reasoning and ids follow the
 * target, and each request breaks none of its rules.
 */
import {
  countMessage,
  countSystem,
  type Message,
  messagesOf,
  type TokenCounter,
  toolResult,
  user,
} from "@palimpsest/core"
import { Engine, type StepPrompt, Tokens } from "@palimpsest/core/engine"
import {
  type Format,
  type Item,
  makeTarget,
  originalIds,
  requestFor,
  type Target,
} from "@palimpsest/core/formats"
import { anthropic } from "@palimpsest/core/formats/anthropic"
import { gemini } from "@palimpsest/core/formats/gemini"
import { openAiResponses } from "@palimpsest/core/formats/openai-responses"
import { loadO200k } from "@palimpsest/core/o200k"
import { memoryStore } from "@palimpsest/core/testing"
import { Effect, Layer } from "effect"
import { assert, beforeAll, describe, it } from "vitest"
import { png } from "./Pictures.ts"

const KEY = { tenant: "acme", chat: "one thread" }
const SYSTEM = "You mend programs. Be brief."

const claude = makeTarget({ format: "anthropic", model: "claude-fable-5-1", window: 60_000 })
const gpt = makeTarget({ format: "openai-responses", model: "gpt-5.1", window: 14_000 })
const google = makeTarget({ format: "gemini", model: "gemini-3-pro", window: 12_000, images: false })

/** A tokenizer of another name, which counts half as much again. */
const otherCounter = (counter: TokenCounter): TokenCounter => ({
  ...counter,
  name: "other",
  count: (text) => Math.ceil(1.5 * counter.count(text)),
})

interface Model {
  readonly target: Target
  readonly format: Format<unknown>
  readonly counter: (o200k: TokenCounter) => TokenCounter
  /** What the provider sends for a turn that calls a tool, and for the answer after it. */
  readonly call: (n: number) => unknown
  readonly answer: (n: number) => unknown
  readonly id: (n: number) => string
}

const onClaude: Model = {
  target: claude,
  format: anthropic,
  counter: (o200k) => o200k,
  id: (n) => `toolu_${n}`,
  call: (n) => [
    {
      role: "assistant",
      content: [
        { type: "thinking", thinking: `Claude thinks of ${n}.`, signature: `c2ln${n}` },
        { type: "tool_use", id: `toolu_${n}`, name: "read", input: { file: n } },
      ],
    },
  ],
  answer: (n) => [{ role: "assistant", content: [{ type: "text", text: `Answer ${n}.` }] }],
}

const onGpt: Model = {
  target: gpt,
  format: openAiResponses,
  counter: (o200k) => o200k,
  id: (n) => `call.${n}`,
  call: (n) => [
    { type: "reasoning", id: `rs_${n}`, summary: [], encrypted_content: `ZW5j${n}` },
    { type: "function_call", id: `fc_${n}`, call_id: `call.${n}`, name: "read", arguments: `{"file": ${n}}` },
  ],
  answer: (n) => [
    {
      type: "message",
      id: `msg_${n}`,
      role: "assistant",
      content: [{ type: "output_text", text: `Answer ${n}.` }],
    },
  ],
}

const onGoogle: Model = {
  target: google,
  format: gemini,
  counter: otherCounter,
  id: (n) => `google:${n}`,
  call: (n) => [
    {
      role: "model",
      parts: [
        {
          functionCall: { id: `google:${n}`, name: "read", args: { file: n } },
          thoughtSignature: `Z29v${n}`,
        },
      ],
    },
  ],
  answer: (n) => [{ role: "model", parts: [{ text: `Answer ${n}.` }] }],
}

/** A step as it was sent. */
interface Sent {
  readonly model: Model
  readonly prompt: StepPrompt
  readonly wire: ReturnType<typeof requestFor<unknown>>
  readonly counter: TokenCounter
}

const itemsOf = (model: Model, wire: unknown): ReadonlyArray<Item> => {
  const decoded = model.format.decode(wire)
  return decoded.ok ? decoded.conversation.items : assert.fail(`${decoded.path}: ${decoded.reason}`)
}

const step = (model: Model, input: ReadonlyArray<Item>, response: unknown) => {
  const { target } = model
  return Effect.gen(function* () {
    const engine = yield* Engine
    const counter = yield* Tokens
    const options = { budget: target, accounting: target.accounting, model: target.model, system: SYSTEM }
    const opened = yield* engine.open(KEY, options)
    yield* opened.append(input)
    const prompt = yield* opened.prompt
    yield* opened.append(itemsOf(model, response))
    yield* opened.checkpoint
    return { model, prompt, counter, wire: requestFor(prompt, model.format, target) }
  }).pipe(Effect.provide(Layer.fresh(Engine.layer)))
}

const words = (n: number): string =>
  Array.from({ length: 300 }, (_, i) => `word${(i * 7 + n) % 997}`).join(" ")

const asks = (n: number): Message => ({
  role: "user",
  parts: [
    { type: "text", text: `Question ${n}?` },
    { type: "media", mediaType: "image/png", data: png(800, 600), width: 800, height: 600 },
  ],
})

/** A turn: the user asks, the model calls a tool, and answers when it has the result. */
const turn = (model: Model, n: number) =>
  Effect.gen(function* () {
    const first = yield* step(
      model,
      [{ message: n % 4 === 0 ? asks(n) : user(`Question ${n}?`) }],
      model.call(n),
    )
    const result = toolResult(model.id(n), words(n), { name: "read" })
    const second = yield* step(model, [{ message: result }], model.answer(n))
    return [first, second]
  })

const TURNS = 6

const live = (model: Model, from: number, o200k: TokenCounter, turns = TURNS) =>
  Effect.forEach(
    Array.from({ length: turns }, (_, i) => from + i),
    (n) => turn(model, n),
  ).pipe(
    Effect.map((steps) => steps.flat()),
    Effect.provide(Tokens.layerFrom(model.counter(o200k))),
  )

/** One model calls a tool, and another one is given the result. */
const switchWithin = (n: number) =>
  Effect.all([
    step(onGpt, [{ message: user(`Question ${n}?`) }], onGpt.call(n)),
    step(onClaude, [{ message: toolResult(onGpt.id(n), words(n), { name: "read" }) }], onClaude.answer(n)),
  ])

const json = (value: unknown): string => JSON.stringify(value)

describe("a thread that goes from one provider to the next", () => {
  let a: ReadonlyArray<Sent> = []
  let b: ReadonlyArray<Sent> = []
  let c: ReadonlyArray<Sent> = []
  let back: ReadonlyArray<Sent> = []
  let within: ReadonlyArray<Sent> = []
  let all: ReadonlyArray<Sent> = []

  beforeAll(async () => {
    const o200k = await loadO200k()
    const steps = Effect.gen(function* () {
      return [
        yield* live(onClaude, 0, o200k, 14),
        yield* live(onGpt, 20, o200k),
        yield* live(onGoogle, 40, o200k),
        yield* live(onClaude, 60, o200k, 2),
        yield* switchWithin(80).pipe(Effect.provide(Tokens.layerFrom(o200k))),
      ]
    })
    const done = await Effect.runPromise(Effect.provide(steps, memoryStore))
    ;[a = [], b = [], c = [], back = [], within = []] = done
    all = done.flat()
  }, 60_000)

  it("sends only requests that the provider accepts", () => {
    for (const { model, wire } of all) assert.deepStrictEqual(model.format.validate(wire.request), [])
    assert.lengthOf(all, 2 * (14 + TURNS + TURNS + 2 + 1))
  })

  it("keeps to the window of the target, and makes a pass when the window is smaller", () => {
    for (const { model, prompt } of all) {
      const { window } = model.target
      assert.isAtMost(prompt.tokens.total, window * 0.8)
    }
    const longest = Math.max(...a.map(({ prompt }) => prompt.tokens.total))
    assert.isAbove(longest, 0.8 * gpt.window)
    assert.lengthOf(
      a.flatMap(({ prompt }) => prompt.passes),
      0,
    )
    assert.isNotEmpty(b[0]?.prompt.passes ?? [])
    assert.isNotEmpty(c[0]?.prompt.passes ?? [])
  })

  it("counts with the tokenizer and by the image rule of the target, rows of other targets too", () => {
    for (const { model, prompt, counter } of all) {
      const { accounting } = model.target
      const messages = messagesOf(prompt).reduce(
        (sum, each) => sum + countMessage(each, counter, accounting),
        0,
      )
      const total = accounting.priming + countSystem(prompt.system, counter, accounting) + messages
      assert.strictEqual(prompt.tokens.total, total, model.target.model)
    }
    assert.strictEqual(c[0]?.counter.name, "other")
  })

  it("sends images to the models that take them, and a line for each to the one that does not", () => {
    const images = ({ wire }: Sent) => json(wire.request).match(/iVBORw0KGgo/g)?.length ?? 0
    assert.isAbove(Math.max(...a.map(images)), 1)
    assert.isAbove(Math.max(...b.map(images)), 0)
    assert.strictEqual(Math.max(...c.map(images)), 0)
    assert.isTrue(c.some(({ wire }) => wire.losses.some(({ what }) => what === "images")))
    assert.isTrue(c.some(({ wire }) => json(wire.request).includes("this model takes none")))
  })

  it("sends reasoning to those who signed it and to nobody else, and never altered", () => {
    const signatures = { claude: /c2ln\d+/, gpt: /ZW5j\d+/, google: /Z29v\d+/ }
    const holds = (sent: ReadonlyArray<Sent>, signature: RegExp) =>
      sent.some(({ wire }) => signature.test(json(wire.request)))
    assert.deepStrictEqual(
      [a, b, c].map((sent) => Object.values(signatures).map((signature) => holds(sent, signature))),
      [
        [true, false, false],
        [false, true, false],
        [false, false, true],
      ],
    )
    assert.isFalse(holds(back, signatures.gpt) || holds(back, signatures.google))
    const why = b[0]?.wire.reasoning.map((drop) => drop.why) ?? []
    assert.include(why, "another family of models signed it")
    for (const [i, { wire }] of a.entries())
      for (const n of Array.from({ length: i }, (_, at) => at >> 1))
        assert.include(json(wire.request), `"thinking":"Claude thinks of ${n}.","signature":"c2ln${n}"`)
  })

  it("leaves the model free to think, but for the loop whose reasoning another one signed", () => {
    const [last] = within.slice(-1)
    for (const sent of all) assert.strictEqual(sent.wire.thinking, sent === last ? "off" : "free")
    assert.include(json(last?.wire.request), "Question 80?")
  })

  it("writes ids as the target allows, and tells which of the thread they are", () => {
    const foreign = back.flatMap(({ wire }) => [...wire.ids])
    for (const [sent, own] of foreign) {
      assert.match(sent, /^[a-zA-Z0-9_-]{1,64}$/)
      assert.match(own, /^(call\.|google:)/)
    }
    const [sent, own] = foreign[0] ?? assert.fail("no id had to change")
    const result = toolResult(sent, "ok")
    assert.deepStrictEqual(originalIds(result, back.at(-1)?.wire.ids ?? new Map()), toolResult(own, "ok"))
    for (const { wire } of a) assert.strictEqual(wire.ids.size, 0)
  })

  it("gives each request the same bytes as the one before it, as long as target and window stay", () => {
    for (const sent of [a, b, c, back])
      for (const [i, { prompt }] of sent.entries()) {
        if (i === 0 || prompt.passes.length > 0) continue
        const before = messagesOf(sent[i - 1]?.prompt ?? prompt).map(json)
        assert.deepStrictEqual(messagesOf(prompt).map(json).slice(0, before.length), before)
      }
  })
})
