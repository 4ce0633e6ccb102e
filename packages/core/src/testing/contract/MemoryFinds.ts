/**
 * Contract: what is found in long-term memory, in which order, and within which bounds.
 *
 * @since 0.1.0
 */
import { Effect } from "effect"
import { assistant } from "../../thread/Message.ts"
import { holds, message, type StoreCase, same } from "./Case.ts"
import { type MemoryPorts, memoryCase, places } from "./MemoryCase.ts"

/** A day, in milliseconds: what is said days apart is no one conversation. */
const DAY = 86_400_000

const finds = (query: string, said: string, others: ReadonlyArray<string>) =>
  memoryCase(`finds "${query}"`, ({ say, indexAll, search }) =>
    Effect.gen(function* () {
      yield* say("found", [said], { at: DAY })
      for (const [i, other] of others.entries()) yield* say(`other ${i}`, [other], { at: (i + 2) * DAY })
      yield* indexAll()
      const { found, degraded } = yield* search(query)
      yield* same("degraded", degraded, [])
      yield* same("first", found[0]?.document.chat, "found")
      yield* same("text", found[0]?.document.text, said)
      yield* same("rank", found[0]?.words, 1)
    }),
  )

/** Finding. */
export const memoryFindCases: ReadonlyArray<StoreCase<MemoryPorts>> = [
  finds("which parcel arrives?", "The parcels arrived on Tuesday.", [
    "The train left.",
    "Nothing new today.",
  ]),
  finds("де моя книга?", "Я загубила книгу про Карпати.", ["Потяг вирушив о шостій.", "Сьогодні дощ."]),
  finds("北京", "我住在北京的一个小区。", ["今天下雨了。", "火车已经开了。"]),
  finds("AX-4471 status", "The number of the order is AX-4471.", ["The order is late.", "Status unknown."]),
  memoryCase("a query that asks for no word finds nothing, and is no error", ({ say, indexAll, search }) =>
    Effect.gen(function* () {
      yield* say("c1", ["The parcels arrived."])
      yield* indexAll()
      for (const query of ["", "   ", "?!", "what is the", "\u0000\ud800", "'); drop table x; --"]) {
        const { found } = yield* search(query)
        yield* holds(
          `words of ${JSON.stringify(query)}`,
          found.every(({ words }) => words === null),
        )
      }
      yield* same("tenant without anything", (yield* search("parcel", { tenant: "nobody" })).found, [])
    }),
  ),
  memoryCase("of equal documents the newest comes first", ({ say, indexAll, search }) =>
    Effect.gen(function* () {
      for (const [chat, day] of [
        ["a", 2],
        ["b", 3],
        ["c", 1],
      ] as const)
        yield* say(chat, ["The key is under the mat."], { at: day * DAY })
      yield* indexAll()
      yield* same("order", places(yield* search("key mat")), ["b/m1", "a/m1", "c/m1"])
    }),
  ),
  memoryCase(
    "answers no more than the limit, and all there are when these are fewer",
    ({ say, indexAll, search }) =>
      Effect.gen(function* () {
        yield* say(
          "c1",
          Array.from({ length: 12 }, (_, i) => `Lamp number ${i}.`),
        )
        yield* indexAll()
        yield* same("few", (yield* search("lamp", { limit: 5 })).found.length, 5)
        yield* same("all", (yield* search("lamp", { limit: 50 })).found.length, 12)
        yield* same("none", (yield* search("lamp", { limit: 0 })).found, [])
      }),
  ),
  memoryCase(
    "keeps to the chats, speakers and times that are asked for",
    ({ key, store, say, indexAll, search }) =>
      Effect.gen(function* () {
        yield* say("a", ["The boiler was mended."], { at: DAY })
        yield* say("b", ["The boiler is broken."], { at: 2 * DAY })
        const answer = { ...message("m2", assistant("A boiler lasts long.")), at: 3 * DAY }
        yield* store.append({ ...key, chat: "b" }, [answer])
        yield* indexAll()
        const found = (options: Parameters<typeof search>[1]) =>
          Effect.map(search("boiler", options), (result) => [...places(result)].sort())
        yield* same("all", yield* found({}), ["a/m1", "b/m1", "b/m2"])
        yield* same("chats", yield* found({ chats: ["b"] }), ["b/m1", "b/m2"])
        yield* same("no chats", yield* found({ chats: [] }), [])
        yield* same("roles", yield* found({ roles: ["assistant"] }), ["b/m2"])
        yield* same("since", yield* found({ since: 2 * DAY }), ["b/m1", "b/m2"])
        yield* same("until", yield* found({ until: 2 * DAY }), ["a/m1"])
      }),
  ),
  memoryCase(
    "leaves out what is visible, also where a fork shows it",
    ({ key, editor, say, indexAll, search }) =>
      Effect.gen(function* () {
        yield* say("a", ["The garden needs water.", "The garden needs light."])
        yield* editor.fork({ ...key, chat: "a" }, "fork")
        yield* say("fork", ["The garden needs shade."], { from: 3 })
        yield* indexAll()
        const all = places(yield* search("garden"))
        yield* same("each once", [...all].sort(), ["a/m1", "a/m2", "fork/m3"])
        const except = { chat: "fork", rows: ["m1", "m3"] }
        yield* same("not visible", places(yield* search("garden", { except })), ["a/m2"])
        const shown = places(yield* search("garden", { chats: ["fork"] }))
        yield* same("of the fork", [...shown].sort(), ["a/m1", "a/m2", "fork/m3"])
      }),
  ),
  memoryCase("nothing of another owner or tenant is found", ({ key, say, indexAll, search, index }) =>
    Effect.gen(function* () {
      const owners = ["", "ann", "Ann", "ann ", "bob"]
      for (const owner of owners) yield* say(`of ${owner}.`, ["The safe has a code."], { owner })
      yield* indexAll()
      for (const owner of owners)
        yield* same(owner, places(yield* search("safe code", { owner })), [`of ${owner}./m1`])
      yield* same("unknown owner", places(yield* search("safe code", { owner: "eve" })), [])
      for (const tenant of [`${key.tenant} `, key.tenant.toUpperCase(), ""]) {
        yield* Effect.ignore(index.index(tenant))
        const found = yield* Effect.orElseSucceed(search("safe code", { tenant }), () => null)
        yield* same(`tenant ${tenant}`, found === null ? [] : places(found), [])
      }
    }),
  ),
]
