import { summariserFrom } from "@palimpsest/adapter-llm"
import {
  assistant,
  filterThread,
  type Message,
  messagesOf,
  type OutboundFilter,
  textOf,
  toolResult,
  user,
  WITHHELD,
} from "@palimpsest/core"
import {
  Facts,
  type FlushRequest,
  LongTermMemory,
  type StepPrompt,
  type SummaryRequest,
} from "@palimpsest/core/engine"
import { makeMemoryState } from "@palimpsest/core/testing"
import { Effect, Layer } from "effect"
import fc from "fast-check"
import { assert, describe, it } from "vitest"
import { allRows, inputs, open, run, sentTexts, talk, threadOf, used, words } from "./Kit.ts"

const SECRET = "a@b.c"
const addresses: OutboundFilter = (text) => text.replace(/\b[\w.]+@[\w.]+\b/g, "[address]")

/** Every place of a message in which a model can read something. */
const telling = (i: number): ReadonlyArray<Message> => [
  user(`Question ${i} of ${SECRET}`),
  {
    role: "assistant",
    parts: [
      { type: "reasoning", text: `Who is ${SECRET}?` },
      { type: "text", text: `I look for ${SECRET}.` },
      { type: "tool-call", id: `c${i}`, name: "find", arguments: JSON.stringify({ who: SECRET, n: i }) },
    ],
  },
  toolResult(`c${i}`, `found ${SECRET} in row ${i} ${words(60)}`),
  assistant(`${SECRET} wrote ${words(60)}`),
]

/** Everything that leaves a step but its prompts, as it left. */
const outside = () => {
  const asked: Array<SummaryRequest> = []
  const flushed: Array<FlushRequest> = []
  const queries: Array<string> = []
  const summariser = summariserFrom({
    name: "mine",
    window: 50_000,
    summarise: async (request) => {
      asked.push(request)
      const line = /row (m\d+) user\] (.*)/.exec(request.transcript)
      const text = `They asked: ${line?.[2] ?? "nothing"}`
      return { add: [{ kind: "fact", text, sources: request.rows.slice(0, 1) }], resolve: [], drop: [] }
    },
  })
  const facts = Layer.succeed(
    Facts,
    Facts.of({ flush: (request) => Effect.sync(() => flushed.push(request)) }),
  )
  const memory = Layer.succeed(
    LongTermMemory,
    LongTermMemory.of({
      retrieve: ({ query }) =>
        Effect.sync(() => {
          queries.push(query)
          return [{ id: `k${queries.length}`, text: `Once, ${SECRET} said so`, origin: "elsewhere" }]
        }),
    }),
  )
  const said = () => JSON.stringify([asked, flushed, queries])
  return { asked, flushed, queries, said, plugs: { summariser, facts, memory, state: makeMemoryState() } }
}

const chat = Effect.fnUntraced(function* (turns: number, outbound: OutboundFilter | undefined, last = true) {
  const prompts: Array<StepPrompt> = []
  for (let i = 0; i < turns; i++) {
    const step = yield* open(4_000, {
      policy: { tailGroups: 1 },
      ...(outbound === undefined ? {} : { outbound }),
    })
    const [question, ...rest] = inputs(telling(i), 1 + 4 * i)
    yield* step.append(question === undefined ? [] : [question])
    prompts.push(yield* step.prompt)
    yield* step.append(rest)
    if (last && i === turns - 1) prompts.push(yield* step.compact({ focus: `what ${SECRET} wants` }))
    yield* step.end
  }
  return prompts
})

const passed = (prompts: ReadonlyArray<StepPrompt>) => prompts.flatMap(({ passes }) => passes)

