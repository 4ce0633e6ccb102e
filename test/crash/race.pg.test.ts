/** Eight workers with connections of their own on one chat: one row for each thing, and all send the same. */
import { assistant, type Row, type ThreadKey, toolResult, user } from "@palimpsest/core"
import { Engine, ThreadStore } from "@palimpsest/core/engine"
import { Effect } from "effect"
import { assert, describe, it } from "vitest"
import { faultsOf, inEach, newChat, OPTIONS, processOf, textOfPrompt, WORKERS, words } from "./Workers.ts"

const url = process.env.DATABASE_URL ?? ""
if (url === "") console.log("DATABASE_URL is not set: no workers race on a server")

const rowsOf = (key: ThreadKey) =>
  Effect.runPromise(
    Effect.flatMap(ThreadStore, (store) => store.page(key, 0, 10_000)).pipe(
      Effect.map((page) => page.rows),
      Effect.provide(processOf(url, 0)),
    ),
  )

const open = (key: ThreadKey) => Effect.flatMap(Engine, (engine) => engine.open(key, OPTIONS))

/** The prompt of a step that each worker opens after the race. */
const promptsAfter = (key: ThreadKey) =>
  Effect.runPromise(inEach(url, () => Effect.flatMap(open(key), (step) => step.prompt)))

const messagesIn = (rows: ReadonlyArray<Row>) => rows.filter((row) => row.kind === "message")

const cutsIn = (rows: ReadonlyArray<Row>) =>
  rows.filter((row) => row.kind === "summary" || row.kind === "reset")

/** Cuts lie one after the other, and no two share a place. */
const assertCuts = (rows: ReadonlyArray<Row>) => {
  const places = cutsIn(rows).map((row) => `${row.kind} ${row.anchor} ${row.revision}`)
  assert.strictEqual(new Set(places).size, places.length)
  assert.strictEqual(new Set(rows.map((row) => row.id)).size, rows.length)
}

/** A chat that is due for a pass, with its last user message unanswered. */
const filled = (key: ThreadKey, rounds: number) =>
  Effect.runPromise(
    Effect.gen(function* () {
      const store = yield* ThreadStore
      yield* store.open(key, OPTIONS.system)
      const step = yield* open(key)
      for (let i = 0; i < rounds; i++) {
        const call = { id: `c${i}`, name: "look", arguments: "{}" }
        yield* step.append([
          { message: user(`Question ${i}? ${words(20, i)}`) },
          { message: assistant("", [call]) },
          { message: toolResult(call.id, words(30, i)) },
        ])
      }
      yield* step.append([{ message: user("And now?") }])
      yield* step.end
    }).pipe(Effect.provide(processOf(url, 0))),
  )

/** One worker's life: it says something with a tool call of its own, prompts, and ends, some times over. */
const worker = (key: ThreadKey, w: number) =>
  Effect.gen(function* () {
    const faults: Array<unknown> = []
    for (let i = 0; i < 6; i++) {
      const step = yield* open(key)
      const call = { id: `c${w}-${i}`, name: "look", arguments: "{}" }
      yield* step.append([
        { id: `u${w}-${i}`, message: user(`Worker ${w} asks ${i}. ${words(20, w)}`) },
        { id: `a${w}-${i}`, message: assistant("", [call]) },
      ])
      yield* step.checkpoint
      yield* step.append([{ id: `r${w}-${i}`, message: toolResult(call.id, words(30, w)) }])
      faults.push(...faultsOf(yield* step.prompt))
      yield* step.end
    }
    return faults
  })

describe.skipIf(url === "")("eight workers on one chat", () => {
  it("append and prompt: no call is split from its results, and one summary a boundary is left", async () => {
    const key = newChat("append")
    const faults = await Effect.runPromise(inEach(url, (w) => worker(key, w)))
    assert.deepStrictEqual(faults.flat(), [])
    const rows = await rowsOf(key)
    assert.strictEqual(messagesIn(rows).length, WORKERS * 6 * 3)
    assert.isAtLeast(cutsIn(rows).length, 1)
    assertCuts(rows)
    assert.strictEqual(new Set((await promptsAfter(key)).map(textOfPrompt)).size, 1)
  }, 120_000)

  it("compact at once: one of eight summaries is left, and all send its text", async () => {
    const key = newChat("compact")
    await filled(key, 12)
    const made = await Effect.runPromise(
      inEach(url, () => Effect.flatMap(open(key), (step) => step.compact())),
    )
    const rows = await rowsOf(key)
    const summaries = rows.filter((row) => row.kind === "summary")
    assertCuts(rows)
    assert.isAtLeast(summaries.length, 1)
    const winner = summaries.at(-1)?.text ?? ""
    assert.match(winner, /Seen by worker \d/)
    const quoted = JSON.stringify(winner).slice(1, -1)
    for (const prompt of [...made, ...(await promptsAfter(key))]) {
      assert.include(textOfPrompt(prompt), quoted)
      assert.deepStrictEqual(faultsOf(prompt), [])
    }
  }, 120_000)

  it("append the same: a message that all of them bring is one row, with and without an id", async () => {
    const key = newChat("same")
    await filled(key, 1)
    const call = { id: "again", name: "look", arguments: "{}" }
    const said = [
      { id: "host's", message: assistant("", [call]) },
      { message: toolResult(call.id, "seen") },
      { message: assistant("Done.") },
    ]
    const ids = await Effect.runPromise(
      inEach(url, () =>
        Effect.gen(function* () {
          const step = yield* open(key)
          const given = yield* step.append(said)
          yield* step.end
          return given.join()
        }),
      ),
    )
    assert.strictEqual(new Set(ids).size, 1)
    const rows = messagesIn(await rowsOf(key))
    assert.strictEqual(rows.length, 4 + said.length)
    assert.deepStrictEqual(
      rows.slice(-said.length).map((row) => row.message),
      said.map(({ message }) => message),
    )
  }, 120_000)

  it("start over while others compact: nothing before the reset is ever sent again", async () => {
    for (let round = 0; round < 5; round++) {
      const key = newChat(`reset ${round}`)
      await filled(key, 12)
      await Effect.runPromise(
        inEach(url, (w) =>
          Effect.gen(function* () {
            const step = yield* open(key)
            if (w % 4 === round % 4) yield* step.reset
            else yield* step.compact()
          }),
        ),
      )
      const rows = await rowsOf(key)
      assertCuts(rows)
      const last = messagesIn(rows).at(-1)?.id
      const resets = rows.filter((row) => row.kind === "reset")
      assert.deepStrictEqual(
        resets.map((row) => row.anchor),
        [last],
      )
      const prompts = await promptsAfter(key)
      assert.deepStrictEqual(
        prompts.map((prompt) => textOfPrompt(prompt)),
        prompts.map(() => "[]"),
      )
    }
  }, 120_000)
})
