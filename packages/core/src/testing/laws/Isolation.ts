/**
 * Law 17, isolation: no row of one tenant or chat reaches another.
 *
 * @since 0.1.0
 */
import { Effect } from "effect"
import fc from "fast-check"
import { ThreadStore } from "../../engine/ThreadStore.ts"
import type { ThreadKey } from "../../thread/Row.ts"
import { message, reset, summary } from "../contract/Case.ts"
import { type Law, property } from "../Law.ts"
import { memoryStore } from "../MemoryStore.ts"

/** Something done in one chat. */
interface Deed {
  readonly chat: number
  readonly what: "append" | "summary" | "reset" | "fail" | "draft"
  readonly n: number
}

/** Keys that a store which glues tenant and chat together would mix up. */
const KEYS: ReadonlyArray<ThreadKey> = [
  { tenant: "a", chat: "b" },
  { tenant: "ab", chat: "" },
  { tenant: "", chat: "ab" },
  { tenant: "a", chat: "b " },
]

const arbitraryDeeds: fc.Arbitrary<ReadonlyArray<Deed>> = fc.array(
  fc.record({
    chat: fc.nat({ max: KEYS.length - 1 }),
    what: fc.constantFrom("append", "append", "append", "summary", "reset", "fail", "draft"),
    n: fc.integer({ min: 1, max: 6 }),
  }),
  { maxLength: 30 },
)

const keyOf = (chat: number): ThreadKey => KEYS[chat] ?? { tenant: "", chat: "" }

const act = (store: (typeof ThreadStore)["Service"], { chat, what, n }: Deed) => {
  const key = keyOf(chat)
  switch (what) {
    case "append":
      return Effect.ignore(store.append(key, [message(`m${n}`, `${n} in chat ${chat}`)]))
    case "summary":
      return Effect.ignore(store.mark(key, summary(`m${n}`)))
    case "reset":
      return Effect.ignore(store.mark(key, reset(`m${n}`)))
    case "fail":
      return Effect.ignore(store.fail(key, { anchor: `m${n}`, stage: "check", reason: `${chat}`, tokens: n }))
    case "draft":
      return Effect.ignore(store.saveDraft(key, `d${n}`, `draft of chat ${chat}`))
  }
}

/** All that a store says of a chat after some deeds. */
const seen = (chat: number, deeds: ReadonlyArray<Deed>): Promise<string> =>
  Effect.gen(function* () {
    const store = yield* ThreadStore
    for (const deed of deeds) yield* act(store, deed)
    const key = keyOf(chat)
    const drafts = yield* Effect.forEach([1, 2, 3, 4, 5, 6], (n) => store.draft(key, `d${n}`))
    const row = yield* Effect.result(store.row(key, "m1"))
    return JSON.stringify([yield* store.load(key), yield* store.page(key, 0, 100), drafts, row._tag])
  }).pipe(Effect.provide(memoryStore), Effect.runPromise)

/**
 * Law 17.
 *
 * @category laws
 * @since 0.1.0
 */
export const isolationLaw: Law = {
  number: 17,
  title: "isolation",
  properties: [
    property(
      "a chat is what was done in it, whatever is done in others",
      fc.asyncProperty(arbitraryDeeds, fc.nat({ max: KEYS.length - 1 }), async (deeds, chat) => {
        const among = await seen(chat, deeds)
        const alone = await seen(
          chat,
          deeds.filter((deed) => deed.chat === chat),
        )
        return among === alone
      }),
    ),
  ],
}
