/**
 * The thread store over SQL.
 *
 * @since 0.1.0
 */
import { ThreadStore } from "@palimpsest/core/engine"
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { makeDrafts, makeOpen } from "./Chat.ts"
import { makeLoad } from "./Load.ts"
import { makeFail, makeMark } from "./Mark.ts"
import { methodsOf } from "./Method.ts"
import { makePage, makeRow } from "./Read.ts"
import type { StoreOptions } from "./Session.ts"
import { makeAppend } from "./Write.ts"

/**
 * Makes the store over a client whose tables are there.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (sql: SqlClient, options?: StoreOptions): ThreadStore["Service"] => {
  const { plain, atomic } = methodsOf("PgThreadStore", sql, options)
  const { opened, open } = makeOpen(sql)
  const load = makeLoad(sql)
  const append = makeAppend(sql)
  const mark = makeMark(sql)
  const fail = makeFail(sql)
  const row = makeRow(sql)
  const page = makePage(sql)
  const { draft, saveDraft } = makeDrafts(sql)
  return ThreadStore.of({
    open: (key, system, how = {}) => {
      const replace = how.replace === true
      const write = atomic("open", key, open(key, system, how), [how.owner ?? ""])
      const look = plain("open", key, opened(key))
      return replace ? write : Effect.flatMap(look, (text) => (text === null ? write : Effect.succeed(text)))
    },
    load: (key) => plain("load", key, load(key)),
    append: (key, messages, how) => atomic("append", key, append(key, messages, how)),
    mark: (key, one) => atomic("mark", key, mark(key, one)),
    fail: (key, failure) => atomic("fail", key, fail(key, failure)),
    row: (key, id) => plain("row", key, row(key, id)),
    page: (key, from, limit) => plain("page", key, page(key, from, limit)),
    draft: (key, name) => plain("draft", key, draft(key, name), [name]),
    saveDraft: (key, name, text) => plain("saveDraft", key, saveDraft(key, name, text), [name]),
  })
}
