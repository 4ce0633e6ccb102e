/** Large values: what a host may give, and how often it may say it. */
import { type Message, messagesOf, readReference, user } from "@palimpsest/core"
import { conversation } from "@palimpsest/core/formats"
import { makeMemoryState } from "@palimpsest/core/testing"
import { Effect } from "effect"
import { assert, describe, it } from "vitest"
import { allRules } from "../validity/AllRules.ts"
import {
  chatOf,
  image,
  inProcess,
  inputs,
  KEY,
  loaded,
  nothingAsked,
  rowsOnly,
  shown,
  watched,
} from "./ValuesKit.ts"

describe("what a host gives", () => {
  it("is refused where it holds a reference", async () => {
    const { store, memory } = await chatOf(1, 20_000)
    const referring = (await loaded(memory)).rows[0]
    if (referring?.kind !== "message") return assert.fail("no message")
    const said = await inProcess(store, (step) => Effect.flip(step.append([{ message: referring.message }])))
    const edited = await inProcess(store, (step) =>
      Effect.flip(step.edit({ id: "m0", message: referring.message })),
    )
    for (const error of [said, edited]) {
      assert.strictEqual(error._tag, "RowError")
      assert.include(error.message, "recall")
    }
    const plain = await inProcess(rowsOnly(memory), (step) =>
      Effect.flip(step.append([{ message: referring.message }])),
    )
    assert.strictEqual(plain._tag, "RowError")
  })

  it("is refused at once when no store would keep it", async () => {
    const store = watched(makeMemoryState(), nothingAsked())
    const error = await inProcess(store, (step) =>
      Effect.flip(step.append([{ message: user("Hi") }, { message: shown(4, 40_000_000) }])),
    )
    assert.include(error.message, "a value of it is larger than")
  })

  it("survives where it only looks like one", async () => {
    const memory = makeMemoryState()
    const store = watched(memory, nothingAsked())
    const odd: Message = {
      role: "user",
      parts: [
        { ...image(1, 10), data: "palimpsest-value:" },
        { ...image(2, 10), data: `palimpsest-value:${"g".repeat(20_000)}` },
        { ...image(3, 10), data: "\ud83d".repeat(9_000) },
        { ...image(4, 10), data: `https://example.com/${"a".repeat(9_000)}` },
      ],
    }
    await inProcess(store, (step) => Effect.andThen(step.append([{ message: odd }]), step.end))
    const prompt = await inProcess(store, (step) => step.prompt)
    assert.deepStrictEqual(messagesOf(prompt), [odd])
  })

  it("goes out of its row when a message is edited, too", async () => {
    const { memory, store } = await chatOf(1, 20_000)
    await inProcess(store, (step) => step.edit({ id: "m0", message: shown(7, 30_000) }))
    assert.isBelow(JSON.stringify(await loaded(memory)).length, 2_000)
    const prompt = await inProcess(store, (step) => step.prompt)
    assert.deepStrictEqual(messagesOf(prompt), [shown(7, 30_000)])
  })

  it("is written by no format while it is a reference, and the loss is noted", async () => {
    const { memory } = await chatOf(1, 20_000)
    const rows = (await loaded(memory)).rows.flatMap((row) => (row.kind === "message" ? [row.message] : []))
    for (const { format } of allRules) {
      const { request, losses } = format.encode(conversation(rows))
      const text = JSON.stringify(request)
      assert.notInclude(text, "palimpsest-value", format.name)
      assert.include(text, "Look at 0.", format.name)
      assert.include(text, "kept apart from the thread", format.name)
      assert.isTrue(losses.some(({ what, kind }) => kind === "changed" && what === "images or files"))
    }
    assert.isNotNull(
      readReference(rows[0]?.parts.flatMap((p) => (p.type === "media" ? [p.data] : []))[0] ?? ""),
    )
  })
})

describe("retries and deaths", () => {
  it("leave one value, whoever says it how often", async () => {
    const { memory, store, said } = await chatOf(1, 20_000)
    for (const options of [{}, { policy: { valuesAbove: 300 } }, { policy: { valuesAbove: 100_000 } }]) {
      await inProcess(store, (step) => Effect.andThen(step.append(inputs(said)), step.end), options)
    }
    const both = [1, 2].map(() =>
      inProcess(store, (step) => Effect.andThen(step.append(inputs(said)), step.end)),
    )
    await Promise.all(both)
    await inProcess(store, (step) => Effect.andThen(step.append([{ message: shown(0, 20_000) }]), step.end))
    assert.strictEqual(memory.chat(KEY).blobs.size, 1)
    assert.lengthOf((await loaded(memory)).rows, 2)
  })

  it("lose nothing between the values and the rows", async () => {
    const memory = makeMemoryState()
    const asked = nothingAsked()
    const store = watched(memory, asked)
    const message = shown(1, 20_000)
    asked.appendFails = true
    const died = await inProcess(store, (step) =>
      Effect.andThen(step.append([{ message }]), Effect.flip(step.end)),
    )
    assert.strictEqual(died._tag, "StoreError")
    assert.lengthOf((await loaded(memory)).rows, 0)
    assert.strictEqual(memory.chat(KEY).blobs.size, 1, "an unused value")
    asked.appendFails = false
    const ids = await inProcess(store, (step) =>
      Effect.gen(function* () {
        const first = yield* step.append([{ message }])
        yield* step.end
        return first
      }),
    )
    const again = await inProcess(store, (step) => Effect.tap(step.append([{ message }]), step.end))
    assert.deepStrictEqual(again, ids)
    assert.lengthOf((await loaded(memory)).rows, 1)
    assert.strictEqual(memory.chat(KEY).blobs.size, 1)
    assert.deepStrictEqual(messagesOf(await inProcess(store, (step) => step.prompt)), [message])
  })

  it("keep values in the process while the store is down", async () => {
    const memory = makeMemoryState()
    const asked = nothingAsked()
    asked.appendFails = true
    const store = watched(memory, asked)
    const prompts = await inProcess(store, (step) =>
      Effect.gen(function* () {
        yield* step.append([{ message: shown(1, 20_000) }])
        yield* Effect.ignore(step.checkpoint)
        memory.chat(KEY).blobs.clear()
        const first = yield* step.prompt
        asked.appendFails = false
        yield* step.end
        return [first, yield* step.prompt]
      }),
    )
    for (const prompt of prompts) assert.deepStrictEqual(messagesOf(prompt), [shown(1, 20_000)])
    assert.lengthOf(asked.got, 0)
    assert.strictEqual(memory.chat(KEY).blobs.size, 1)
  })

  it("know a row that was stored with its values in it, covered or not", async () => {
    const memory = makeMemoryState()
    const said = [shown(1, 20_000), user("And?")]
    const say = (store: ReturnType<typeof rowsOnly>) =>
      inProcess(store, (step) => Effect.andThen(step.append(inputs(said)), step.end))
    await say(rowsOnly(memory))
    const store = watched(memory, nothingAsked())
    await say(store)
    await inProcess(store, (step) => step.reset)
    await say(store)
    const other = inProcess(store, (step) =>
      Effect.flip(Effect.andThen(step.append([{ id: "m0", message: shown(2, 20_000) }]), step.end)),
    )
    assert.strictEqual((await other)._tag, "RowError")
    assert.strictEqual(memory.chat(KEY).messages.length, 2)
  })
})
