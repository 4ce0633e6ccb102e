import { Summariser, SummariserError } from "@palimpsest/core/engine"
import { Effect, Redacted } from "effect"
import { describe, expect, it } from "vitest"
import { delta, KEY, outcomeOf, reasonOf, requestOf, summariser, transcript } from "./Fixtures.ts"
import {
  answers,
  cutBody,
  garbage,
  hang,
  message,
  provider,
  providers,
  type Reply,
  reset,
  says,
  status,
} from "./Provider.ts"

const start = providers()

const noQuota = { code: "insufficient_quota", message: "You exceeded your current quota" }
const tooLong = { code: "context_length_exceeded", message: "maximum context length is 8192 tokens" }
const wrongShape = { add: [{ kind: "rumour", text: "x", sources: [] }], resolve: [], drop: [] }

describe("one reply of the server", () => {
  it.each<[string, Reply, string, boolean]>([
    ["a delta", answers(delta), "none", false],
    ["SUMFAIL-01: only reasoning", message({ reasoning_content: "Let me think" }), "Empty", true],
    ["SUMFAIL-01: an empty text", says(""), "Empty", true],
    ["SUMFAIL-01: blanks", says("   \n"), "Empty", true],
    [
      "SUMFAIL-03: a refusal in prose",
      says("I am sorry, but I will not.\n\nAsk me else."),
      "Undecodable",
      true,
    ],
    ["SUMFAIL-03: a refusal by the protocol", message({ refusal: "I can't help." }), "Refused", false],
    ["SUMFAIL-04: tool syntax", says('<tool_call>{"name":"ls"}</tool_call>'), "Undecodable", true],
    ["SUMFAIL-04: a tool call", says("", "tool_calls"), "Undecodable", true],
    ["SUMFAIL-05: cut off", says("## Goal\nThe user wan", "length"), "CutOff", true],
    ["SUMFAIL-05: cut off, but whole by chance", says(JSON.stringify(delta), "length"), "CutOff", true],
    ["SUMFAIL-05: stopped by a filter", says("{", "content_filter"), "Refused", false],
    ["SUMFAIL-06: an answer to the transcript", says("4"), "Undecodable", true],
    ["another shape", answers(wrongShape), "Undecodable", true],
    ["a page instead of JSON", garbage, "Undecodable", true],
    ["a completion without choices", (r) => void r.end('{"choices":[]}'), "Undecodable", true],
    ["a hang", hang, "Timeout", true],
    ["a reset connection", reset, "Unreachable", true],
    ["a body that is cut", cutBody, "Unreachable", true],
    ["400", status(400), "Invalid", false],
    ["400, too long", status(400, {}, tooLong), "TooLong", false],
    ["401", status(401, {}, { message: `Incorrect API key provided: ${KEY}` }), "Unauthorized", false],
    ["403", status(403), "Unauthorized", false],
    ["404", status(404), "Invalid", false],
    ["413", status(413), "TooLong", false],
    ["429", status(429), "RateLimited", true],
    ["429, no quota", status(429, {}, noQuota), "QuotaExhausted", false],
    ["500", status(500), "Unavailable", true],
    ["503", status(503), "Unavailable", true],
  ])("%s", async (_, reply, reason, retryable) => {
    const server = await start(reply)
    const outcome = await outcomeOf(
      summariser(server.url, { retries: 0, timeout: reply === hang ? 100 : 10_000 }),
    )
    expect(reasonOf(outcome)).toBe(reason)
    if (outcome instanceof SummariserError) {
      expect(outcome.isRetryable).toBe(retryable)
      expect(`${outcome.message} ${JSON.stringify(outcome)}`).not.toContain(KEY)
    } else expect(outcome).toEqual(delta)
    expect(server.seen).toHaveLength(1)
  })

  it("refused connections are Unreachable", async () => {
    const server = await provider(hang)
    await server.close()
    expect(reasonOf(await outcomeOf(summariser(server.url, { retries: 1 })))).toBe("Unreachable")
  })

  it("a key that cannot be a header is Unauthorized, and not sent", async () => {
    const server = await start(answers(delta))
    const outcome = await outcomeOf(summariser(server.url, { key: Redacted.make(`${KEY}\n`) }))
    expect(reasonOf(outcome)).toBe("Unauthorized")
    expect(JSON.stringify(outcome)).not.toContain(KEY)
    expect(server.seen).toHaveLength(0)
  })
})

