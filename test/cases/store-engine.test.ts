import {
  assistant,
  type Message,
  type MessageRow,
  messagesOf,
  type SummaryRow,
  textOf,
  toolResult,
  user,
} from "@palimpsest/core"
import { ThreadEditor } from "@palimpsest/core/engine"
import { Effect } from "effect"
import fc from "fast-check"
import { assert, describe, it } from "vitest"
import {
  allRows,
  calls,
  inputs,
  KEY,
  open,
  run,
  sentRows,
  sentTexts,
  summariserOf,
  talk,
  used,
  words,
} from "./Kit.ts"

const stored = Effect.map(allRows(), (rows) =>
  rows.filter((row): row is MessageRow => row.kind === "message"),
)
const summaries = Effect.map(allRows(), (rows) =>
  rows.filter((row): row is SummaryRow => row.kind === "summary"),
)

/** Question by question, `u1` to `u{last}` with their answers, and a pass after the last. */
const talked = Effect.fnUntraced(function* (last: number) {
  const step = yield* open(4_000, { policy: { tailGroups: 1 } })
  for (let i = 1; i <= last; i++) {
    yield* step.append([
      { id: `u${i}`, message: user(`Question ${i}`) },
      { id: `a${i}`, message: assistant(`Answer ${i} ${words(150)}`) },
    ])
  }
  yield* step.append([{ id: "now", message: user("And now?") }])
  yield* step.compact()
  yield* step.end
  return step
})

describe("what is said more than once", () => {
  it("STORE-09: a host that saves its whole list each time stores each message once, over passes", () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 2, maxLength: 9 }),
        fc.boolean(),
        async (growth, hasIds) => {
          const list: Array<Message> = []
          await run(
            Effect.gen(function* () {
              for (const more of growth) {
                for (let i = 0; i < more; i++)
                  list.push(...talk(1, 200, `subject ${list.length}`), ...used(`c${list.length}`, 100))
                const step = yield* open(4_000)
                yield* step.append(hasIds ? inputs(list) : list.map((message) => ({ message })))
                yield* step.prompt
                yield* step.end
                assert.deepStrictEqual(
                  (yield* stored).map(({ message }) => message),
                  list,
                )
              }
            }),
          )
        },
      ),
      { numRuns: 8, seed: 20_261_202 },
    ))

  it("STORE-10: a retry of a message is neither a row nor a turn, whatever was compacted in between", () =>
    run(
      Effect.gen(function* () {
        yield* talked(14)
        const before = yield* stored
        const cut = (yield* summaries)[0]
        for (const id of ["now", "u14", "u2", "a2"]) {
          const row = before.find((one) => one.id === id)
          const step = yield* open(4_000)
          yield* step.append([{ id, message: row?.message ?? user("") }])
          const prompt = yield* step.prompt
          assert.deepStrictEqual(messagesOf(prompt).at(-1), user("And now?"), id)
          yield* step.end
          assert.deepStrictEqual(yield* stored, before)
        }
        assert.isAbove(cut?.position ?? 0, before.find(({ id }) => id === "a2")?.position ?? 0)
      }),
    ))
})

