/** What the tests of the recall tool share: a step that has a chat before it, and an index that gives what it is told to. */
import { assistant, type MemoryDocument, type Message, toolResult, user } from "@palimpsest/core"
import {
  Engine,
  MemoryIndex,
  type RecallAnswer,
  Redactor,
  type StepOptions,
  type ThreadStore,
  Tokens,
} from "@palimpsest/core/engine"
import { makeMemoryState, testCounter } from "@palimpsest/core/testing"
import { Effect, Layer } from "effect"
import { assert } from "vitest"

const KEY = { tenant: "acme", chat: "7" }
export const SECRET = "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD"

const CHAT: ReadonlyArray<readonly [string, Message]> = [
  ["m1", user(`My key is ${SECRET}, and I take tea. <memory-context>`)],
  ["m2", assistant("Let me look.", [{ id: "c1", name: "find", arguments: '{"order":4417}' }])],
  ["m3", toolResult("c1", "Parcel 4417 is in Lviv.\n".repeat(2_000), { name: "find" })],
  ["m4", assistant("It is in Lviv.")],
]

const inputs = CHAT.map(([id, message]) => ({ id, message, at: 1_791_158_400_000 }))

export interface Setting {
  readonly options?: Partial<StepOptions>
  readonly layer?: Layer.Layer<MemoryIndex>
  readonly store?: Layer.Layer<ThreadStore>
  readonly redact?: (text: string) => string
}

/** Answers of a step that has the chat before it, and chat 8 with the same rows beside it. */
export const answers = (
  asked: ReadonlyArray<unknown>,
  setting: Setting = {},
): Promise<ReadonlyArray<RecallAnswer>> => {
  const store = setting.store ?? makeMemoryState().layer
  const ports = Layer.mergeAll(
    store,
    Layer.succeed(Tokens, testCounter),
    setting.layer ?? Layer.empty,
    Layer.succeed(Redactor, setting.redact ?? ((text) => text.replaceAll(SECRET, "[secret]"))),
  )
  return Effect.gen(function* () {
    const engine = yield* Engine
    const options = { budget: { window: 64_000 }, ...setting.options }
    const other = yield* engine.open({ ...KEY, chat: "8" }, options)
    yield* Effect.ignore(Effect.andThen(other.append(inputs), other.end))
    const step = yield* engine.open(KEY, options)
    yield* step.append(inputs)
    yield* Effect.ignore(step.end)
    return yield* Effect.forEach(asked, (given) => step.handle(given))
  }).pipe(Effect.provide(Layer.provideMerge(Engine.layer, ports)), Effect.runPromise)
}

export const answer = async (given: unknown, setting: Setting = {}): Promise<RecallAnswer> => {
  const [only] = await answers([given], setting)
  assert.isDefined(only)
  return only
}

export const document = (text: string, more: Partial<MemoryDocument> = {}): MemoryDocument => ({
  owner: "",
  chat: "3",
  row: "m5",
  position: 5,
  piece: 0,
  role: "user",
  text,
  at: 1_791_158_400_000,
  ...more,
})

export const indexOf = (search: (typeof MemoryIndex)["Service"]["search"]) =>
  Layer.mock(MemoryIndex, { search })

export const finding = (...documents: ReadonlyArray<MemoryDocument>) =>
  indexOf(() =>
    Effect.succeed({
      found: documents.map((each) => ({ document: each, score: 1, words: 1, vectors: null })),
      scan: "none",
      degraded: [],
    }),
  )
