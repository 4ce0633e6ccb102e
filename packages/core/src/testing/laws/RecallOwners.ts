/**
 * Law 17 of the recall tool: nothing of another owner or tenant is given, whatever is asked and whatever the ports give.
 *
 * @since 0.1.0
 */
import { Effect, Layer } from "effect"
import fc from "fast-check"
import { Engine } from "../../engine/Engine.ts"
import { MemoryIndex } from "../../engine/MemoryIndex.ts"
import { ThreadStore } from "../../engine/ThreadStore.ts"
import { Tokens } from "../../engine/Tokens.ts"
import type { MemoryDocument } from "../../recall/Document.ts"
import { rowAddress } from "../../thread/Address.ts"
import { user } from "../../thread/Message.ts"
import type { ThreadKey } from "../../thread/Row.ts"
import { testCounter } from "../arbitraries/Rows.ts"
import { type Property, property } from "../Law.ts"
import { makeMemoryState } from "../MemoryStore.ts"

interface Chat extends ThreadKey {
  readonly owner: string
}

const TENANTS = ["a", "ab"]
const CHATS = ["b", "b/m1", "", "%2F", "chat:b"]
const OWNERS = ["", "anna", "bob"]
const ROWS = ["m1", "chat:b/m1", "row:m1"]

const all: ReadonlyArray<ThreadKey> = TENANTS.flatMap((tenant) => CHATS.map((chat) => ({ tenant, chat })))

const sameKey = (a: ThreadKey, b: ThreadKey): boolean => a.tenant === b.tenant && a.chat === b.chat

/** Words that one row of one chat alone holds. */
const secretOf = (key: ThreadKey, row: string): string =>
  `parcel <${TENANTS.indexOf(key.tenant)}.${CHATS.indexOf(key.chat)}.${ROWS.indexOf(row)}>`

const arbitraryChats: fc.Arbitrary<ReadonlyArray<Chat>> = fc
  .array(fc.constantFrom(...OWNERS), { minLength: all.length, maxLength: all.length })
  .map((owners) => all.map((key, i) => ({ ...key, owner: owners[i] ?? "" })))

/** A store that knows owners, whatever the one beneath does. */
const storeOf = (chats: ReadonlyArray<Chat>) =>
  Layer.effect(
    ThreadStore,
    Effect.map(ThreadStore, (store) =>
      ThreadStore.of({
        ...store,
        load: (key) =>
          Effect.map(store.load(key), (thread) => ({
            ...thread,
            owner: chats.find((chat) => sameKey(chat, key))?.owner ?? "",
          })),
      }),
    ),
  ).pipe(Layer.provide(makeMemoryState().layer))

/** An index that gives everything of a tenant to everybody in it. */
const leakyIndex = (chats: ReadonlyArray<Chat>) =>
  Layer.mock(MemoryIndex, {
    search: ({ tenant }) =>
      Effect.succeed({
        found: chats
          .filter((chat) => chat.tenant === tenant)
          .flatMap((key) =>
            ROWS.map((row, position): MemoryDocument => {
              const { owner, chat } = key
              return { owner, chat, row, position, piece: 0, role: "user", text: secretOf(key, row), at: 0 }
            }),
          )
          .map((document) => ({ document, score: 1, words: 1, vectors: null })),
        scan: "none",
        degraded: [],
      }),
  })

/** Everything that the tool answers in one chat: rows by every address, and searches. */
const answersIn = Effect.fnUntraced(function* (key: ThreadKey) {
  const engine = yield* Engine
  const store = yield* ThreadStore
  for (const one of all)
    for (const id of ROWS)
      yield* store.append(one, [
        { id, message: user(secretOf(one, id)), tokens: 9, tokenizer: testCounter.name },
      ])
  const step = yield* engine.open(key, { budget: { window: 64_000 } })
  const addresses = CHATS.flatMap((chat) => ROWS.map((row) => rowAddress(row, chat)))
  const asked = [...addresses, ...ROWS, ...ROWS.map((row) => rowAddress(row))].map((id) => ({ ids: [id] }))
  const pages = [0, 10, 20].map((page) => ({ query: "parcel", page }))
  const answers = yield* Effect.forEach([...asked, ...pages], (given) => step.handle(given))
  return answers.map(({ text }) => text).join("\n")
})

/**
 * The property of the recall tool among tenants and owners.
 *
 * @category laws
 * @since 0.1.0
 */
export const recallOwners: ReadonlyArray<Property> = [
  property(
    "the tool gives the rows of its tenant and owner, all of them, and no others",
    fc.asyncProperty(arbitraryChats, fc.nat({ max: all.length - 1 }), async (chats, at) => {
      const here = chats[at]
      if (here === undefined) return false
      const ports = Layer.mergeAll(storeOf(chats), leakyIndex(chats), Layer.succeed(Tokens, testCounter))
      const answers = await Effect.runPromise(
        Effect.provide(answersIn(here), Layer.provideMerge(Engine.layer, ports)),
      )
      return chats.every((chat) => {
        const mine = chat.tenant === here.tenant && chat.owner === here.owner
        return ROWS.every((row) => answers.includes(secretOf(chat, row)) === mine)
      })
    }),
  ),
]
