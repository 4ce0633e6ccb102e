/**
 * All that is kept of an owner in memory.
 *
 * @since 0.1.0
 */
import { Option, Schema } from "effect"
import type { OwnerRecord } from "../../engine/OwnerData.ts"
import type { MemoryChat, MemoryTenant, PlacedMessage } from "./Chat.ts"
import { remove } from "./Edit.ts"
import { clearOwner, currentIn, historyIn } from "./Facts.ts"

const parse = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Unknown))

const jsonOf = (text: string): unknown => Option.getOrElse(parse(text), () => text)

/** What is absent of a row is no field of its record. */
const present = (fields: OwnerRecord): OwnerRecord => ({
  kind: fields.kind,
  ...Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined)),
})

const messageRecord = (kind: string, chat: string, row: PlacedMessage): OwnerRecord =>
  present({
    ...{ kind, chat, id: row.id, position: row.position, message: jsonOf(row.payload) },
    ...{ cap: row.cap === null ? null : jsonOf(row.cap), rawFormat: row.rawFormat, raw: row.rawText },
    usage: row.usage === null ? null : jsonOf(row.usage),
    at: row.at,
  })

const chatRecords = (name: string, chat: MemoryChat): ReadonlyArray<OwnerRecord> => [
  present({ kind: "chat", chat: name, system: chat.system }),
  ...(chat.line ?? []).map((stretch) => ({ kind: "line", chat: name, ...stretch })),
  ...chat.messages.map((row) => messageRecord("message", name, row)),
  ...chat.versions.map((row) => messageRecord("version", name, row)),
  ...chat.marks.map(({ id, kind, anchor, position, revision, isWithdrawn, payload }) => ({
    ...{ kind: "mark", chat: name, id, mark: kind, anchor, position, revision, isWithdrawn },
    content: jsonOf(payload),
  })),
  ...chat.failures.map(({ failure }) => ({ kind: "failure", chat: name, ...failure })),
  ...[...chat.drafts].map(([draft, text]) => ({ kind: "draft", chat: name, name: draft, text })),
  ...[...chat.blobs].map(([id, text]) => ({ kind: "value", chat: name, id, text })),
]

/** A chat that was written to before it was opened belongs to the memory that the tenant shares. */
const chatsOf = ({ chats }: MemoryTenant, owner: string) =>
  [...chats].filter(
    ([, chat]) => !chat.isRemoved && (chat.owner ?? (chat.next > 1 ? "" : undefined)) === owner,
  )

/** All records of an owner. */
export const recordsOf = (tenant: MemoryTenant, name: string, owner: string): ReadonlyArray<OwnerRecord> => {
  const asked = { tenant: name, owner }
  const holding = new Set(currentIn(tenant.facts, asked))
  return [
    ...chatsOf(tenant, owner).flatMap(([chat, rows]) => chatRecords(chat, rows)),
    ...historyIn(tenant.facts, asked).map((fact) => ({ kind: "fact", ...fact, holds: holding.has(fact) })),
  ]
}

/** Deletes all that is kept of an owner, and keeps it from coming back. */
export const removeOwner = (tenant: MemoryTenant, owner: string): void => {
  tenant.removedOwners.add(owner)
  for (const [chat] of chatsOf(tenant, owner)) remove(tenant, chat)
  clearOwner(tenant.facts, owner)
}