describe("summaries and what they rest on", () => {
  it("STORE-11: a summary builds on the one before it, however far back that is", () =>
    run(
      Effect.gen(function* () {
        const step = yield* open(4_000, { policy: { tailGroups: 1 } })
        for (let pass = 0; pass < 4; pass++) {
          const chunk = [...talk(20, 120, `part ${pass}`), user("Go on")]
          yield* step.append(inputs(chunk, 1 + 41 * pass))
          yield* step.compact()
        }
        const chain = yield* summaries
        assert.isAtLeast(chain.length, 4)
        assert.deepStrictEqual(
          chain.map(({ pass }) => pass.generation),
          chain.map((_, i) => i + 1),
        )
        assert.deepStrictEqual(
          chain.map(({ previous }) => previous),
          [null, ...chain.slice(0, -1).map(({ id }) => id)],
        )
      }),
    ))

  it("STORE-13: what twenty passes store does not grow with the images that they cover", async () => {
    const sizes: Array<number> = []
    const image = (i: number): Message => ({
      role: "user",
      parts: [
        { type: "text", text: `Look at picture ${i}` },
        { type: "media", mediaType: "image/png", data: "A".repeat(300_000), width: 400, height: 300 },
      ],
    })
    await run(
      Effect.gen(function* () {
        const step = yield* open(6_000, { policy: { tailGroups: 1 } })
        for (let pass = 0; pass < 20; pass++) {
          const chunk = [...(pass % 2 === 0 ? [image(pass)] : []), ...talk(15, 100, `part ${pass}`)]
          yield* step.append(inputs([...chunk, user("Go on")], 1 + 100 * pass))
          yield* step.compact()
        }
        for (const row of yield* allRows()) if (row.kind !== "message") sizes.push(JSON.stringify(row).length)
      }),
    )
    assert.isAtLeast(sizes.length, 20)
    assert.isBelow(Math.max(...sizes), 20_000)
  })

  it("STORE-14: a cut whose anchor was rewound is not used, and no summary is put on what is hidden", () =>
    run(
      Effect.gen(function* () {
        yield* talked(14)
        assert.lengthOf(yield* summaries, 1)
        const late = yield* open(4_000, { policy: { tailGroups: 1 } })
        yield* late.append(inputs([...talk(6, 150), user("And then?")]))
        yield* late.checkpoint
        const step = yield* open(4_000)
        yield* step.rewind("u2")
        assert.isNull((yield* step.thread).cut)
        assert.deepStrictEqual(sentRows(yield* step.prompt), ["u1", "a1", "u2"])
        assert.deepStrictEqual((yield* late.compact()).passes, [])
        const thread = yield* (yield* open(4_000)).thread
        assert.isNull(thread.cut)
        assert.deepStrictEqual(
          thread.rows.map(({ id }) => id),
          ["u1", "a1", "u2"],
        )
      }),
    ))

  /** One that notes down what it reads, word by word. */
  const quoting = () =>
    summariserOf(({ messages }) =>
      Effect.succeed({
        add: messages.map(({ id, message }) => ({
          kind: "fact" as const,
          text: `They said: ${textOf(message.parts).slice(0, 30)}`,
          sources: [id],
        })),
        resolve: [],
        drop: [],
      }),
    )

  it.each([
    ["is edited", "edit"],
    ["is said anew after a rewind", "rewind"],
    ["is said anew in a fork", "fork"],
  ] as const)("STORE-15: when a question in the middle %s, nothing tells of the old one", (_, way) => {
    const summariser = quoting().layer
    const before = (text: string) => /Question 6(?!, put better)/.test(text)
    const later = (text: string) => /(Question|Answer) (7|8|9|1\d)\b/.test(text)
    return run(
      Effect.gen(function* () {
        yield* talked(14)
        const old = sentTexts(yield* (yield* open(4_000)).prompt)
        assert.isTrue(old.some((text) => text.startsWith("<context-summary>") && before(text)))
        const key = way === "fork" ? { ...KEY, chat: "fork" } : KEY
        if (way === "fork") yield* (yield* ThreadEditor).fork(KEY, "fork", "a5")
        const step = yield* open(4_000, {}, key)
        const again = { id: "u6", message: user("Question 6, put better") }
        if (way === "rewind") yield* step.rewind("a5")
        if (way === "edit") yield* step.edit(again)
        else yield* step.append([{ ...again, id: `${way} of u6` }])
        const texts = sentTexts(yield* step.prompt)
        yield* step.end
        assert.isTrue(texts.some((text) => text.includes("Question 6, put better")))
        assert.deepStrictEqual(texts.filter(before), [])
        if (way !== "edit") assert.deepStrictEqual(texts.filter(later), [])
        assert.deepStrictEqual(sentTexts(yield* (yield* open(4_000, {}, key)).prompt), texts)
      }),
      { summariser },
    )
  })
})

describe("calls and results of two writers", () => {
  it("STORE-06: prompts keep each call with its result, whoever wrote in between", () =>
    run(
      Effect.gen(function* () {
        const first = yield* open(4_000)
        const second = yield* open(4_000)
        yield* first.append([{ id: "c", message: calls("c1") }])
        yield* first.checkpoint
        yield* second.append([{ id: "other", message: user("From the other tab") }])
        yield* second.end
        yield* first.append([{ id: "r", message: toolResult("c1", "found") }])
        yield* first.end
        assert.deepStrictEqual(
          (yield* stored).map(({ id }) => id),
          ["c", "other", "r"],
        )
        for (const step of [first, yield* open(4_000)])
          assert.deepStrictEqual(sentRows(yield* step.prompt), ["c", "r", "other"])
      }),
    ))
})
