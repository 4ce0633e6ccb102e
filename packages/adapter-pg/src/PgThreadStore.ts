/**
 * The thread store over SQL.
 *
 * @since 0.1.0
 */
import { checkKey, type StoreError, ThreadStore } from "@palimpsest/core/engine"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { makeDrafts, makeOpen } from "./Chat.ts"
import { guarded, type TimeLimit } from "./Failures.ts"
import { makeLoad } from "./Load.ts"
import { migrate } from "./Migrations.ts"
import { makePage, makeRow } from "./Read.ts"
import { makeAppend, makeFail, makeMark } from "./Write.ts"

type Key = Parameters<typeof checkKey>[1]

const valid = (operation: string, key: Key, name?: string) =>
  Effect.fromResult(checkKey(operation, key, name))

/** One method: a span, the key checked, then the work, retried where the database asks for it. */
const methods =
  (limit: TimeLimit) =>
  (operation: string) =>
  <A, E>(key: Key, work: Effect.Effect<A, E>, name?: string) =>
    valid(operation, key, name).pipe(
      Effect.andThen(work),
      guarded(operation, limit),
      Effect.withSpan(`PgThreadStore.${operation}`),
    )

/**
 * Makes the store over a client whose tables are there.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (sql: SqlClient, limit: TimeLimit = {}): ThreadStore["Service"] => {
  const method = methods(limit)
  const open = makeOpen(sql)
  const load = makeLoad(sql)
  const append = makeAppend(sql)
  const mark = makeMark(sql)
  const fail = makeFail(sql)
  const row = makeRow(sql)
  const page = makePage(sql)
  const { draft, saveDraft } = makeDrafts(sql)
  return ThreadStore.of({
    open: (key, system, options) => method("open")(key, open(key, system, options?.replace === true)),
    load: (key) => method("load")(key, load(key)),
    append: (key, messages) => method("append")(key, append(key, messages)),
    mark: (key, one) => method("mark")(key, mark(key, one)),
    fail: (key, failure) => method("fail")(key, fail(key, failure)),
    row: (key, id) => method("row")(key, row(key, id)),
    page: (key, from, limit) => method("page")(key, page(key, from, limit)),
    draft: (key, name) => method("draft")(key, draft(key, name), name),
    saveDraft: (key, name, text) => method("saveDraft")(key, saveDraft(key, name, text), name),
  })
}

/**
 * Keeps threads in the database of a client, after bringing its tables up to date.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerWith = (limit: TimeLimit): Layer.Layer<ThreadStore, StoreError, SqlClient> =>
  Layer.effect(
    ThreadStore,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* migrate(sql).pipe(guarded("migrate"), Effect.withSpan("PgThreadStore.migrate"))
      return make(sql, limit)
    }),
  )

/**
 * Keeps threads in the database of a client, with no further options.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer: Layer.Layer<ThreadStore, StoreError, SqlClient> = layerWith({})
