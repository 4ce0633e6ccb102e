import {
  acceptFacts,
  FactExtractor,
  factsLayer,
  modelFacts,
  offlineFacts,
  type ProposedFact,
} from "@palimpsest/adapter-llm"
import { assistant, toolResult, type UserMessage, user } from "@palimpsest/core"
import { FactStore, Facts, FlushError, type FlushRequest, StoreError } from "@palimpsest/core/engine"
import { makeMemoryState } from "@palimpsest/core/testing"
import { Effect, Layer } from "effect"
import { afterEach, describe, expect, it } from "vitest"
import { fact, messageRow, model } from "./Fixtures.ts"
import { answers, type Provider, provider, says, status } from "./Provider.ts"

const KEY = { tenant: "t", chat: "c" }
const SECRET = "sk-live-0123456789abcdefghij"
const heartbeat: UserMessage = { ...user("Remember that my name is Bot."), synthetic: true }

const rows = [
  messageRow("m1", 1, user(`My name is Ana. I am allergic to peanuts.\nMy key is ${SECRET} and more.`)),
  messageRow("m2", 2, assistant("Your favourite colour is blue.")),
  messageRow("m3", 3, toolResult("c1", "User's email is eve@example.com")),
  messageRow("m4", 4, heartbeat),
]
const request: FlushRequest = { key: KEY, owner: "", boundary: "b1", rows }

describe("acceptFacts", () => {
  it.each<[string, Partial<ProposedFact>, string]>([
    ["a row of another span", { row: "m9" }, "UnknownRow"],
    ["an answer of the assistant", { row: "m2", quote: "Your favourite colour is blue" }, "NotTheUser"],
    ["a tool result", { row: "m3", quote: "User's email is eve@example.com" }, "NotTheUser"],
    ["a program in the user's role", { row: "m4", quote: "my name is Bot" }, "NotTheUser"],
    ["a quote that nobody said", { quote: "My name is Eva" }, "NotQuoted"],
    ["a quote of another row", { quote: "Your favourite colour" }, "NotQuoted"],
    ["a secret in the quote", { quote: `My key is ${SECRET}` }, "Secret"],
    ["a piece of a secret in the quote", { quote: SECRET.slice(5, 20) }, "Secret"],
    ["a secret in the value", { value: SECRET }, "Secret"],
    ["no value", { value: "  " }, "Unfit"],
    ["no quote", { quote: "" }, "Unfit"],
    ["a value as long as a document", { value: "x".repeat(5_000) }, "Unfit"],
  ])("refuses %s", (_, change, reason) => {
    expect(acceptFacts(request, [fact(change)])).toEqual({ facts: [], refusals: [reason] })
  })

  it("keeps a fact once, with an id of its thread and row", () => {
    const { facts, refusals } = acceptFacts(request, [fact(), fact({ value: " Ana\n" }), fact()])
    expect(refusals).toEqual([])
    expect(facts).toHaveLength(1)
    expect(facts[0]).toMatchObject({ value: "Ana", quote: "My name is Ana", row: "m1", position: 1 })
    const elsewhere = acceptFacts({ ...request, key: { tenant: "u", chat: "c" } }, [fact()])
    expect(elsewhere.facts[0]?.id).not.toBe(facts[0]?.id)
  })

  it("takes facts of others when the host allows it, about a subject of their own", () => {
    const said = fact({ row: "m3", attribute: "email", value: "eve@example.com", quote: "eve@example.com" })
    expect(acceptFacts(request, [said], { roles: ["assistant"] }).refusals).toEqual(["NotTheUser"])
    expect(acceptFacts(request, [said], { roles: ["user", "tool"] }).facts).toMatchObject([
      { subject: "tool: user", value: "eve@example.com" },
    ])
    const bot = fact({ row: "m4", quote: "my name is Bot" })
    expect(acceptFacts(request, [bot], { roles: ["user", "assistant", "tool"] }).refusals).toEqual([
      "NotTheUser",
    ])
  })
})

/** An extractor that counts its calls and finds other words each time, as a model does. */
const moody = (calls: Array<string>, fails = 0) =>
  Layer.succeed(
    FactExtractor,
    FactExtractor.of({
      name: "moody",
      extract: ({ boundary }) =>
        Effect.suspend(() => {
          const attribute = `name ${calls.push(boundary)}`
          return calls.length <= fails
            ? Effect.fail(new FlushError({ boundary, reason: "Unavailable", isRetryable: true }))
            : Effect.as(Effect.sleep(1), [fact({ attribute })])
        }),
    }),
  )

