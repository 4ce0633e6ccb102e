/**
 * The fact store over SQL.
 *
 * @since 0.1.0
 */
import { FactStore } from "@palimpsest/core/engine"
import type { SqlClient } from "effect/sql/SqlClient"
import { makeCurrentFacts, makeFactHistory, makeListFacts, makeSupersededFacts } from "./FactRead.ts"
import { makeForget, makePutFacts, makeRemember } from "./FactWrite.ts"
import { methodsOf } from "./Method.ts"
import type { StoreOptions } from "./Session.ts"

/**
 * Makes a fact store over a client whose tables are there.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeFacts = (sql: SqlClient, options?: StoreOptions): FactStore["Service"] => {
  const { plain, looking } = methodsOf("PgFacts", sql, options)
  const put = makePutFacts(sql)
  const list = makeListFacts(sql)
  const current = makeCurrentFacts(sql)
  const history = makeFactHistory(sql)
  const superseded = makeSupersededFacts(sql)
  const remember = makeRemember(sql)
  const forget = makeForget(sql)
  const outside = (tenant: string) => ({ tenant, chat: "" })
  return FactStore.of({
    put: (key, facts) => looking("put facts", key, put(key, facts)),
    list: (key) => plain("list facts", key, list(key)),
    current: (query) => plain("current facts", outside(query.tenant), current(query), [query.owner]),
    history: (query) => plain("history of facts", outside(query.tenant), history(query), [query.owner]),
    superseded: (owner, rows) =>
      plain("superseded facts", outside(owner.tenant), superseded(owner, rows), [owner.owner]),
    remember: (tenant, fact) => looking("remember", outside(tenant), remember(tenant, fact), [fact.owner]),
    forget: (request) => looking("forget", outside(request.tenant), forget(request), [request.owner]),
  })
}