describe("several tries", () => {
  it.each<[string, ReadonlyArray<Reply>, number]>([
    ["500, then well", [status(500), answers(delta)], 2],
    ["reset, cut, then well", [reset, cutBody, answers(delta)], 3],
    ["garbage, then well", [garbage, answers(delta)], 2],
    ["a hang, then well", [hang, answers(delta)], 2],
    ["429 without a wait, then well", [status(429), answers(delta)], 2],
  ])("%s", async (_, replies, requests) => {
    const server = await start(...replies)
    expect(await outcomeOf(summariser(server.url, replies[0] === hang ? { timeout: 1_000 } : {}))).toEqual(
      delta,
    )
    expect(server.seen).toHaveLength(requests)
  })

  it.each([401, 403, 400, 404])("%d is not tried again", async (code) => {
    const server = await start(status(code))
    await outcomeOf(summariser(server.url))
    expect(server.seen).toHaveLength(1)
  })

  it("are bounded", async () => {
    const server = await start(status(503))
    expect(reasonOf(await outcomeOf(summariser(server.url, { retries: 2 })))).toBe("Unavailable")
    expect(server.seen).toHaveLength(3)
  })

  it.each([
    ["retry-after-ms", "120"],
    ["retry-after", "0.12"],
  ])("wait as long as the server asks: %s", async (header, value) => {
    const server = await start(status(429, { [header]: value }), answers(delta))
    expect(await outcomeOf(summariser(server.url))).toEqual(delta)
    expect((server.seen[1]?.at ?? 0) - (server.seen[0]?.at ?? 0)).toBeGreaterThanOrEqual(115)
  })

  it("end before a wait that would pass the deadline", async () => {
    const server = await start(status(429, { "retry-after": "3600" }), answers(delta))
    const before = performance.now()
    expect(reasonOf(await outcomeOf(summariser(server.url)))).toBe("RateLimited")
    expect(performance.now() - before).toBeLessThan(10_000)
    expect(server.seen).toHaveLength(1)
  })

  it("ask again after an unreadable answer, as often as told", async () => {
    const server = await start(says("As you wish:"), answers(delta))
    expect(await outcomeOf(summariser(server.url, {}, { retries: 1 }))).toEqual(delta)
    const stubborn = await start(says("As you wish:"))
    expect(reasonOf(await outcomeOf(summariser(stubborn.url, {}, { retries: 2 })))).toBe("Undecodable")
    expect(stubborn.seen).toHaveLength(3)
  })

  it("do not multiply: a failing server is not asked again by the summariser", async () => {
    const server = await start(status(503))
    await outcomeOf(summariser(server.url, { retries: 1 }, { retries: 5 }))
    expect(server.seen).toHaveLength(2)
  })

  it("SUMFAIL-19: a failure changes nothing for the next time", async () => {
    const server = await start(status(503), answers(delta))
    const outcomes = await Effect.gen(function* () {
      const { summarise } = yield* Summariser
      const first = yield* Effect.exit(summarise(requestOf(transcript)))
      return [first._tag, yield* summarise(requestOf(transcript))]
    }).pipe(Effect.provide(summariser(server.url, { retries: 0 })), Effect.runPromise)
    expect(outcomes).toEqual(["Failure", delta])
    expect(server.seen.map((request) => request.body.model)).toEqual(["tiny", "tiny"])
  })
})
