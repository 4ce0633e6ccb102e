/**
 * Contract: what stands beside the rows: the system prompt, failures, drafts, single rows, pages.
 *
 * @since 0.1.0
 */
import { Effect } from "effect"
import type { Failure, Row } from "../../thread/Row.ts"
import {
  failsWith,
  holds,
  ids,
  messages,
  prune,
  recall,
  type StoreCase,
  same,
  storeCase,
  summary,
} from "./Case.ts"

const failure = (anchor: string, tokens = 10): Failure => ({
  anchor,
  stage: "summarise",
  reason: "Timeout",
  tokens,
})

/** Sides. */
export const sideCases: ReadonlyArray<StoreCase> = [
  storeCase("the first system prompt stays until it is replaced on purpose", (store, key) =>
    Effect.gen(function* () {
      yield* same("first", yield* store.open(key, "You are A."), "You are A.")
      yield* same("second", yield* store.open(key, "You are B."), "You are A.")
      yield* same("loaded", (yield* store.load(key)).system, "You are A.")
      yield* same("replaced", yield* store.open(key, "You are C.", { replace: true }), "You are C.")
      yield* same("loaded", (yield* store.load(key)).system, "You are C.")
    }),
  ),
  storeCase("an empty system prompt is one, and stays", (store, key) =>
    Effect.gen(function* () {
      yield* same("first", yield* store.open(key, ""), "")
      yield* same("second", yield* store.open(key, "You are B."), "")
    }),
  ),
  storeCase("a chat that has rows takes the prompt it is opened with", (store, key) =>
    Effect.gen(function* () {
      yield* store.append(key, messages(1, 1))
      yield* same("first", yield* store.open(key, "You are A."), "You are A.")
      yield* same("rows", ids((yield* store.load(key)).rows), ["m1"])
    }),
  ),
  storeCase("a failure told twice is recorded once, in the order of telling", (store, key) =>
    Effect.gen(function* () {
      yield* store.append(key, messages(1, 3))
      const told = [failure("m2", 30), failure("m2", 20), failure("m3", 10), failure("m1", 10)]
      for (const one of [...told, ...told]) yield* store.fail(key, one)
      yield* same("failures", (yield* store.load(key)).failures, told)
    }),
  ),
  storeCase("failures before the cut are past; those after it are read", (store, key) =>
    Effect.gen(function* () {
      yield* store.append(key, messages(1, 6))
      yield* store.fail(key, failure("m2"))
      yield* store.fail(key, failure("m4", 40))
      yield* store.mark(key, summary("m4"))
      yield* same("past", (yield* store.load(key)).failures, [])
      yield* store.fail(key, failure("m4", 44))
      yield* store.fail(key, failure("m6"))
      yield* store.fail(key, failure("m1"))
      yield* same("since", (yield* store.load(key)).failures, [failure("m4", 44), failure("m6")])
    }),
  ),
  storeCase("a failure at an anchor that is not there is refused", (store, key) =>
    Effect.gen(function* () {
      yield* failsWith("RowError", store.fail(key, failure("nowhere")))
      yield* store.fail(key, failure(""))
      yield* same("failures", (yield* store.load(key)).failures, [failure("")])
    }),
  ),
  storeCase("the first draft of a name stays", (store, key) =>
    Effect.gen(function* () {
      yield* same("none", yield* store.draft(key, "d"), null)
      yield* store.saveDraft(key, "d", "one")
      yield* store.saveDraft(key, "d", "two")
      yield* store.saveDraft(key, "e", "")
      yield* same("first", yield* store.draft(key, "d"), "one")
      yield* same("empty", yield* store.draft(key, "e"), "")
    }),
  ),
  storeCase("a single row is read wherever it stands", (store, key) =>
    Effect.gen(function* () {
      const rows = yield* store.append(key, messages(1, 4))
      yield* store.mark(key, summary("m3"))
      yield* same("covered", yield* store.row(key, "m1"), rows[0])
      yield* same("live", yield* store.row(key, "m4"), rows[3])
      yield* same("absent", yield* store.row(key, "m9"), null)
      yield* same("a mark is no message", yield* store.row(key, "summary/m3/0"), null)
    }),
  ),
  storeCase("pages show every row in order: covered ones, and every mark", (store, key) =>
    Effect.gen(function* () {
      yield* store.mark(key, recall(""))
      yield* store.append(key, messages(1, 7))
      const marks = [prune("m2"), summary("m2"), summary("m2", { revision: 1 }), summary("m5"), recall("m5")]
      for (const mark of marks) yield* store.mark(key, mark)
      const whole = yield* store.page(key, 0, 100)
      const expected = [
        ...["recall//0", "m1", "m2", "prune/m2/0", "summary/m2/0", "summary/m2/1", "m3", "m4", "m5"],
        ...["summary/m5/0", "recall/m5/0", "m6", "m7"],
      ]
      yield* same("whole", ids(whole.rows), expected)
      yield* same("end", whole.next, null)
      for (const limit of [1, 2, 3, 8]) {
        const rows: Array<Row> = []
        for (let from: number | null = 0; from !== null; ) {
          const page: { readonly rows: ReadonlyArray<Row>; readonly next: number | null } = yield* store.page(
            key,
            from,
            limit,
          )
          yield* holds("at most limit", new Set(page.rows.map((row) => row.position)).size <= limit)
          yield* holds("goes on", page.next === null || page.next > from)
          rows.push(...page.rows)
          from = page.next
        }
        yield* same(`pages of ${limit}`, rows, whole.rows)
      }
    }),
  ),
  storeCase("a page of odd bounds is that of whole numbers from 0 on", (store, key) =>
    Effect.gen(function* () {
      yield* store.append(key, messages(1, 4))
      const asked = (from: number, limit: number) =>
        Effect.map(store.page(key, from, limit), ({ rows, next }) => [ids(rows), next])
      const none = Number.NaN
      yield* same("from none", yield* asked(none, 2), [["m1", "m2"], 3])
      yield* same("from a fraction", yield* asked(1.5, 2), [["m2", "m3"], 4])
      yield* same("from below", yield* asked(-1e300, 1), [["m1"], 2])
      yield* same("a fraction", yield* asked(0, 1.5), [["m1", "m2"], 3])
      for (const limit of [0, -1, none]) yield* same(`${limit}`, yield* asked(2, limit), [[], 2])
      for (const limit of [1e9, Number.POSITIVE_INFINITY]) {
        yield* same(`${limit}`, yield* asked(4, limit), [["m4"], null])
      }
      yield* same("unsaid", yield* asked(undefined as never, undefined as never), [[], 1])
    }),
  ),
  storeCase("a page after the end is empty", (store, key) =>
    Effect.gen(function* () {
      yield* store.append(key, messages(1, 2))
      yield* same("page", yield* store.page(key, 1_000_000, 10), { rows: [], faults: [], next: null })
    }),
  ),
]
