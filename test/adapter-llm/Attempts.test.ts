import { openAiChatConfig } from "@palimpsest/adapter-llm"
import { ConfigProvider, Effect, Exit, Fiber, Layer } from "effect"
import { LanguageModel } from "effect/ai"
import { FetchHttpClient } from "effect/http"
import { TestClock } from "effect/testing"
import { describe, expect, it } from "vitest"
import { attempts, type FailedTry } from "../../packages/adapter-llm/src/Attempts.js"
import { timedOut } from "../../packages/adapter-llm/src/OpenAiFailure.js"
import { retryAfter } from "../../packages/adapter-llm/src/RetryAfter.js"
import { KEY, model } from "./Fixtures.ts"
import { hang, provider, says } from "./Provider.ts"

const NOW = Date.UTC(2026, 0, 5, 12, 0, 0)

describe("retryAfter", () => {
  it.each<[Record<string, string>, number | undefined]>([
    [{}, undefined],
    [{ "retry-after": "3" }, 3_000],
    [{ "retry-after": " 0 " }, 0],
    [{ "retry-after": "1.5" }, 1_500],
    [{ "retry-after-ms": "40", "retry-after": "3" }, 40],
    [{ "retry-after": "Mon, 05 Jan 2026 12:00:30 GMT" }, 30_000],
    [{ "retry-after": "Monday, 05-Jan-26 12:00:30 GMT" }, 30_000],
    [{ "retry-after": "Mon, 05 Jan 2026 11:00:00 GMT" }, 0],
    [{ "retry-after": "-5" }, undefined],
    [{ "retry-after": "soon" }, undefined],
    [{ "retry-after": "1e9" }, undefined],
    [{ "retry-after": "2026" }, 2_026_000],
    [{ "retry-after": "Mon, 99 Foo 2026 12:00:30 GMT" }, undefined],
  ])("%j", (headers, expected) => {
    expect(retryAfter(headers, NOW)).toBe(expected)
  })
})

const endpoint = {
  module: "OpenAiChat",
  method: "generateText",
  path: "chat/completions",
  answer: "chat completion",
}
const tooLate = (limit: number) => timedOut(endpoint, limit)

const failing = (wait?: number): FailedTry => ({ ...tooLate(1), ...(wait === undefined ? {} : { wait }) })

/** Runs tries on the test's clock, and returns the milliseconds at which each began and how it ended. */
const timesOf = (once: Effect.Effect<string, FailedTry>, bounds: Parameters<typeof attempts>[0]) =>
  Effect.gen(function* () {
    const begun: Array<number> = []
    const clock = Effect.clockWith((c) => c.currentTimeMillis)
    const noted = Effect.andThen(
      Effect.map(clock, (now) => void begun.push(now)),
      once,
    )
    const fiber = yield* Effect.forkChild(Effect.exit(attempts(bounds, tooLate, noted)), {
      startImmediately: true,
    })
    yield* TestClock.adjust("10 minutes")
    return { begun, exit: yield* Fiber.join(fiber) }
  }).pipe(Effect.provide(TestClock.layer()), Effect.runPromise)

describe("tries within a deadline", () => {
  it("double their waits, give or take a fifth", async () => {
    const { begun } = await timesOf(Effect.fail(failing()), { backoff: 1_000, retries: 3 })
    const waits = begun.slice(1).map((at, i) => at - (begun[i] ?? 0))
    expect(waits).toHaveLength(3)
    for (const [i, wait] of waits.entries()) {
      expect(wait).toBeGreaterThanOrEqual(800 * 2 ** i)
      expect(wait).toBeLessThanOrEqual(1_200 * 2 ** i)
    }
  })

  it("wait as long as asked for, and not less than their own wait", async () => {
    const { begun } = await timesOf(Effect.fail(failing(30_000)), { backoff: 1_000, retries: 1 })
    expect(begun).toEqual([0, 30_000])
    const hasty = await timesOf(Effect.fail(failing(0)), { backoff: 1_000, retries: 1 })
    expect(hasty.begun[1]).toBeGreaterThanOrEqual(800)
  })

  it("never begin after the deadline, and never outlast it", async () => {
    const { begun, exit } = await timesOf(Effect.never, {
      backoff: 1_000,
      retries: 100,
      timeout: 7_000,
      deadline: 20_000,
    })
    expect(Exit.isFailure(exit)).toBe(true)
    expect(Math.max(...begun)).toBeLessThan(20_000)
    const ended = await Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(
        Effect.exit(attempts({ timeout: 60_000, deadline: 20_000 }, tooLate, Effect.never)),
        { startImmediately: true },
      )
      yield* TestClock.adjust("20 seconds")
      return fiber.pollUnsafe() !== undefined
    }).pipe(Effect.provide(TestClock.layer()), Effect.runPromise)
    expect(ended).toBe(true)
  })

  it("do not begin a wait that ends after the deadline", async () => {
    const { begun } = await timesOf(Effect.fail(failing(20_000)), { deadline: 20_000, retries: 5 })
    expect(begun).toEqual([0])
  })
})

describe("the connection", () => {
  it("is dropped when the caller is interrupted", async () => {
    const server = await provider(hang)
    const call = LanguageModel.generateText({ prompt: "hello" })
    await Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(call, { startImmediately: true })
      while (server.seen.length === 0) yield* Effect.sleep(5)
      yield* Fiber.interrupt(fiber)
    }).pipe(Effect.provide(model(server.url, { timeout: 60_000 })), Effect.runPromise)
    await expect.poll(server.aborted, { timeout: 5_000 }).toBe(1)
    await server.close()
  })
})

describe("openAiChatConfig", () => {
  const run = (values: Record<string, string>) =>
    LanguageModel.generateText({ prompt: "hello" }).pipe(
      Effect.map((response) => response.text),
      Effect.provide(
        openAiChatConfig({ retries: 0 }).pipe(
          Layer.provide(FetchHttpClient.layer),
          Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown(values))),
        ),
      ),
      Effect.exit,
      Effect.runPromise,
    )

  it("takes address, key and model from the configuration", async () => {
    const server = await provider(says("hi"))
    const url = `${server.url}/`
    expect(
      await run({ PALIMPSEST_LLM_URL: url, PALIMPSEST_LLM_KEY: KEY, PALIMPSEST_LLM_MODEL: "m" }),
    ).toEqual(Exit.succeed("hi"))
    expect(await run({ PALIMPSEST_LLM_URL: url, PALIMPSEST_LLM_MODEL: "m" })).toEqual(Exit.succeed("hi"))
    await server.close()
    expect(server.seen.map((seen) => [seen.path, seen.headers.authorization, seen.body.model])).toEqual([
      ["/v1/chat/completions", `Bearer ${KEY}`, "m"],
      ["/v1/chat/completions", undefined, "m"],
    ])
  })

  it("fails without an address", async () => {
    expect(Exit.isFailure(await run({ PALIMPSEST_LLM_MODEL: "m" }))).toBe(true)
  })
})
