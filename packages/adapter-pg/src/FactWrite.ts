/**
 * Writing facts: each once by its id, and nothing that was forgotten.
 *
 * @since 0.1.0
 */
import type { ThreadKey } from "@palimpsest/core"
import { checkFacts, type Fact, type ForgetRequest } from "@palimpsest/core/engine"
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { factParameters, factsAsked } from "./FactRows.ts"
import { idList, idsIn } from "./Find.ts"
import { liveChat, makeBeside, makeRefuseRemoved } from "./Lock.ts"
import { makeLockOwner } from "./Owners.ts"
import { encodeText } from "./Text.ts"

/** UTF-16 units of facts that go into one statement. */
const CHUNK_UNITS = 4 * 1024 * 1024

const sizeOf = ({ subject, attribute, value, quote }: Fact): number =>
  subject.length + attribute.length + value.length + quote.length

const chunks = (facts: ReadonlyArray<Fact>): ReadonlyArray<ReadonlyArray<Fact>> => {
  const all: Array<Array<Fact>> = []
  let units = Number.POSITIVE_INFINITY
  for (const fact of facts) {
    if (units >= CHUNK_UNITS) {
      all.push([])
      units = 0
    }
    all.at(-1)?.push(fact)
    units += sizeOf(fact)
  }
  return all
}

const COLUMNS = "id, owner, about, said, subject, attribute, value, quote, source, position, at"

/** What stands for an id that was forgotten. */
const idDigest = (sql: SqlClient, id: string): Fragment =>
  sql.literal(`encode(sha256(convert_to(${id}, 'UTF8')), 'hex')`)

/** Facts as a table with the name `given`, in the order of their ids, so that two workers never wait for each other. */
const given = (sql: SqlClient, tenant: string, facts: ReadonlyArray<Fact>): Fragment => sql`
  given as materialized (
    select * from json_to_recordset(${JSON.stringify(facts.map((fact) => factParameters(tenant, fact)))}::json)
      as r(id text, owner text, about text, said text, subject text, attribute text, value text, quote text,
        source text, position float8, at float8)
    order by owner, id)`

const isForgotten = (sql: SqlClient, tenant: string): Fragment => sql`exists (
  select from palimpsest_forgotten as f
  where f.tenant = ${encodeText(tenant)} and f.owner = g.owner and f.at >= g.at
    and f.digest in (g.said, ${idDigest(sql, "g.id")}))`

const makeInsert = (sql: SqlClient) => (key: ThreadKey, facts: ReadonlyArray<Fact>) => {
  const [tenant, chat] = [encodeText(key.tenant), encodeText(key.chat)]
  return sql<{ there: boolean; fresh: number }>`
    with ${liveChat(sql, { tenant, chat })},
    ${given(sql, key.tenant, facts)},
    put as (
      insert into palimpsest_facts (tenant, chat, ${sql.literal(COLUMNS)})
      select l.tenant, l.chat, g.* from live as l cross join given as g
      where not ${isForgotten(sql, key.tenant)}
      on conflict (tenant, chat, id) do nothing
      returning 1)
    select exists (select from live) as there, (select count(*)::int4 from put) as fresh`
}

/**
 * Makes `put`, which needs a transaction that sees what others commit: who forgets meanwhile is waited for.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makePutFacts = (sql: SqlClient) => {
  const { lockOwner } = makeLockOwner(sql)
  const beside = makeBeside(sql)
  const insert = makeInsert(sql)
  const refuseRemoved = makeRefuseRemoved(sql)
  return Effect.fnUntraced(function* (key: ThreadKey, facts: ReadonlyArray<Fact>) {
    if (facts.length === 0) yield* refuseRemoved("put facts", key)
    const checked = yield* Effect.fromResult(checkFacts("put facts", facts))
    for (const owner of [...new Set(checked.map((fact) => fact.owner))].sort()) {
      yield* lockOwner("put facts", { tenant: key.tenant, owner }, "share")
    }
    let sum = 0
    for (const some of chunks(checked)) {
      sum += (yield* beside("put facts", key, insert(key, some))).fresh
    }
    yield* Effect.annotateCurrentSpan({ facts: checked.length, written: sum })
    return sum
  })
}

/**
 * Makes `remember`, which needs a transaction that sees what others commit.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeRemember = (sql: SqlClient) => {
  const { lockOwner } = makeLockOwner(sql)
  return Effect.fnUntraced(function* (tenant: string, fact: Fact) {
    const checked = yield* Effect.fromResult(checkFacts("remember", [{ ...fact, chat: "" }]))
    yield* lockOwner("remember", { tenant, owner: fact.owner }, "share")
    const name = encodeText(tenant)
    yield* sql`
      with ${given(sql, tenant, checked)}
      insert into palimpsest_facts (tenant, chat, ${sql.literal(COLUMNS)})
      select ${name}, null, g.* from given as g
      where not ${isForgotten(sql, tenant)}
      on conflict (tenant, chat, id) do nothing`
    const there = yield* sql`
      select from palimpsest_facts where tenant = ${name} and chat is null and id = ${encodeText(fact.id)}`
    return there.length > 0
  })
}

const isAsked = ({ ids, subject, attribute }: ForgetRequest): boolean =>
  ids !== undefined || subject !== undefined || attribute !== undefined

/**
 * Makes `forget`, which needs a transaction that sees what others commit: it waits for who is putting facts, and what
 * it deletes leaves digests. An id never comes back; a value does, when it is said again later.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeForget = (sql: SqlClient) => {
  const { lockOwner } = makeLockOwner(sql)
  return Effect.fnUntraced(function* (request: ForgetRequest) {
    if (!isAsked(request)) return 0
    yield* lockOwner("forget", request, "update")
    const [tenant, owner] = [encodeText(request.tenant), encodeText(request.owner)]
    const named =
      request.ids === undefined
        ? sql``
        : sql`and id in (select * from ${idsIn(sql, sql`${idList(request.ids)}`)})`
    const [gone] = yield* sql<{ deleted: number }>`
      with named as materialized (
        select distinct about from palimpsest_facts where ${factsAsked(sql, request)} ${named}),
      gone as (
        delete from palimpsest_facts as f using named
        where f.tenant = ${tenant} and f.owner = ${owner} and f.about = named.about
        returning f.id, f.said),
      marked as (
        insert into palimpsest_forgotten as f (tenant, owner, digest, at)
        select ${tenant}, ${owner}, digest, max(at) from (
          select said as digest, floor(extract(epoch from clock_timestamp()) * 1000)::float8 as at from gone
          union all
          select ${idDigest(sql, "id")}, 'Infinity'::float8 from gone) as marks
        group by digest
        order by digest
        on conflict (tenant, owner, digest) do update set at = greatest(f.at, excluded.at))
      select count(*)::int4 as deleted from gone`
    return gone?.deleted ?? 0
  })
}
