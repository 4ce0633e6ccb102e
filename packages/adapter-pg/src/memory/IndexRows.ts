/**
 * One run of the indexer over rows: a stretch of a chat is read, made into documents, and written. No lock is held
 * before it is written; if the chat has changed by then, nothing is, and the next run sees to it.
 *
 * @since 0.1.0
 */
import { documentsOf, weigh } from "@palimpsest/core"
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { methodsOf } from "../Method.ts"
import { type FreshRows, makeFindStale, makeReadFresh, type StaleChat } from "./StaleChats.ts"
import { makeWriteDocuments } from "./WriteDocuments.ts"

/**
 * What was done to rows.
 *
 * @category models
 * @since 0.1.0
 */
export interface RowsDone {
  readonly rows: number
  readonly documents: number
  /** Whether rows are left that were not looked at. */
  readonly left: boolean
}

type Clean = (text: string) => string

const documentsIn = (clean: Clean, { chat, owner }: StaleChat, { before, rows }: FreshRows) =>
  weigh(documentsOf([...before, ...rows], { owner, chat, clean }))

/**
 * Makes the run over rows.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeIndexRows = (sql: SqlClient, { plain, looking }: ReturnType<typeof methodsOf>) => {
  const findStale = makeFindStale(sql)
  const readFresh = makeReadFresh(sql)
  const writeDocuments = makeWriteDocuments(sql)
  return Effect.fnUntraced(function* (tenant: string, clean: Clean, most: number) {
    const key = { tenant, chat: "" }
    const done = { rows: 0, documents: 0 }
    const stale = yield* plain("index: find", key, findStale(tenant))
    for (const chat of stale) {
      if (done.rows >= most) break
      const fresh = yield* plain("index: read", key, readFresh(tenant, chat, most - done.rows))
      const documents = documentsIn(clean, chat, fresh)
      const written = yield* looking("index: write", key, writeDocuments(tenant, chat, fresh, documents))
      if (written === null) continue
      done.rows += fresh.read
      done.documents += written
    }
    const left = (yield* plain("index: find", key, findStale(tenant))).length > 0
    return { ...done, left } satisfies RowsDone
  })
}
