import {
  filterThread,
  type Message,
  messagesOf,
  type OutboundFilter,
  textOf,
  toolResult,
  user,
} from "@palimpsest/core"
import { Effect } from "effect"
import { assert, describe, it } from "vitest"
import { addresses, chat, outside, passed, SECRET } from "./FilterKit.ts"
import { allRows, inputs, KEY, open, run, sentTexts, talk, threadOf, used, words } from "./Kit.ts"

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

  it("VIS-02: half of an address at the end of a shortened result does not leave", () => {
    const ask = Effect.fnUntraced(function* (chat: string, text: string) {
      const step = yield* open(8_000, { outbound: addresses }, { ...KEY, chat })
      yield* step.append(inputs([user("Go"), ...used("c1", 1).slice(0, 1), toolResult("c1", text)]))
      return sentTexts(yield* step.prompt).at(-1) ?? ""
    })
    return run(
      Effect.gen(function* () {
        const plain = yield* ask("plain", "x ".repeat(12_000))
        const start = /^(x )+/.exec(plain)?.[0].length ?? 0
        assert.isAbove(start, 500)
        for (let before = 0; before < 40; before++) {
          const filler = "x ".repeat(6_000).slice(0, start - before - 1)
          const text = `${filler} someone.with.a.long.name@example.org ${"y ".repeat(12_000)}`
          assert.notInclude(yield* ask(`${before}`, text), "some", `${before} units before the cut`)
        }
      }),
    )
  })

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
