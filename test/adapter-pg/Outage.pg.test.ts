/**
 * The real engine over a real server of its own, which is stopped and started again in the middle of a step: directly,
 * and through a pooler, which keeps who asks waiting.
 */
import { execFile } from "node:child_process"
import { rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { clientUrl, layerUrl, type ServerOptions } from "@palimpsest/adapter-pg"
import { assistant, messagesOf, type Row, type ThreadKey, toolResult, user } from "@palimpsest/core"
import { Engine, type Step, ThreadStore, Tokens } from "@palimpsest/core/engine"
import { testCounter } from "@palimpsest/core/testing"
import { Effect, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { afterAll, assert, beforeAll, it } from "vitest"
import { freshKey, messages } from "./suites/Damage.ts"
import { describeOn, itOn, plain, pooled } from "./suites/Servers.ts"

/** Made by the scripts: the servers may run as another user. */
const folder = join(tmpdir(), `palimpsest-outage-${process.pid}`)
const port = 20_000 + (process.pid % 5_000) * 2
const environment = {
  ...process.env,
  PG_HOME: join(folder, "server"),
  PG_PORT: String(port),
  PGBOUNCER_HOME: join(folder, "pooler"),
  PGBOUNCER_PORT: String(port + 1),
}

const run = promisify(execFile)

/** Runs one of the scripts in `.ci`, and gives what it printed. */
const script = async (name: string, ...words: ReadonlyArray<string>): Promise<string> => {
  const path = join(import.meta.dirname, "../../.ci", name)
  return (await run(path, words, { env: environment })).stdout.trim()
}

const postgres = (...words: ReadonlyArray<string>) => Effect.promise(() => script("postgres", ...words))

const OPTIONS = { system: "Be kind.", budget: { window: 3_000, reserve: 300 } }

const words = (count: number, of: number): string =>
  Array.from({ length: count }, (_, i) => `word${of}x${i}`).join(" ")

const asked = (i: number) => ({ id: `u${i}`, message: user(`Question ${i}? ${words(30, i)}`) })

const said = (i: number) => [
  { id: `a${i}`, message: assistant("", [{ id: `c${i}`, name: "look", arguments: "{}" }]) },
  { id: `r${i}`, message: toolResult(`c${i}`, words(120, i)) },
]

const IDS = Array.from({ length: 12 }, (_, i) => [`u${i}`, `a${i}`, `r${i}`]).flat()

/** A prompt with the newest question in it, and what it told. */
const promptOf = Effect.fnUntraced(function* (step: Step, newest: number) {
  const prompt = yield* step.prompt
  assert.include(JSON.stringify(messagesOf(prompt)), words(30, newest))
  assert.isAtMost(prompt.tokens.total, OPTIONS.budget.window - OPTIONS.budget.reserve)
  return prompt.degraded
})

const turn = (step: Step, i: number) =>
  step.append([asked(i)]).pipe(
    Effect.andThen(promptOf(step, i)),
    Effect.tap(() => step.append(said(i))),
  )

const on = <A>(options: ServerOptions, work: Effect.Effect<A, unknown, ThreadStore | Engine>): Promise<A> => {
  const store = layerUrl(options)
  const engine = Engine.layer.pipe(Layer.provide([store, Layer.succeed(Tokens, testCounter)]))
  return Effect.runPromise(Effect.provide(work, Layer.merge(store, engine)))
}

const open = (key: ThreadKey) => Effect.flatMap(Engine, (engine) => engine.open(key, OPTIONS))

const messageIds = (rows: ReadonlyArray<Row>) =>
  rows.flatMap((row) => (row.kind === "message" ? [row.id] : []))

/** A step over an outage: what its prompts told, and what became of the checkpoint. */
const over = Effect.fnUntraced(function* (key: ThreadKey, stop: "fast" | "immediate") {
  const first = yield* open(key)
  for (let i = 0; i < 6; i++) yield* turn(first, i)
  yield* first.checkpoint
  const before = yield* turn(first, 6)
  yield* postgres("halt", stop)
  yield* turn(first, 7)
  yield* turn(first, 8)
  const told = (yield* first.compact()).degraded
  const checkpoint = yield* Effect.flip(first.checkpoint)
  const stranger = yield* Effect.flip(open(freshKey()))
  yield* postgres("start")
  yield* turn(first, 9)
  yield* first.end
  const next = yield* open(key)
  const after = [...(yield* turn(next, 10)), ...(yield* turn(next, 11))]
  yield* next.end
  const { rows } = yield* (yield* ThreadStore).page(key, 0, 1_000)
  return { before, told, checkpoint, stranger, after, rows }
})

const assertWhole = ({
  before,
  told,
  checkpoint,
  stranger,
  after,
  rows,
}: Effect.Success<ReturnType<typeof over>>) => {
  assert.deepStrictEqual(before, [])
  assert.isAbove(told.length, 0)
  for (const { stage } of told) assert.strictEqual(stage, "store")
  for (const error of [checkpoint, stranger]) {
    assert.strictEqual(error._tag, "StoreError")
    if (error._tag === "StoreError") assert.isTrue(error.isRetryable)
  }
  assert.deepStrictEqual(after, [])
  assert.deepStrictEqual(messageIds(rows), IDS)
  const cuts = rows.flatMap((row) => (row.kind === "summary" ? [`${row.position} ${row.revision}`] : []))
  assert.isAbove(cuts.length, 0)
  assert.strictEqual(new Set(cuts).size, cuts.length)
}

describeOn(plain, "a server that goes away in the middle of a step", () => {
  let url = ""
  beforeAll(async () => {
    url = await script("postgres")
  })
  afterAll(async () => {
    await script("pgbouncer", "stop")
    await script("postgres", "stop")
    rmSync(folder, { recursive: true, force: true })
  })

  it("that is shut down: the step goes on, says so, and writes everything when it is back", async () => {
    assertWhole(await on({ url }, over(freshKey(), "fast")))
  })

  itOn(pooled, "that crashes behind a pooler: each operation ends in time, and the same holds", async () => {
    const through = await script("pgbouncer", url)
    const key = freshKey()
    const began = Date.now()
    assertWhole(await on({ url: through, timeout: 1_500 }, over(key, "immediate")))
    assert.isBelow(Date.now() - began, 60_000)
  })

  it("that restarts while many write: what was acknowledged is there, once", () =>
    on(
      { url },
      Effect.gen(function* () {
        const store = yield* ThreadStore
        const keys = Array.from({ length: 4 }, freshKey)
        const acknowledged = new Map(keys.map((key) => [key, 0]))
        const writer = (key: ThreadKey) =>
          Effect.gen(function* () {
            for (let i = 1; i <= 150; i++) {
              // A retry of the whole as a host would do it: the same rows again.
              yield* Effect.retry(store.append(key, messages(i, i)), { times: 20 })
              acknowledged.set(key, i)
            }
          })
        const writers = yield* Effect.forkDetach(
          Effect.forEach(keys, writer, { concurrency: "unbounded", discard: true }),
        )
        yield* Effect.sleep("100 millis")
        yield* postgres("restart", "immediate")
        yield* Fiber.join(writers)
        for (const key of keys) {
          const { rows } = yield* store.page(key, 0, 1_000)
          assert.strictEqual(acknowledged.get(key), 150)
          assert.deepStrictEqual(
            messageIds(rows),
            messages(1, 150).map(({ id }) => id),
          )
        }
      }),
    ))

  it("that shuts down while it still serves somebody says so to everybody else", async () => {
    const held = Effect.flatMap(SqlClient.SqlClient, (sql) =>
      sql.withTransaction(
        Effect.gen(function* () {
          yield* sql`select 1`
          const down = yield* Effect.forkDetach(postgres("halt", "smart"))
          const another = Effect.provide(Effect.asVoid(ThreadStore), Layer.fresh(layerUrl({ url })))
          const error = yield* Effect.flip(Effect.forever(Effect.andThen(another, Effect.sleep("50 millis"))))
          yield* sql`select 1`
          return { error, down }
        }),
      ),
    )
    const { error, down } = await Effect.runPromise(
      Effect.provide(held, clientUrl({ url, maxConnections: 1 })),
    )
    await Effect.runPromise(Fiber.join(down))
    assert.include(error.reason, "shutting down")
    assert.isTrue(error.isRetryable)
  })
})
