/**
 * One case of the contract of a store, and what the cases are written with.
 *
 * @since 0.1.0
 */
import { Effect, Result } from "effect"
import { ThreadEditor } from "../../engine/ThreadEditor.ts"
import { type MarkOutcome, type NewMark, type NewMessage, ThreadStore } from "../../engine/ThreadStore.ts"
import { emptySummary, type Summary } from "../../summary/Item.ts"
import { type Message, user } from "../../thread/Message.ts"
import type { Mark, Pass, Row, ThreadKey } from "../../thread/Row.ts"
import type { StorePorts } from "../MemoryStore.ts"

/**
 * A named case. `run` fails with a reason when the store breaks the contract.
 *
 * @category models
 * @since 0.1.0
 */
export interface StoreCase<R = ThreadStore> {
  readonly name: string
  /** Needs a store that several sessions use at once to prove anything. */
  readonly concurrent: boolean
  readonly run: Effect.Effect<void, unknown, R>
}

type Store = ThreadStore["Service"]
type Editor = ThreadEditor["Service"]

let opened = 0

/** A key that no other case of this process or another one has: stores may outlive a run. */
export const freshKey = (name: string): ThreadKey => ({
  tenant: `contract ${Math.random().toString(36).slice(2)}`,
  chat: `${name} ${++opened}`,
})

/** Makes a case in a chat of its own. */
export const storeCase = (
  name: string,
  body: (store: Store, key: ThreadKey) => Effect.Effect<void, unknown>,
  options: { readonly concurrent?: boolean } = {},
): StoreCase => ({
  name,
  concurrent: options.concurrent ?? false,
  run: Effect.flatMap(ThreadStore, (store) => Effect.suspend(() => body(store, freshKey(name)))),
})

/** Makes a case of what people do to threads. */
export const editorCase = (
  name: string,
  body: (editor: Editor, store: Store, key: ThreadKey) => Effect.Effect<void, unknown>,
  options: { readonly concurrent?: boolean } = {},
): StoreCase<StorePorts> => ({
  name,
  concurrent: options.concurrent ?? false,
  run: Effect.gen(function* () {
    const editor = yield* ThreadEditor
    yield* body(editor, yield* ThreadStore, freshKey(name))
  }),
})

/** Compares by content, whatever the order of keys. */
const canonical = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(canonical)
  if (typeof value !== "object" || value === null) return value
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, entry]) => [key, canonical(entry)])
}

/** Fails when two values differ. */
export const same = (what: string, actual: unknown, expected: unknown): Effect.Effect<void, Error> => {
  const [a, b] = [actual, expected].map((value) => JSON.stringify(canonical(value)))
  return a === b ? Effect.void : Effect.fail(new Error(`${what}: expected ${b}, got ${a}`))
}

/** Fails when a condition does not hold. */
export const holds = (what: string, condition: boolean): Effect.Effect<void, Error> =>
  condition ? Effect.void : Effect.fail(new Error(`${what}: does not hold`))

/** Fails unless an operation fails with an error of a tag. */
export const failsWith = <A, E extends { readonly _tag: string }>(
  tag: E["_tag"],
  effect: Effect.Effect<A, E>,
): Effect.Effect<E, Error> =>
  Effect.flatMap(Effect.result(effect), (result) =>
    Result.isFailure(result) && result.failure._tag === tag
      ? Effect.succeed(result.failure)
      : Effect.fail(
          new Error(`expected a ${tag}, got ${Result.isFailure(result) ? result.failure._tag : "success"}`),
        ),
  )

/** A message to append. */
export const message = (id: string, text: string | Message = id): NewMessage => ({
  id,
  message: typeof text === "string" ? user(text) : text,
  tokens: 7,
  tokenizer: "contract/7",
})

/** Messages with the ids `m{from}` to `m{to}`. */
export const messages = (from: number, to: number): ReadonlyArray<NewMessage> =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => message(`m${from + i}`))

/** What a pass of the contract did. */
export const pass: Pass = {
  cause: "trigger",
  before: 100,
  after: 40,
  rows: 3,
  digest: "d",
  generation: 1,
  outcome: "host",
  model: "contract",
  policy: "p",
  weak: 0,
  fallbacks: 0,
}

const place = (kind: Mark["kind"], anchor: string, revision: number) => ({
  id: `${kind}/${anchor}/${revision}`,
  anchor,
  revision,
})

/** A summary after an anchor. */
export const summary = (
  anchor: string,
  options: {
    readonly revision?: number
    readonly text?: string
    readonly head?: ReadonlyArray<string>
    readonly carry?: ReadonlyArray<string>
    readonly summary?: Summary
    readonly previous?: string | null
  } = {},
): Extract<NewMark, { readonly kind: "summary" }> => ({
  kind: "summary",
  ...place("summary", anchor, options.revision ?? 0),
  summary: options.summary ?? emptySummary,
  text: options.text ?? `summary up to ${anchor}`,
  tokens: 9,
  tokenizer: "contract/9",
  head: options.head ?? [],
  carry: options.carry ?? [],
  pass,
  ...(options.previous === undefined ? {} : { previous: options.previous }),
})

/** A reset after an anchor. */
export const reset = (anchor: string, revision = 0): NewMark => ({
  kind: "reset",
  ...place("reset", anchor, revision),
})

/** A prune after an anchor. */
export const prune = (anchor: string, revision = 0): NewMark => ({
  kind: "prune",
  ...place("prune", anchor, revision),
  reductions: [{ row: anchor, patches: [{ part: 0, item: 1, text: `short ${anchor}` }], tokens: 2 }],
  tokenizer: "contract/9",
  pass: { ...pass, outcome: "none", generation: 0 },
})

/** A recall after an anchor. */
export const recall = (anchor: string, revision = 0): NewMark => ({
  kind: "recall",
  ...place("recall", anchor, revision),
  text: `recalled after ${anchor}`,
  tokens: 5,
  tokenizer: "contract/9",
  sources: ["x"],
})

/** Ids of rows, in order. */
export const ids = (rows: ReadonlyArray<Row>): ReadonlyArray<string> => rows.map((row) => row.id)

/** Puts a mark and expects it to be written. */
export const written = (outcome: MarkOutcome): Effect.Effect<Mark, Error> =>
  outcome._tag === "Written"
    ? Effect.succeed(outcome.row)
    : Effect.fail(new Error(`expected Written, got ${outcome._tag}`))
