/**
 * Contract: no row of one tenant or chat reaches another.
 *
 * @since 0.1.0
 */
import { Effect } from "effect"
import type { ThreadKey } from "../../thread/Row.ts"
import { ids, message, messages, reset, type StoreCase, same, storeCase, summary } from "./Case.ts"

/** Keys that a store which glues tenant and chat together would mix up. */
const lookAlikes = ({ tenant, chat }: ThreadKey): ReadonlyArray<ThreadKey> => [
  { tenant, chat },
  { tenant, chat: `${chat}b` },
  { tenant: `${tenant}${chat}`, chat: "" },
  { tenant: `${tenant}:`, chat },
  { tenant, chat: `:${chat}` },
  { tenant: `${tenant}\u0000`, chat },
  { tenant, chat: chat.toUpperCase() },
  { tenant: `${tenant} `, chat },
]

/** Isolation. */
export const isolationCases: ReadonlyArray<StoreCase> = [
  storeCase("tenants and chats with like names share nothing", (store, fresh) =>
    Effect.gen(function* () {
      const keys = lookAlikes(fresh)
      for (const [i, key] of keys.entries()) {
        yield* store.open(key, `system ${i}`)
        yield* store.append(key, [message("m1", `text ${i}`), message("m2"), message(`own${i}`)])
        yield* store.saveDraft(key, "d", `draft ${i}`)
        yield* store.fail(key, { anchor: "m1", stage: "check", reason: `${i}`, tokens: i })
      }
      const [first] = keys
      if (first !== undefined) yield* store.mark(first, summary("m2"))
      for (const [i, key] of keys.entries()) {
        const thread = yield* store.load(key)
        yield* same("system", thread.system, `system ${i}`)
        yield* same("rows", ids(thread.rows), i === 0 ? ["own0"] : ["m1", "m2", `own${i}`])
        yield* same("cut", thread.cut?.id ?? null, i === 0 ? "summary/m2/0" : null)
        yield* same("draft", yield* store.draft(key, "d"), `draft ${i}`)
        yield* same(
          "failures",
          thread.failures.map((one) => one.reason),
          i === 0 ? [] : [`${i}`],
        )
        const page = yield* store.page(key, 0, 100)
        yield* same("page", page.rows.filter((row) => row.kind === "message").length, 3)
        yield* same("foreign row", yield* store.row(key, `own${(i + 1) % keys.length}`), null)
      }
    }),
  ),
  storeCase("a reset in one chat leaves the others as they are", (store, key) =>
    Effect.gen(function* () {
      const other = { tenant: key.tenant, chat: `${key.chat}/other` }
      yield* store.append(key, messages(1, 3))
      yield* store.append(other, messages(1, 3))
      const before = yield* store.load(other)
      yield* store.mark(key, reset("m3"))
      yield* same("other", yield* store.load(other), before)
    }),
  ),
]