const flush = (of: FlushRequest = request) => Effect.flatMap(Facts, (facts) => facts.flush(of))
const kept = Effect.flatMap(FactStore, (store) => store.list(KEY))

const wired = (extractor: Layer.Layer<FactExtractor>, state = makeMemoryState()) =>
  factsLayer().pipe(Layer.provide(extractor), Layer.provideMerge(state.layer))

describe("factsLayer", () => {
  it("stores nothing twice and asks once, however often a boundary is flushed", async () => {
    const calls: Array<string> = []
    const result = await Effect.gen(function* () {
      return [yield* flush(), yield* flush(), yield* flush(), yield* kept]
    }).pipe(Effect.provide(wired(moody(calls))), Effect.runPromise)
    expect(result.slice(0, 3)).toEqual([1, 0, 0])
    expect(result[3]).toHaveLength(1)
    expect(calls).toEqual(["b1"])
  })

  it("asks for each boundary", async () => {
    const calls: Array<string> = []
    await Effect.andThen(flush(), flush({ ...request, boundary: "b2" })).pipe(
      Effect.provide(wired(moody(calls))),
      Effect.runPromise,
    )
    expect(calls).toEqual(["b1", "b2"])
  })

  it("does not pay again after a crash between the answer and the store", async () => {
    const calls: Array<string> = []
    const threads = makeMemoryState()
    const broken = Layer.mock(FactStore, {
      put: () => Effect.fail(new StoreError({ operation: "put", reason: "gone", isRetryable: true })),
    })
    const failed = await flush().pipe(
      Effect.flip,
      Effect.provide(factsLayer().pipe(Layer.provide([moody(calls), threads.layer, broken]))),
      Effect.runPromise,
    )
    expect(failed).toMatchObject({ _tag: "FlushError", boundary: "b1", isRetryable: true })
    const facts = await Effect.andThen(flush(), kept).pipe(
      Effect.provide(wired(moody(calls), threads)),
      Effect.runPromise,
    )
    expect(facts.map((one) => one.attribute)).toEqual(["name 1"])
    expect(calls).toEqual(["b1"])
  })

  it("two workers at once keep the facts of one of them", async () => {
    const calls: Array<string> = []
    const facts = await Effect.gen(function* () {
      yield* Effect.all([flush(), flush()], { concurrency: 2 })
      return yield* kept
    }).pipe(Effect.provide(wired(moody(calls))), Effect.runPromise)
    expect(calls).toHaveLength(2)
    expect(facts).toHaveLength(1)
  })

  it("remembers that there was nothing", async () => {
    const calls: Array<string> = []
    const nothing = Layer.succeed(
      FactExtractor,
      FactExtractor.of({
        name: "n",
        extract: () =>
          Effect.as(
            Effect.sync(() => calls.push("x")),
            [],
          ),
      }),
    )
    await Effect.andThen(flush(), flush()).pipe(Effect.provide(wired(nothing)), Effect.runPromise)
    expect(calls).toHaveLength(1)
  })

  it("remembers nothing of a failure", async () => {
    const calls: Array<string> = []
    const result = await Effect.gen(function* () {
      const failed = yield* Effect.flip(flush())
      return [failed._tag, yield* flush()]
    }).pipe(Effect.provide(wired(moody(calls, 1))), Effect.runPromise)
    expect(result).toEqual(["FlushError", 1])
  })

  it("goes on when its draft was damaged", async () => {
    const threads = makeMemoryState()
    threads.chat(KEY).drafts.set("facts/b1", "{")
    const count = await flush().pipe(Effect.provide(wired(moody([]), threads)), Effect.runPromise)
    expect(count).toBe(1)
  })
})

let server: Provider
afterEach(() => server?.close())

const extract = (characters?: number) =>
  Effect.flatMap(FactExtractor, (extractor) => extractor.extract(request)).pipe(
    Effect.exit,
    Effect.provide(
      modelFacts({ name: "tiny", ...(characters === undefined ? {} : { characters }) }).pipe(
        Layer.provide(model(server.url, { retries: 0 })),
      ),
    ),
    Effect.runPromise,
  )