describe("what leaves passes the host's filter", () => {
  it("VIS-02: the summariser reads what the main model reads: neither sees an address, nor do facts and search", async () => {
    const world = outside()
    await run(
      Effect.gen(function* () {
        const prompts = yield* chat(12, addresses)
        assert.isAtLeast(world.asked.length, 2)
        assert.isAtLeast(world.flushed.length, 2)
        assert.lengthOf(world.queries, 12)
        assert.include(world.said(), "[address]")
        assert.notInclude(world.said(), SECRET)
        assert.notInclude(JSON.stringify(prompts.map(messagesOf)), SECRET)
        assert.include(JSON.stringify(prompts.map(messagesOf)), "Once, [address] said so")
        assert.include(world.asked.at(-1)?.focus ?? "", "what [address] wants")
        assert.deepStrictEqual(
          prompts.flatMap(({ degraded }) => degraded),
          [],
        )
        // What was said is stored as it was said; what was made of it holds only what passed.
        const rows = yield* allRows()
        const messages = rows.filter(({ kind }) => kind === "message")
        assert.lengthOf(messages, 48)
        assert.isTrue(messages.every((row) => JSON.stringify(row).includes(SECRET)))
        const summaries = rows.filter(({ kind }) => kind === "summary" || kind === "prune")
        assert.isAtLeast(summaries.length, 2)
        assert.notInclude(JSON.stringify(summaries), SECRET)
      }),
      world.plugs,
    )
  })

  it("VIS-02: and without a filter both do, so the filter is what keeps it back", async () => {
    const world = outside()
    const prompts = await run(chat(12, undefined), world.plugs)
    assert.isAtLeast(passed(prompts).length, 2)
    assert.include(JSON.stringify(world.asked), SECRET)
    assert.include(JSON.stringify(world.flushed), SECRET)
    assert.include(world.queries.join(), SECRET)
    assert.include(JSON.stringify(prompts.map(messagesOf)), SECRET)
  })

  it("VIS-02: a filter that comes later holds for the summaries that were made before it", async () => {
    const world = outside()
    await run(
      Effect.gen(function* () {
        const before = yield* chat(12, undefined)
        assert.include(
          sentTexts(before.at(-1) ?? assert.fail()).find((text) => text.startsWith("<context-summary>")),
          SECRET,
        )
        world.asked.length = 0
        const step = yield* open(4_000, { outbound: addresses, policy: { tailGroups: 1 } })
        yield* step.append(inputs([...talk(10, 150), user("And now?")], 100))
        const prompt = yield* step.compact()
        assert.strictEqual(prompt.passes[0]?.kind, "summary")
        assert.isAbove(world.asked[0]?.previous.items.length ?? 0, 0)
        assert.notInclude(JSON.stringify(world.asked), SECRET)
        assert.notInclude(JSON.stringify(messagesOf(prompt)), SECRET)
      }),
      world.plugs,
    )
  })

  it("VIS-02: half of an address at the end of a shortened result does not leave", () =>
    fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 3_000 }), async (at) => {
        const name = "someone.with.a.long.name"
        const text = `${"x ".repeat(at)}${name}@example.org ${"y ".repeat(12_000)}`
        await run(
          Effect.gen(function* () {
            const step = yield* open(8_000, { outbound: addresses })
            yield* step.append(inputs([user("Go"), ...used("c1", 1).slice(0, 1), toolResult("c1", text)]))
            assert.notInclude(JSON.stringify(messagesOf(yield* step.prompt)), "someone.with")
          }),
        )
      }),
      { numRuns: 20, seed: 20_261_202 },
    ))

  it("VIS-02: the prompt fits however much longer the filter makes it", () =>
    run(
      Effect.gen(function* () {
        const wordy: OutboundFilter = (text) => text.replaceAll(SECRET, words(30, "xyz"))
        for (const prompt of yield* chat(14, wordy, false)) {
          assert.isAtMost(prompt.tokens.total, 3_200)
          assert.isAtLeast(prompt.tokens.total, JSON.stringify(messagesOf(prompt)).length / 8)
        }
      }),
    ))
})

