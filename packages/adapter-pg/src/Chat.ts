/**
 * The small texts of a chat: its system prompt, and drafts of paid work.
 *
 * @since 0.1.0
 */
import type { ThreadKey } from "@palimpsest/core"
import { type OpenOptions, removed } from "@palimpsest/core/engine"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import * as SqlSchema from "effect/sql/SqlSchema"
import { liveChat, makeBeside, makeEnsure, makeRefuseRemoved } from "./Lock.ts"
import { makeLockOwner } from "./Owners.ts"
import { Key } from "./Rows.ts"
import { PgText } from "./Text.ts"

const Kept = Schema.Struct({ text: Schema.NullOr(PgText) })
const There = Schema.Struct({ there: Schema.Boolean })

/**
 * Makes the two halves of `open`, where the first system prompt stays, unless it is replaced on purpose: a look at what
 * is there, null where it must be written; and the writing, which needs a transaction, so that no chat is left without.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeOpen = (sql: SqlClient) => {
  const ensure = makeEnsure(sql)
  const { lockOwner } = makeLockOwner(sql)
  const read = SqlSchema.findAll({
    Request: Key,
    Result: Kept,
    execute: ({ tenant, chat }) =>
      sql`select system as text from palimpsest_chats where tenant = ${tenant} and chat = ${chat}`,
  })
  const ownerOf = SqlSchema.findAll({
    Request: Key,
    Result: Kept,
    execute: ({ tenant, chat }) =>
      sql`select owner as text from palimpsest_chats where tenant = ${tenant} and chat = ${chat}`,
  })
  const write = SqlSchema.findAll({
    Request: Schema.Struct({ ...Key.fields, system: PgText, replace: Schema.Boolean, owner: PgText }),
    Result: Kept,
    execute: ({ tenant, chat, system, replace, owner }) => sql`
      update palimpsest_chats
      set system = case when ${replace} or system is null then ${system} else system end,
        owner = coalesce(owner, ${owner})
      where tenant = ${tenant} and chat = ${chat} and removed_at is null
      returning system as text`,
  })
  return {
    opened: (key: ThreadKey) => Effect.map(read(key), ([found]) => found?.text ?? null),
    open: Effect.fnUntraced(function* (
      key: ThreadKey,
      system: string,
      { replace = false, owner = "" }: OpenOptions,
    ) {
      // The owner that a chat has stays; a new one is locked before the chat, as its removal does.
      const [owned] = yield* ownerOf(key)
      if (owner !== "" && (owned?.text ?? null) === null) {
        yield* lockOwner("open", { tenant: key.tenant, owner }, "share")
      }
      if (owned === undefined) yield* ensure(key)
      const [written] = yield* write({ ...key, system, replace, owner })
      return written?.text ?? (yield* Effect.fail(removed("open")))
    }),
  }
}

/**
 * Makes `draft` and `saveDraft`: the first text of a name stays.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeDrafts = (sql: SqlClient) => {
  const beside = makeBeside(sql)
  const refuseRemoved = makeRefuseRemoved(sql)
  const read = SqlSchema.findAll({
    Request: Schema.Struct({ ...Key.fields, name: PgText }),
    Result: Kept,
    execute: ({ tenant, chat, name }) => sql`
      select text from palimpsest_drafts where tenant = ${tenant} and chat = ${chat} and name = ${name}`,
  })
  const save = SqlSchema.findAll({
    Request: Schema.Struct({ ...Key.fields, name: PgText, text: PgText }),
    Result: There,
    execute: ({ name, text, ...key }) => sql`
      with ${liveChat(sql, key)},
      put as (
        insert into palimpsest_drafts (tenant, chat, name, text)
        select tenant, chat, ${name}, ${text} from live
        on conflict do nothing)
      select exists (select from live) as there`,
  })
  return {
    draft: Effect.fnUntraced(function* (key: ThreadKey, name: string) {
      const [found] = yield* read({ ...key, name })
      if (found === undefined) yield* refuseRemoved("draft", key)
      return found?.text ?? null
    }),
    saveDraft: (key: ThreadKey, name: string, text: string) =>
      Effect.asVoid(beside("saveDraft", key, save({ ...key, name, text }))),
  }
}
