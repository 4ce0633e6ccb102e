/** What may be done to chats, drawn at random, and done to any store alike. */
import { emptySummary, type Pass, type ThreadKey, user } from "@palimpsest/core"
import {
  BlobStore,
  Leases,
  type NewMark,
  type NewMessage,
  ThreadEditor,
  ThreadStore,
} from "@palimpsest/core/engine"
import { Effect } from "effect"
import fc from "fast-check"

/** A message by its distance from the newest that is shown; beyond the oldest it is the start; null is an unknown one. */
type At = number | null

/** One thing that is done to a chat. Places are told by distance, so that most of them are there. */
export type Move =
  | { readonly do: "append"; readonly ids: ReadonlyArray<number>; readonly text: number; readonly after?: At }
  | {
      readonly do: "mark"
      readonly kind: NewMark["kind"]
      readonly at: At
      readonly named: number | null
      readonly newer: number
      readonly previous: "live" | "none" | "unsaid"
      readonly kept: ReadonlyArray<number>
    }
  | { readonly do: "fail"; readonly at: At; readonly tokens: number }
  | { readonly do: "open"; readonly text: number; readonly replace: boolean }
  | { readonly do: "rewind"; readonly at: At }
  | { readonly do: "edit"; readonly at: At; readonly text: number }
  | { readonly do: "fork"; readonly to: number; readonly at?: At }
  | { readonly do: "withdraw"; readonly mark: number }
  | { readonly do: "draft"; readonly name: number; readonly text: number }
  | { readonly do: "blob"; readonly id: number }
  | { readonly do: "lease"; readonly holder: number; readonly back: boolean }
  | { readonly do: "remove" }
  | { readonly do: "removeTenant" }

/** A move in one of some chats of one of two tenants. */
export interface Act {
  readonly tenant: number
  readonly chat: number
  readonly move: Move
}

const small = (max: number) => fc.integer({ min: 0, max })

/** Mostly one of the newest, so that what is done there can be done again. */
const at: fc.Arbitrary<At> = fc.oneof(
  { weight: 14, arbitrary: fc.constantFrom(0, 0, 1, 1, 2, 3, 4, 6) },
  { weight: 1, arbitrary: fc.constant(99) },
  { weight: 1, arbitrary: fc.constant(null) },
)

const append: fc.Arbitrary<Move> = fc.record(
  {
    do: fc.constant("append" as const),
    ids: fc.uniqueArray(small(16), { minLength: 0, maxLength: 5 }),
    text: fc.constantFrom(0, 0, 0, 1),
    after: at,
  },
  { requiredKeys: ["do", "ids", "text"] },
)

const mark: fc.Arbitrary<Move> = fc.record({
  do: fc.constant("mark" as const),
  kind: fc.constantFrom("summary", "summary", "summary", "reset", "prune", "recall"),
  at,
  named: fc.constantFrom(null, null, null, null, 0, 1),
  newer: fc.constantFrom(0, 0, 0, 0, 0, 1, -1),
  previous: fc.constantFrom("live", "live", "unsaid", "unsaid", "none"),
  kept: fc.uniqueArray(small(5), { maxLength: 2 }),
})

const fork: fc.Arbitrary<Move> = fc.record(
  { do: fc.constant("fork" as const), to: small(4), at },
  { requiredKeys: ["do", "to"] },
)

const aside: fc.Arbitrary<Move> = fc.oneof(
  fc.record({ do: fc.constant("fail" as const), at, tokens: small(2) }),
  fc.record({ do: fc.constant("fail" as const), at, tokens: small(2) }),
  fc.record({ do: fc.constant("open" as const), text: small(2), replace: fc.boolean() }),
  fc.record({ do: fc.constant("draft" as const), name: small(1), text: small(2) }),
  fc.record({ do: fc.constant("blob" as const), id: small(3) }),
  fc.record({ do: fc.constant("lease" as const), holder: small(1), back: fc.boolean() }),
)

const move: fc.Arbitrary<Move> = fc.oneof(
  { weight: 30, arbitrary: append },
  { weight: 30, arbitrary: mark },
  { weight: 12, arbitrary: fc.record({ do: fc.constant("rewind" as const), at }) },
  { weight: 8, arbitrary: fc.record({ do: fc.constant("edit" as const), at, text: small(2) }) },
  { weight: 10, arbitrary: fork },
  { weight: 5, arbitrary: fc.record({ do: fc.constant("withdraw" as const), mark: small(3) }) },
  { weight: 12, arbitrary: aside },
  { weight: 1, arbitrary: fc.constant({ do: "remove" as const }) },
)

/** A history, mostly of one tenant: at its end the chat that is forked most is removed, then the tenant. */
export const acts: fc.Arbitrary<ReadonlyArray<Act>> = fc
  .array(
    fc.record({
      tenant: fc.constantFrom(0, 0, 0, 0, 0, 0, 0, 1),
      chat: fc.constantFrom(0, 0, 0, 0, 1, 1, 2, 3),
      move,
    }),
    { minLength: 15, maxLength: 60, size: "max" },
  )
  .map((all) => {
    const again = all.slice(0, 4).map((act) => ({ ...act, tenant: 0 }))
    const late = (name: "remove" | "removeTenant") => ({ tenant: 0, chat: 0, move: { do: name } })
    return [...all, late("remove"), ...again, late("removeTenant"), ...again]
  })

