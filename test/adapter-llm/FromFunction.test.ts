import { type SummariserFunction, summariserFrom } from "@palimpsest/adapter-llm"
import { Summariser } from "@palimpsest/core/engine"
import { Effect, Fiber } from "effect"
import { describe, expect, it } from "vitest"
import { delta, outcomeOf, reasonOf, requestOf, transcript } from "./Fixtures.ts"

const from = (summarise: SummariserFunction["summarise"], timeout = 30) =>
  summariserFrom({ name: "mine", window: 1_000, timeout, summarise })

const hostile = new Proxy(
  {},
  {
    get() {
      throw new Error("no")
    },
    ownKeys() {
      throw new Error("no")
    },
  },
)

const trapped = {
  ...delta,
  get add(): never {
    throw new Error("no")
  },
}

describe("VIS-05: whatever a host's function does is a value", () => {
  it.each<[string, SummariserFunction["summarise"], string]>([
    ["answers", async () => delta, "none"],
    ["answers with more fields", async () => ({ ...delta, note: "x" }), "none"],
    ["answers with a text", async () => "summary", "Undecodable"],
    ["answers with nothing", async () => undefined, "Undecodable"],
    ["answers with half a delta", async () => ({ add: [] }), "Undecodable"],
    ["answers with an object that throws", async () => hostile, "Failed"],
    ["answers with a field that throws", async () => trapped, "Undecodable"],
    ["rejects with an error", () => Promise.reject(new TypeError("secret words")), "Failed"],
    ["rejects with a text", () => Promise.reject("secret words"), "Failed"],
    ["rejects with nothing", () => Promise.reject(undefined), "Failed"],
    ["rejects with an object that throws", () => Promise.reject(hostile), "Failed"],
    [
      "throws a text at once",
      () => {
        throw "secret words"
      },
      "Failed",
    ],
    ["returns no promise", (() => 5) as never, "Undecodable"],
    ["never resolves", () => new Promise(() => {}), "Timeout"],
  ])("%s", async (_, summarise, reason) => {
    const outcome = await outcomeOf(from(summarise))
    expect(reasonOf(outcome)).toBe(reason)
    if (reason === "none") expect(outcome).toEqual(delta)
    expect(JSON.stringify(outcome)).not.toContain("secret words")
  })

  it("an interrupt ends a function that never resolves, and aborts its signal", async () => {
    let aborted = false
    const layer = from(
      (_, signal) =>
        new Promise(() => {
          signal.addEventListener("abort", () => {
            aborted = true
          })
        }),
      60_000,
    )
    const before = performance.now()
    const exit = await Effect.gen(function* () {
      const { summarise } = yield* Summariser
      const fiber = yield* Effect.forkChild(summarise(requestOf(transcript)), { startImmediately: true })
      yield* Effect.sleep(10)
      yield* Fiber.interrupt(fiber)
      return yield* Fiber.await(fiber)
    }).pipe(Effect.provide(layer), Effect.runPromise)
    expect(exit._tag).toBe("Failure")
    expect(aborted).toBe(true)
    expect(performance.now() - before).toBeLessThan(10_000)
  })

  it("the signal is aborted at the time-out", async () => {
    let aborted = false
    await outcomeOf(
      from((_, signal) => {
        signal.addEventListener("abort", () => {
          aborted = true
        })
        return new Promise(() => {})
      }),
    )
    expect(aborted).toBe(true)
  })
})