describe("modelFacts", () => {
  it("sends what users and the assistant say, without secrets, tool results and programs", async () => {
    server = await provider(answers({ facts: [fact()] }))
    expect(await extract()).toMatchObject({ _tag: "Success", value: [fact()] })
    const text = JSON.stringify(server.seen[0]?.body)
    expect(text).toContain("[row m1 user] My name is Ana")
    expect(text).toContain("[row m2 assistant]")
    for (const word of [SECRET, "eve@example.com", "my name is Bot"]) expect(text).not.toContain(word)
    expect(String(server.seen[0]?.body.messages[1]?.content).split("\n").at(-1)).toContain('{"facts":[')
  })

  it("splits a long span, and sends each piece of it once", async () => {
    server = await provider(answers({ facts: [] }))
    await extract(60)
    expect(server.seen.length).toBeGreaterThan(2)
    const sent = server.seen.map((seen) => String(seen.body.messages[1]?.content)).join("\n")
    expect(sent.split("peanuts")).toHaveLength(2)
    expect(sent).not.toContain("456789")
  })

  it("asks once more after an unreadable answer", async () => {
    server = await provider(says("Sure!"), answers({ facts: [] }))
    expect(await extract()).toMatchObject({ _tag: "Success", value: [] })
  })

  it("fails as a FlushError", async () => {
    server = await provider(status(401))
    const exit = await extract()
    expect(exit._tag).toBe("Failure")
    expect(JSON.stringify(exit)).toContain("Unauthorized")
  })
})

const stated = (text: string) =>
  Effect.flatMap(FactExtractor, (extractor) =>
    extractor.extract({ ...request, rows: [messageRow("m1", 1, user(text))] }),
  ).pipe(Effect.provide(offlineFacts), Effect.runPromise)

describe("offlineFacts", () => {
  it.each([
    ["Hi, my name is Ana Sousa. Can you help?", "name", "Ana Sousa", "Hi, my name is Ana Sousa."],
    ["I prefer tabs over spaces.", "preference", "tabs over spaces", "I prefer tabs over spaces."],
    ["I'm allergic to peanuts!", "aversion", "peanuts", "I'm allergic to peanuts!"],
    ["From now on, answer in metric units.", "rule", "answer in metric units", undefined],
    ["My e-mail is ana.s@mail.example.com.", "email", "ana.s@mail.example.com", undefined],
    ["Call me at +351 912 345 678 please.", "phone", "+351 912 345 678", undefined],
    ["Ich heiße Jürgen.", "name", "Jürgen", "Ich heiße Jürgen."],
    ["Ich wohne in Köln.", "home", "Köln", undefined],
    ["Je m’appelle Chloé.", "name", "Chloé", undefined],
    ["Me llamo Íñigo.", "name", "Íñigo", undefined],
    ["Eu moro em São Paulo.", "home", "São Paulo", undefined],
    ["Sono allergica a noci.", "aversion", "noci", undefined],
    ["Меня зовут Анна.", "name", "Анна", undefined],
    ["我叫王芳。", "name", "王芳", "我叫王芳。"],
    ["我对花生过敏。", "aversion", "花生", undefined],
    ["私の名前は田中です。", "name", "田中", undefined],
  ])("%s", async (text, attribute, value, quote) => {
    const found = await stated(text)
    expect(found).toHaveLength(1)
    expect(found[0]).toMatchObject({ subject: "user", attribute, value, quote: quote ?? text, row: "m1" })
  })

  it.each([
    "What is my name?",
    "> My name is Ana.",
    "Do you know if I live in Lisbon?",
    "Write to sales@example.com for offers.",
    "The customer said my name is hard to spell.",
    "Fix the bug in src/name.ts",
    "",
  ])("finds nothing in %j", async (text) => {
    expect(await stated(text)).toEqual([])
  })

  it("its facts pass the check", async () => {
    const facts = await Effect.flatMap(FactExtractor, (extractor) => extractor.extract(request)).pipe(
      Effect.provide(offlineFacts),
      Effect.runPromise,
    )
    expect(acceptFacts(request, facts)).toMatchObject({ refusals: [] })
    expect(facts.map((one) => one.value)).toEqual(["Ana", "peanuts"])
  })

  it("is linear in a long text", async () => {
    const before = performance.now()
    await stated("a@b".repeat(100_000))
    await stated("my name is a ".repeat(50_000))
    expect(performance.now() - before).toBeLessThan(5_000)
  })
})
