/** Large values: out of the rows, read for what is sent, and told when they cannot be had. */
import { assistant, canonicalJson, type MediaPart, messagesOf, referencesIn, user } from "@palimpsest/core"
import { Facts, Summariser } from "@palimpsest/core/engine"
import { makePalimpsest } from "@palimpsest/core/promise"
import { makeMemoryState } from "@palimpsest/core/testing"
import { Effect, Layer } from "effect"
import { assert, describe, it } from "vitest"
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

const MEGABYTE = 1_000_000
const NONE = { fraction: 0, tokens: 0 }

const names = (media: ReadonlyArray<MediaPart>) => media.map(({ name }) => name)

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
