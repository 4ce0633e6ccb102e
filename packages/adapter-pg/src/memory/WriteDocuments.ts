/**
 * Writing documents: what the index has of a stretch of a chat is replaced by what it should have.
 *
 * @since 0.1.0
 */
import { type MemoryDocument, NEIGHBOURS, type WeighedDocument } from "@palimpsest/core"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import * as SqlSchema from "effect/sql/SqlSchema"
import { encodeText, PgText } from "../Text.ts"
import { addToExtent, Change } from "./Extents.ts"
import { vectorTexts } from "./Lexemes.ts"
import { lockSpaces } from "./Locks.ts"
import type { FreshRows, StaleChat } from "./StaleChats.ts"

const isTalk = ({ role }: MemoryDocument): boolean => role !== "tool"

/** The documents as columns. What is said is numbered, so that neighbours are found. */
const recordsOf = (tenant: string, owner: string, documents: ReadonlyArray<WeighedDocument>): string => {
  const textOf = vectorTexts({ tenant, owner })
  let said = 0
  return JSON.stringify(
    documents.map(({ document, terms, length }) => ({
      position: document.position,
      piece: document.piece,
      source: encodeText(document.row),
      role: document.role,
      place: isTalk(document) ? ++said : null,
      text: encodeText(document.text),
      terms: textOf([...terms].flatMap(([word, [own]]) => (own > 0 ? [[word, own] as const] : []))),
      length,
      at: document.at,
    })),
  )
}

/** The last documents before the new ones: they have more neighbours now. */
const lengthsOf = (documents: ReadonlyArray<WeighedDocument>): string =>
  JSON.stringify(
    documents
      .filter(({ document }) => isTalk(document))
      .slice(-NEIGHBOURS)
      .map(({ document: { position, piece }, length }) => ({ position, piece, length })),
  )

const Request = Schema.Struct({
  tenant: PgText,
  chat: PgText,
  owner: PgText,
  from: Schema.Finite,
  records: Schema.String,
})

const records = (sql: SqlClient, json: string) => sql`
  json_to_recordset(${json}::json) as r(
    position int8, piece int4, source text, role text, place int8, text text, terms text, length float8, at float8)`

const statements = (sql: SqlClient) => ({
  claim: (tenant: string, { chat, indexed, revision }: StaleChat, end: number) => sql`
    update palimpsest_chats set indexed = ${end}::int8, is_stale = next_position - 1 > ${end}::int8
    where tenant = ${tenant} and chat = ${encodeText(chat)} and indexed = ${indexed}::int8
      and revision = ${revision}::int8 and removed_at is null
    returning true as is`,
  /** Vectors of documents that are not what they were. */
  bare: (tenant: string, chat: string, from: number, end: number, json: string) => sql`
    delete from palimpsest_vectors as v
    where v.tenant = ${tenant} and v.chat = ${chat} and v.position > ${from}::int8 and v.position <= ${end}::int8
      and not exists (
        select from palimpsest_documents as d join ${records(sql, json)}
          on r.position = d.position and r.piece = d.piece and r.text = d.text and r.role = d.role and r.at = d.at
        where d.tenant = v.tenant and d.chat = v.chat and d.position = v.position and d.piece = v.piece)`,
  clear: SqlSchema.findAll({
    Request: Schema.Struct({ tenant: PgText, chat: PgText, from: Schema.Finite, end: Schema.Finite }),
    Result: Change,
    execute: ({ tenant, chat, from, end }) => sql`
      with gone as (
        delete from palimpsest_documents
        where tenant = ${tenant} and chat = ${chat} and position > ${from}::int8 and position <= ${end}::int8
        returning length)
      select -count(*)::float8 as documents, -coalesce(sum(length), 0)::float8 as length from gone`,
  }),
  put: SqlSchema.findAll({
    Request,
    Result: Change,
    execute: ({ tenant, chat, owner, from, records: json }) => sql`
      with base as materialized (
        select coalesce((
          select place from palimpsest_documents
          where tenant = ${tenant} and chat = ${chat} and position <= ${from}::int8 and place is not null
          order by place desc limit 1), 0) as place),
      made as (
        insert into palimpsest_documents
          (tenant, chat, position, piece, owner, source, role, place, text, terms, length, at)
        select ${tenant}, ${chat}, r.position, r.piece, ${owner}, r.source, r.role, base.place + r.place, r.text,
          r.terms::tsvector, r.length, r.at
        from ${records(sql, json)} cross join base
        returning position, piece, role, at, length),
      work as (
        insert into palimpsest_vectors (tenant, chat, position, piece, space, owner, role, at)
        select ${tenant}, ${chat}, m.position, m.piece, s.space, ${owner}, m.role, m.at
        from made as m cross join palimpsest_spaces as s
        where s.tenant = ${tenant}
        on conflict do nothing)
      select count(*)::float8 as documents, coalesce(sum(length), 0)::float8 as length from made`,
  }),
  stretch: SqlSchema.findAll({
    Request,
    Result: Change,
    execute: ({ tenant, chat, records: json }) => sql`
      with near as materialized (
        select d.position, d.piece, r.length, d.length as before
        from palimpsest_documents as d
        join json_to_recordset(${json}::json) as r(position int8, piece int4, length float8)
          on d.position = r.position and d.piece = r.piece
        where d.tenant = ${tenant} and d.chat = ${chat} and d.length <> r.length),
      changed as (
        update palimpsest_documents as d set length = n.length
        from near as n
        where d.tenant = ${tenant} and d.chat = ${chat} and d.position = n.position and d.piece = n.piece)
      select 0::float8 as documents, coalesce(sum(length - before), 0)::float8 as length from near`,
  }),
})

/**
 * Makes the writer of documents, which needs a transaction that sees what others commit. It answers how many were
 * written; null when the chat is no longer as it was read, and nothing was. The row of the chat comes first: its lock keeps
 * removals, rewinds and other writers of the chat away.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeWriteDocuments = (sql: SqlClient) => {
  const { claim, bare, clear, put, stretch } = statements(sql)
  return Effect.fnUntraced(function* (
    tenant: string,
    stale: StaleChat,
    { end }: FreshRows,
    documents: ReadonlyArray<WeighedDocument>,
  ) {
    const { chat, owner, indexed } = stale
    const [name, inChat] = [encodeText(tenant), encodeText(chat)]
    yield* lockSpaces(sql, name, "shared")
    if ((yield* claim(name, stale, end)).length === 0) return null
    const isNew = ({ document }: WeighedDocument) => document.position > indexed
    const fresh = documents.filter(isNew)
    const json = recordsOf(tenant, owner, fresh)
    const request = { tenant, chat, owner, from: indexed }
    yield* bare(name, inChat, indexed, end, json)
    const changes = [
      ...(yield* clear({ tenant, chat, from: indexed, end })),
      ...(yield* put({ ...request, records: json })),
      ...(yield* stretch({ ...request, records: lengthsOf(documents.filter((one) => !isNew(one))) })),
    ]
    const sum = (column: "documents" | "length") => changes.reduce((all, change) => all + change[column], 0)
    yield* addToExtent(sql, name, encodeText(owner), { documents: sum("documents"), length: sum("length") })
    return fresh.length
  })
}