const message = (id: string, text: number): NewMessage => ({
  id,
  message: user(`${id}, version ${text}`),
  tokens: text,
  tokenizer: "t",
})

const pass: Pass = {
  cause: "trigger",
  before: 2,
  after: 1,
  rows: 1,
  digest: "",
  generation: 1,
  outcome: "host",
  model: "",
  policy: "",
  weak: 0,
  fallbacks: 0,
}

/** What the thread holds that a move speaks of, as one store shows it. */
const look = (key: ThreadKey) =>
  Effect.gen(function* () {
    const store = yield* ThreadStore
    const none = { rows: [], faults: [], next: null }
    const { rows } = yield* Effect.orElseSucceed(store.page(key, 0, 1000), () => none)
    const thread = yield* Effect.orElseSucceed(store.load(key), () => null)
    const shown = rows.filter((row) => row.kind === "message").map((row) => row.id)
    const marks = rows.filter((row) => row.kind !== "message").map((row) => row.id)
    const idAt = (place: At): string => (place === null ? "nowhere" : (shown.at(-1 - place) ?? ""))
    return { idAt, marks, revision: thread?.revision ?? 0, live: thread?.cut?.id ?? null }
  })

const markOf = (
  move: Extract<Move, { readonly do: "mark" }>,
  seen: Effect.Success<ReturnType<typeof look>>,
): NewMark => {
  const anchor = seen.idAt(move.at)
  const revision = Math.max(0, seen.revision + move.newer)
  const base = {
    id: move.named === null ? `${move.kind}/${anchor}/${revision}` : `x${move.named}`,
    anchor,
    revision,
  }
  const counted = { tokens: 1, tokenizer: "t" }
  switch (move.kind) {
    case "summary": {
      const previous = { live: { previous: seen.live }, none: { previous: null }, unsaid: {} }[move.previous]
      const kept = { head: move.kept.map(seen.idAt), carry: [] }
      const text = `up to ${anchor}, ${revision}`
      return { ...base, ...counted, ...previous, ...kept, kind: "summary", summary: emptySummary, text, pass }
    }
    case "reset":
      return { ...base, kind: "reset" }
    case "prune":
      return { ...base, kind: "prune", reductions: [], tokenizer: "t", pass }
    case "recall":
      return { ...base, ...counted, kind: "recall", text: `beside ${anchor}`, sources: [] }
  }
}

/** Does one act, and answers what came of it. */
export const perform = (key: ThreadKey, chatName: (chat: number) => string, { move }: Act) =>
  Effect.gen(function* () {
    const store = yield* ThreadStore
    const editor = yield* ThreadEditor
    const seen = yield* look(key)
    switch (move.do) {
      case "append": {
        const batch = move.ids.map((id) => message(`m${id}`, move.text))
        const after = move.after === undefined ? {} : { after: seen.idAt(move.after) }
        return yield* store.append(key, batch, after)
      }
      case "mark":
        return yield* store.mark(key, markOf(move, seen))
      case "fail":
        return yield* store.fail(key, {
          anchor: seen.idAt(move.at),
          stage: "check",
          reason: "r",
          tokens: move.tokens,
        })
      case "open":
        return yield* store.open(key, `system ${move.text}`, { replace: move.replace })
      case "rewind":
        return yield* editor.rewind(key, seen.idAt(move.at))
      case "edit":
        return yield* editor.edit(key, message(seen.idAt(move.at) || "start", move.text))
      case "fork":
        return yield* editor.fork(
          key,
          chatName(move.to),
          move.at === undefined ? undefined : seen.idAt(move.at),
        )
      case "withdraw":
        return yield* editor.withdraw(key, seen.marks[move.mark] ?? "nowhere")
      case "draft":
        yield* store.saveDraft(key, `d${move.name}`, `text ${move.text}`)
        return yield* store.draft(key, `d${move.name}`)
      case "blob":
        return yield* (yield* BlobStore).put(key, [{ id: `b${move.id}`, text: `value ${move.id}` }])
      case "lease": {
        const lease = { name: "pass", holder: `h${move.holder}` }
        const leases = yield* Leases
        return move.back ? yield* leases.release(key, lease) : yield* leases.claim(key, lease, 600_000)
      }
      case "remove":
        return yield* editor.remove(key)
      case "removeTenant":
        return yield* editor.removeTenant(key.tenant)
    }
  })

/** The live part of a chat. */
export const readThread = (key: ThreadKey) => Effect.flatMap(ThreadStore, (store) => store.load(key))

/** All else that can be read of a chat. */
export const readRest = (key: ThreadKey, page: number) =>
  Effect.gen(function* () {
    const store = yield* ThreadStore
    const pages = [yield* store.page(key, 0, 1000), yield* store.page(key, page, 2)]
    const id = `m${page}`
    const row = yield* store.row(key, id)
    const versions = yield* (yield* ThreadEditor).versions(key, id)
    const blobs = yield* (yield* BlobStore).get(key, ["b0", "b1", "b2", "b3"])
    return { pages, row, versions, blobs: [...blobs].sort() }
  })
