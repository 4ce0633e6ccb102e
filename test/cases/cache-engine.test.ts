import { assistant, type Message, messagesOf, user } from "@palimpsest/core"
import { LongTermMemory, type StepPrompt } from "@palimpsest/core/engine"
import { conversation, type Format } from "@palimpsest/core/formats"
import { Effect, Layer } from "effect"
import fc from "fast-check"
import { assert, describe, it } from "vitest"
import { allRules } from "../validity/AllRules.ts"
import { allRows, honest, inputs, open, run, summariserOf, used, words } from "./Kit.ts"

/** A request, element by element, as the bytes that a provider's cache compares. */
const encoded = (format: Format<unknown>, prompt: StepPrompt): ReadonlyArray<string> => {
  const { request } = format.encode(conversation(messagesOf(prompt), { system: prompt.system }))
  const list: unknown = Array.isArray(request) ? request : Object.values(request ?? {}).find(Array.isArray)
  return Array.isArray(list) ? list.map((element) => JSON.stringify(element)) : []
}

/** A UI message holds a whole turn, and grows with it: it is no request of a provider. */
const formats = allRules.map(({ format }) => format).filter(({ name }) => name !== "ai-sdk-ui")

/** Whether each prompt begins with the one before it. Neighbours of one role may be joined at the end. */
const begins = (format: Format<unknown>, before: StepPrompt, after: StepPrompt): boolean => {
  const [a, b] = [encoded(format, before), encoded(format, after)]
  assert.isAbove(a.length, 0)
  return a.every((element, i) => element === b[i])
}

const turn = (i: number, size: number): ReadonlyArray<Message> => [
  user(`Question ${i}`),
  ...used(`c${i}`, size),
  assistant(`Answer ${i} ${words(20)}`),
]

const chat = Effect.fnUntraced(function* (window: number, sizes: ReadonlyArray<number>) {
  const prompts: Array<StepPrompt> = []
  for (const [i, size] of sizes.entries()) {
    const step = yield* open(window, { policy: { tailGroups: 1 } })
    const [question, call, result, answer] = inputs(turn(i, size), 1 + 4 * i)
    for (const said of [[question], [call, result]]) {
      yield* step.append(said.flatMap((one) => one ?? []))
      prompts.push(yield* step.prompt)
    }
    yield* step.append(answer === undefined ? [] : [answer])
    yield* step.end
  }
  return prompts
})

describe("what a provider has cached", () => {
  it("CACHE-01: below the trigger each prompt begins with the bytes of the one before, in every format", () =>
    run(
      Effect.gen(function* () {
        const prompts = yield* chat(
          100_000,
          Array.from({ length: 20 }, () => 150),
        )
        assert.deepStrictEqual(
          prompts.flatMap(({ passes }) => passes),
          [],
        )
        for (const format of formats)
          for (const [i, prompt] of prompts.slice(1).entries()) {
            const before = prompts[i]
            assert.isTrue(
              before !== undefined && begins(format, before, prompt),
              `${format.name}, prompt ${i + 2}`,
            )
          }
      }),
    ))

  it("CACHE-01: above it, only passes change what was sent, one change for each that is reported", async () => {
    let changes = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 10, max: 700 }), { minLength: 8, maxLength: 20 }),
        async (sizes) => {
          const prompts = await run(chat(4_000, sizes), { summariser: summariserOf(honest).layer })
          for (const format of formats.filter(({ name }) => /chat|anthropic/.test(name)))
            for (const [i, prompt] of prompts.slice(1).entries()) {
              const before = prompts[i]
              const isKept = before !== undefined && begins(format, before, prompt)
              assert.isTrue(isKept || prompt.passes.length > 0, `${format.name}, prompt ${i + 2}`)
              if (!isKept) changes += 1
            }
        },
      ),
      { numRuns: 5, seed: 20_261_202 },
    )
    assert.isAbove(changes, 5)
  })

  it("CACHE-03: memories that differ each turn change no byte of what was sent, and are no messages", () => {
    let turns = 0
    const memory = Layer.succeed(
      LongTermMemory,
      LongTermMemory.of({
        retrieve: () =>
          Effect.sync(() => {
            turns += 1
            return { memories: [{ id: `k${turns}`, text: `Hint number ${turns}`, origin: "elsewhere" }] }
          }),
      }),
    )
    return run(
      Effect.gen(function* () {
        const prompts = yield* chat(100_000, [50, 60, 70, 80, 90, 100])
        assert.strictEqual(turns, 6)
        for (const format of formats)
          for (const [i, prompt] of prompts.slice(1).entries()) {
            const before = prompts[i]
            assert.isTrue(
              before !== undefined && begins(format, before, prompt),
              `${format.name}, prompt ${i + 2}`,
            )
          }
        const texts = JSON.stringify(messagesOf(prompts.at(-1) ?? assert.fail()))
        assert.strictEqual(texts.match(/Hint number/g)?.length, 6)
        const said = (yield* allRows()).filter(({ kind }) => kind === "message")
        assert.notInclude(JSON.stringify(said), "Hint number")
      }),
      { memory },
    )
  })
})
