import { type AssistantMessage, assistant, messagesOf, toolResult, user } from "@palimpsest/core"
import type { SummaryRequest } from "@palimpsest/core/engine"
import { conversation } from "@palimpsest/core/formats"
import { anthropic } from "@palimpsest/core/formats/anthropic"
import { Effect } from "effect"
import { assert, describe, it } from "vitest"
import { calls, honest, inputs, open, result, run, summariserOf, talk, used, words } from "./Kit.ts"
import { assertSaysSomething, formats, promptAs } from "./ProvKit.ts"

/** A response with signed thinking, and the result of its call. */
const thoughtful = (id: string): AssistantMessage => ({
  role: "assistant",
  format: "anthropic",
  parts: [
    { type: "reasoning", text: `why ${id}`, signature: `sig-${id}` },
    { type: "text", text: "Let me look." },
    { type: "tool-call", id, name: "read", arguments: JSON.stringify({ path: id, why: words(40) }) },
  ],
})

describe("what a provider is sent over passes", () => {
  it("PROV-02: each prompt of a chat is accepted by every provider, before and after each pass", () =>
    run(
      Effect.gen(function* () {
        const step = yield* open(3_000)
        let passes = 0
        for (let turn = 0; turn < 25; turn++) {
          const messages = [user(`Question ${turn}`), ...used(`c${turn}`, 150), assistant(words(80))]
          yield* step.append(inputs(messages, 1 + 4 * turn))
          const prompt = yield* step.prompt
          passes += prompt.passes.length
          for (const format of formats) {
            const sent = promptAs(format, prompt)
            assert.strictEqual(sent[0]?.role, "user", format.name)
            assertSaysSomething(sent, format.name)
          }
        }
        assert.isAtLeast(passes, 3)
      }),
    ))

  it("PROV-04: over passes, a response with signed thinking is sent as it came, or not at all", () =>
    run(
      Effect.gen(function* () {
        const step = yield* open(3_000)
        const written = new Map<string, unknown>()
        let passes = 0
        for (let turn = 0; turn < 20; turn++) {
          const response = thoughtful(`c${turn}`)
          written.set(`sig-c${turn}`, anthropic.encode(conversation([response])).request.messages[0])
          yield* step.append(inputs([user(`Go ${turn}`), response, result(`c${turn}`, 200)], 1 + 3 * turn))
          const prompt = yield* step.prompt
          passes += prompt.passes.length
          const { request } = anthropic.encode(conversation(messagesOf(prompt)))
          for (const message of request.messages) {
            const [, signature = ""] = /"signature":"([^"]*)"/.exec(JSON.stringify(message)) ?? []
            if (signature !== "") assert.deepStrictEqual(message, written.get(signature))
          }
        }
        assert.isAtLeast(passes, 2)
      }),
    ))

  it("PROV-11: in a window in which little but the last resort fits, no message says nothing", () =>
    run(
      Effect.gen(function* () {
        const step = yield* open(600)
        for (let turn = 0; turn < 12; turn++) {
          yield* step.append(inputs([user("Go on"), ...used(`c${turn}`, 700)], 1 + 3 * turn))
          const prompt = yield* step.prompt
          for (const format of formats) assertSaysSomething(promptAs(format, prompt), format.name)
        }
      }),
    ))

  it("PROV-12: a middle of blank results and responses is asked for as text that says something", async () => {
    const model = summariserOf(honest)
    const blanks = Array.from({ length: 6 }, (_, i) => [
      calls(`b${i}`),
      toolResult(`b${i}`, ""),
      assistant("\n"),
    ]).flat()
    await run(
      Effect.gen(function* () {
        const step = yield* open(4_000)
        yield* step.append(inputs([...talk(6, 200), user("Go"), ...blanks, ...talk(4, 100)]))
        const prompt = yield* step.compact()
        assert.strictEqual(prompt.passes[0]?.kind, "summary")
        for (const format of formats) assertSaysSomething(promptAs(format, prompt), format.name)
      }),
      { summariser: model.layer },
    )
    assert.isAbove(model.asked.length, 0)
    const isBlank = ({ transcript }: SummaryRequest) => transcript.trim() === ""
    assert.deepStrictEqual(model.asked.filter(isBlank), [])
  })
})