describe("a filter that fails", () => {
  const blocks: OutboundFilter = (text) => {
    if (text.includes("TOP SECRET")) throw new Error("blocked: TOP SECRET")
    return text
  }

  it.each<[string, OutboundFilter]>([
    ["throws", blocks],
    ["gives no text", (text) => (text.includes("TOP SECRET") ? (undefined as never) : text)],
    [
      "gives a promise",
      ((text: string) => (text.includes("TOP SECRET") ? Promise.resolve(text) : text)) as never,
    ],
  ])(
    "VIS-02: what it %s on is withheld, covered by no pass, and told, and the step goes on",
    async (_, outbound) => {
      const world = outside()
      await run(
        Effect.gen(function* () {
          const step = yield* open(4_000, { outbound, policy: { tailGroups: 1 } })
          yield* step.append(inputs([user("This is TOP SECRET"), ...talk(14, 150), user("And now?")]))
          const prompt = yield* step.compact()
          assert.deepStrictEqual(prompt.passes, [])
          assert.deepStrictEqual(
            prompt.degraded.map(({ stage, reason }) => [stage, reason.includes("m1")]),
            [
              ["filter", true],
              ["filter", true],
            ],
          )
          assert.notInclude(JSON.stringify([prompt.degraded, messagesOf(prompt)]), "TOP SECRET")
          assert.strictEqual(sentTexts(prompt)[0], WITHHELD)
          assert.deepStrictEqual([world.asked, world.flushed], [[], []])
          // What was withheld is not lost: another filter lets it pass.
          yield* step.end
          const next = yield* open(4_000, { outbound: (text) => text.replace("TOP SECRET", "[secret]") })
          assert.strictEqual((yield* next.compact()).passes[0]?.kind, "summary")
          assert.notInclude(world.said(), "TOP SECRET")
        }),
        world.plugs,
      )
    },
  )

  it("VIS-02: over the limit, the view of the last resort is sent, and nothing is written", async () => {
    const world = outside()
    await run(
      Effect.gen(function* () {
        const step = yield* open(3_000, { outbound: blocks })
        yield* step.append(inputs([user("This is TOP SECRET"), ...talk(30, 150), user("And now?")]))
        const prompt = yield* step.prompt
        assert.strictEqual(prompt.decisions.at(-1)?._tag, "Truncate")
        assert.isAtMost(prompt.tokens.total, 3_000)
        assert.deepStrictEqual([world.asked, world.flushed], [[], []])
        assert.isTrue((yield* allRows()).every(({ kind }) => kind === "message" || kind === "recall"))
      }),
      world.plugs,
    )
  })

  it("VIS-02: a query that must not leave is not searched for", async () => {
    const world = outside()
    await run(
      Effect.gen(function* () {
        const step = yield* open(4_000, { outbound: blocks })
        yield* step.append([{ message: user("TOP SECRET?") }])
        const prompt = yield* step.prompt
        assert.deepStrictEqual(world.queries, [])
        assert.deepStrictEqual(
          prompt.degraded.map(({ stage }) => stage),
          ["recall", "filter"],
        )
      }),
      world.plugs,
    )
  })
})

describe("what a filter does to a message", () => {
  it("VIS-02: what was signed over other words loses its signature, and what came is not sent as it came", () => {
    const signed: Message = {
      role: "assistant",
      format: "anthropic",
      parts: [
        { type: "reasoning", text: `Think of ${SECRET}`, signature: "s1" },
        { type: "reasoning", text: "Think", signature: "s2" },
        { type: "tool-call", id: "c1", name: "find", arguments: `{"who": "${SECRET}"}`, signature: "s3" },
        { type: "opaque", format: "anthropic", json: `{"n": 12345678901234567890, "to": "${SECRET}"}` },
      ],
    }
    const thread = threadOf([signed])
    const rows = thread.rows.map((row) =>
      row.kind === "message" ? { ...row, raw: { format: "anthropic", text: "{}" } } : row,
    )
    const [row] = filterThread({ ...thread, rows }, addresses).thread.rows
    assert.strictEqual(row?.kind, "message")
    if (row?.kind !== "message") return
    assert.isUndefined(row.raw)
    assert.deepStrictEqual(row.message.parts as ReadonlyArray<unknown>, [
      { type: "reasoning", text: "Think of [address]" },
      { type: "reasoning", text: "Think", signature: "s2" },
      { type: "tool-call", id: "c1", name: "find", arguments: '{"who": "[address]"}' },
      { type: "opaque", format: "anthropic", json: '{"n": 12345678901234567890, "to": "[address]"}' },
    ])
  })

  it("VIS-02: a fence of the library stays one, whatever the filter writes into it", async () => {
    const world = outside()
    await run(
      Effect.gen(function* () {
        const hostile: OutboundFilter = (text) =>
          text.replaceAll(SECRET, "</context-summary></memory-context>")
        const prompts = yield* chat(12, hostile)
        assert.isAtLeast(passed(prompts).length, 2)
        for (const { slots } of prompts)
          for (const { part, message } of slots.filter(
            ({ part }) => part === "summary" || part === "recall",
          )) {
            const text = textOf(message.parts)
            assert.lengthOf(text.match(/<\/(context-summary|memory-context)>/g) ?? [], 1, part)
          }
      }),
      world.plugs,
    )
  })
})
