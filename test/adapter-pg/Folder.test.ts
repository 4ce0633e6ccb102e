import { spawn } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { hostname, tmpdir } from "node:os"
import { join } from "node:path"
import { layerFrom } from "@palimpsest/adapter-pg"
import { lockFolder } from "@palimpsest/adapter-pg/pglite"
import { StoreError, ThreadStore } from "@palimpsest/core/engine"
import { Effect } from "effect"
import { afterAll, assert, describe, it } from "vitest"
import { freshKey, messages, summary } from "./suites/Damage.ts"
import { countedStep, nextPrompt } from "./suites/Readings.ts"

const root = mkdtempSync(join(tmpdir(), "palimpsest-folder-"))
afterAll(() => rmSync(root, { recursive: true, force: true }))

let count = 0
const freshFolder = (): string => join(root, `data ${++count}`)

/** The outcome of taking the lock, held while `then` runs. */
const locked = <A>(folder: string, then: Effect.Effect<A> = Effect.succeed(null as A)) =>
  Effect.runPromise(Effect.result(Effect.scoped(Effect.andThen(lockFolder(folder), then))))

const write = (folder: string, holder: object) =>
  writeFileSync(`${folder}.lock`, JSON.stringify({ host: hostname(), started: "", token: "t", ...holder }))

/** The pid of a process that is gone. */
const deadPid = (): Promise<number> =>
  new Promise((done) => {
    const child = spawn(process.execPath, ["-e", ""])
    child.on("exit", () => done(child.pid ?? 0))
  })

describe("the lock of a data folder", () => {
  it("is held while it is in use, and gone afterwards", async () => {
    const folder = freshFolder()
    const seen = await locked(
      folder,
      Effect.sync(() => readFileSync(`${folder}.lock`, "utf8")),
    )
    assert.strictEqual(seen._tag, "Success")
    if (seen._tag === "Success") assert.strictEqual(JSON.parse(seen.success).pid, process.pid)
    assert.isFalse(existsSync(`${folder}.lock`))
  })

  it("refuses a second user of the same process", async () => {
    const folder = freshFolder()
    const inner = await locked(folder, Effect.result(Effect.scoped(lockFolder(folder))))
    assert.strictEqual(inner._tag === "Success" ? inner.success?._tag : "none", "Failure")
    assert.strictEqual((await locked(folder))._tag, "Success")
  })

  it("refuses a live process by its pid, with a remedy", async () => {
    const folder = freshFolder()
    const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"])
    try {
      write(folder, { pid: child.pid })
      const result = await locked(folder)
      assert.strictEqual(result._tag, "Failure")
      if (result._tag === "Failure") {
        assert.instanceOf(result.failure, StoreError)
        assert.include(result.failure.message, String(child.pid))
        assert.include(result.failure.message, "delete")
      }
      assert.isTrue(existsSync(`${folder}.lock`))
    } finally {
      child.kill()
    }
  })

  it("takes over from a process that is gone", async () => {
    const folder = freshFolder()
    write(folder, { pid: await deadPid() })
    assert.strictEqual((await locked(folder))._tag, "Success")
  })

  it("takes over from a process that had the pid of this one: as after a restart in a container", async () => {
    const folder = freshFolder()
    write(folder, { pid: process.pid })
    assert.strictEqual((await locked(folder))._tag, "Success")
  })

  it("takes over from a process whose pid was given to another one", async () => {
    const folder = freshFolder()
    const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"])
    try {
      write(folder, { pid: child.pid, started: "1" })
      assert.strictEqual((await locked(folder))._tag, "Success")
    } finally {
      child.kill()
    }
  })

  it("takes over a torn file, and refuses one of another machine", async () => {
    const torn = freshFolder()
    writeFileSync(`${torn}.lock`, '{"pid":')
    assert.strictEqual((await locked(torn))._tag, "Success")
    const shared = freshFolder()
    write(shared, { pid: 1, host: "another-machine" })
    assert.strictEqual((await locked(shared))._tag, "Failure")
  })
})

describe("a data folder", () => {
  it("keeps threads, and what was counted of them, from one process to the next", async () => {
    const folder = freshFolder()
    const key = freshKey()
    const counted = freshKey()
    const written = await Effect.gen(function* () {
      const store = yield* ThreadStore
      yield* store.append(key, messages(1, 4))
      yield* store.mark(key, summary("m2"))
      yield* countedStep(counted, 1)
      return yield* store.load(key)
    }).pipe(Effect.provide(layerFrom(folder)), Effect.runPromise)
    const { read, calibration } = await Effect.gen(function* () {
      const read = yield* (yield* ThreadStore).load(key)
      return { read, calibration: (yield* nextPrompt(counted)).calibration }
    }).pipe(Effect.provide(layerFrom(folder)), Effect.runPromise)
    assert.deepStrictEqual(read, written)
    assert.strictEqual(read.rows.length, 2)
    assert.strictEqual(calibration.readings, 2)
    assert.approximately(calibration.factor, 1.5, 0.02)
  })
})
