/** Large values: out of the rows, read for what is sent, and told when they cannot be had. */
import {
  assistant,
  canonicalJson,
  type MediaPart,
  type Message,
  messagesOf,
  readReference,
  referencesIn,
  user,
} from "@palimpsest/core"
import { Facts, Summariser, ThreadStore } from "@palimpsest/core/engine"
import { conversation } from "@palimpsest/core/formats"
import { makePalimpsest } from "@palimpsest/core/promise"
import { makeMemoryState } from "@palimpsest/core/testing"
import { Effect, Layer } from "effect"
import { assert, describe, it } from "vitest"
import { allRules } from "../validity/AllRules.ts"
import { image, inProcess, KEY, nothingAsked, rowsOnly, shown, watched } from "./ValuesKit.ts"

const MEGABYTE = 1_000_000
const NONE = { fraction: 0, tokens: 0 }

const inputs = (messages: ReadonlyArray<Message>) => messages.map((message, i) => ({ id: `m${i}`, message }))

const loaded = (memory: ReturnType<typeof makeMemoryState>) =>
  Effect.runPromise(
    Effect.gen(function* () {
      return yield* (yield* ThreadStore).load(KEY)
    }).pipe(Effect.provide(memory.layer)),
  )

const names = (media: ReadonlyArray<MediaPart>) => media.map(({ name }) => name)

/** A chat of some images, stored. */
const chatOf = async (images: number, units: number) => {
  const memory = makeMemoryState()
  const asked = nothingAsked()
  const store = watched(memory, asked)
  const said = Array.from({ length: images }, (_, n) => shown(n, units))
  await inProcess(store, (step) => Effect.andThen(step.append(inputs(said)), step.end))
  return { memory, asked, store, said }
}

describe("a thread with large values", () => {
  it("is read without them, and a prompt that sends two of ten reads these two, once", async () => {
    const memory = makeMemoryState()
    const asked = nothingAsked()
    const palimpsest = makePalimpsest({ store: watched(memory, asked) })
    const options = {
      budget: { window: 100_000 },
      policy: { keepImages: 2, head: NONE, tail: NONE },
    }
    const before = await palimpsest.open(KEY, options)
    for (let n = 0; n < 10; n++) {
      await before.append(
        shown(n, MEGABYTE),
        assistant("", [{ id: `c${n}`, name: "look", arguments: "{}" }]),
        {
          role: "tool",
          parts: [
            { type: "tool-result", call: `c${n}`, status: "ok", content: [{ type: "text", text: "seen" }] },
          ],
        },
      )
    }
    const whole = await before.prompt()
    assert.lengthOf(asked.got, 0, "values of this process are held")
    assert.lengthOf(
      whole.slots.filter(({ message }) => referencesIn(message).length > 0),
      0,
    )
    await before.end()
    assert.isBelow(JSON.stringify(await loaded(memory)).length, 20_000)
    assert.lengthOf(asked.kept.flat(), 10)

    const pruned = await palimpsest.open(KEY, options)
    const first = await pruned.compact()
    const second = await pruned.prompt()
    await palimpsest.close()
    const sent = messagesOf(second).flatMap(({ parts }) => parts.filter((part) => part.type === "media"))
    assert.isTrue(canonicalJson(messagesOf(second)) === canonicalJson(messagesOf(first)))
    assert.deepStrictEqual(names(sent), ["screen 8", "screen 9"])
    assert.isTrue(sent.every(({ data }, i) => data === image(8 + i, MEGABYTE).data))
    assert.deepStrictEqual(
      asked.got.map((ids) => ids.length),
      [2],
    )
    assert.deepStrictEqual(second.degraded, [])
  })

  it("is summed up and flushed without them", async () => {
    const { store } = await chatOf(6, MEGABYTE)
    await inProcess(store, (step) =>
      Effect.andThen(step.append([{ message: assistant("One, two. ".repeat(3_000)) }]), step.end),
    )
    const seen: Array<string> = []
    const watch =
      <A>(answer: A) =>
      (request: unknown) => {
        seen.push(JSON.stringify(request))
        return Effect.succeed(answer)
      }
    const add = [{ kind: "fact" as const, text: "The user showed screens.", sources: ["m0"] }]
    const services = Layer.mergeAll(
      store,
      Layer.succeed(Facts, Facts.of({ flush: watch(0) })),
      Layer.succeed(
        Summariser,
        Summariser.of({ name: "s", window: 90_000, summarise: watch({ add, resolve: [], drop: [] }) }),
      ),
    )
    const policy = { head: NONE, tail: NONE, tailGroups: 0 }
    const after = [{ message: user("Go on.") }, { message: assistant("Yes.") }]
    const prompt = await inProcess(services, (step) => Effect.andThen(step.append(after), step.compact()), {
      policy,
    })
    assert.deepStrictEqual(
      prompt.passes.map(({ kind }) => kind),
      ["summary"],
    )
    assert.isAtLeast(seen.length, 2)
    for (const text of seen) assert.isBelow(text.length, 40_000)
  })

  it("counts as it would with them, and says the same", async () => {
    const { memory, said } = await chatOf(3, 20_000)
    const plain = makeMemoryState()
    await inProcess(rowsOnly(plain), (step) => Effect.andThen(step.append(inputs(said)), step.end))
    const [there, here] = [await loaded(memory), await loaded(plain)]
    const told = (thread: typeof there) =>
      thread.rows.map((row) => (row.kind === "message" ? [row.id, row.tokens, row.tokenizer] : []))
    assert.deepStrictEqual(told(there), told(here))
    assert.isAbove(JSON.stringify(here).length, 60_000)
    assert.isBelow(JSON.stringify(there).length, 3_000)
  })

  it("gives a row in full to who recalls it, and a text for what is gone", async () => {
    const { memory, store, said } = await chatOf(2, 20_000)
    const rows = await inProcess(store, (step) => Effect.all([step.recall("m0"), step.recall("none")]))
    assert.deepStrictEqual(rows[0]?.message, said[0])
    assert.isNull(rows[1])
    memory.chat(KEY).blobs.clear()
    const gone = await inProcess(store, (step) => step.recall("m1"))
    assert.include(JSON.stringify(gone), 'screen 1\\", image/png, 640x480, 15 KB: it is not there any more]')
  })

  it("keeps the form in which a message came, with the image in it once", async () => {
    const memory = makeMemoryState()
    const asked = nothingAsked()
    const store = watched(memory, asked)
    const message = shown(1, 20_000)
    const raw = { format: "anthropic", text: JSON.stringify([{ ...message, extra: "field" }]) }
    await inProcess(store, (step) => Effect.andThen(step.append([{ id: "m", message, raw }]), step.end))
    const prompt = await inProcess(store, (step) => step.prompt)
    assert.deepStrictEqual(prompt.slots[0]?.raw, raw)
    assert.deepStrictEqual(prompt.slots[0]?.message, message)
    assert.lengthOf(asked.kept.flat(), 1)
    const long = { format: "anthropic", text: JSON.stringify("x".repeat(20_000)) }
    await inProcess(store, (step) =>
      Effect.andThen(step.append([{ id: "n", message: user("Hi"), raw: long }]), step.end),
    )
    assert.isBelow(JSON.stringify(await loaded(memory)).length, 3_000)
    const other = await inProcess(store, (step) => step.prompt)
    assert.deepStrictEqual(other.slots[1]?.raw, long)
    memory.chat(KEY).blobs.clear()
    const lost = await inProcess(store, (step) => step.prompt)
    assert.isUndefined(lost.slots[1]?.raw)
    assert.deepStrictEqual(lost.slots[1]?.message, user("Hi"))
    assert.include(lost.degraded[0]?.reason, "m, n")
  })
})

describe("values that cannot be had", () => {
  const lossOf = (prompt: {
    readonly degraded: ReadonlyArray<{ readonly stage: string; readonly reason: string }>
  }) => prompt.degraded.map(({ stage, reason }) => `${stage}: ${reason}`).join()

  it("are told, and a text stands for each", async () => {
    const { memory, store, asked } = await chatOf(2, 20_000)
    const whole = await inProcess(store, (step) => step.prompt)
    memory.chat(KEY).blobs.delete(asked.kept.flat()[0]?.id ?? "")
    const prompt = await inProcess(store, (step) => step.prompt)
    assert.match(lossOf(prompt), /^store: their values are not there.*m0/)
    const [first, second] = messagesOf(prompt)
    assert.strictEqual(first?.parts[1]?.type, "text")
    assert.include(JSON.stringify(first), 'screen 0\\", image/png, 640x480, 15 KB: it could not be read]')
    assert.deepStrictEqual(second, shown(1, 20_000))
    assert.deepStrictEqual(prompt.coverage, { verbatim: ["m1"], reduced: ["m0"], left: [] })
    assert.isBelow(prompt.tokens.total, whole.tokens.total)
    const sum = prompt.slots.reduce((all, { tokens }) => all + tokens, prompt.tokens.system)
    assert.strictEqual(prompt.tokens.total, sum)
    assert.deepStrictEqual(
      prompt.slots.map(({ prefix }) => prefix),
      ["kept", "changed"],
    )
    assert.deepStrictEqual(
      prompt.slots.map(({ form }) => form),
      ["reduced", "verbatim"],
    )
  })

  it.each(["fails", "holds another text"])("do not stop a step whose store %s", async (how) => {
    const { memory, store, asked } = await chatOf(2, 20_000)
    asked.getFails = how === "fails"
    for (const { id } of asked.kept.flat()) if (!asked.getFails) memory.chat(KEY).blobs.set(id, "short")
    const prompt = await inProcess(store, (step) => step.prompt)
    assert.match(lossOf(prompt), asked.getFails ? /the connection broke.*m0, m1/ : /not there.*m0, m1/)
    assert.deepStrictEqual(prompt.coverage.reduced, ["m0", "m1"])
  })

  it("are told where no store for them is provided", async () => {
    const { memory } = await chatOf(1, 20_000)
    const prompt = await inProcess(rowsOnly(memory), (step) => step.prompt)
    assert.match(lossOf(prompt), /no BlobStore is provided.*m0/)
    assert.strictEqual(messagesOf(prompt)[0]?.parts[1]?.type, "text")
  })
})

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
