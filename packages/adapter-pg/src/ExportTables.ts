/**
 * What of each table is handed out when all that is kept of an owner is asked for.
 *
 * @since 0.1.0
 */

/**
 * How a column is handed out: text as it was, JSON as it is, times in milliseconds since 1970.
 *
 * @category models
 * @since 0.1.0
 */
export type Field = "text" | "json" | "number" | "time" | "flag"

/**
 * A kind of records: a table, whose rows they are, in which order, and which expressions are their fields.
 *
 * @category models
 * @since 0.1.0
 */
export interface Exported {
  readonly kind: string
  readonly table: string
  /** Whether rows name their owner, or the chat of one. */
  readonly of: "chat" | "owner"
  /** Expressions that together differ for each row of an owner, with their types, in the order in which pages go. */
  readonly order: Readonly<Record<string, "text" | "int8" | "int4">>
  /** Expression and form of each field, by name. */
  readonly fields: Readonly<Record<string, readonly [string, Field]>>
}

const plain = (names: string, form: Field): Readonly<Record<string, readonly [string, Field]>> =>
  Object.fromEntries(names.split(" ").map((name) => [name, [`t.${name}`, form]]))

const chat = { "t.chat": "text" } as const
const names = plain("chat id", "text")
const written = { writtenAt: ["t.created_at", "time"] } as const

const content = {
  ...names,
  position: ["t.position", "number"],
  message: ["t.payload", "json"],
  cap: ["t.cap", "json"],
  rawFormat: ["t.raw_format", "text"],
  raw: ["t.raw_text", "text"],
  usage: ["t.usage", "json"],
  at: ["t.said_at", "number"],
  ...written,
} as const

const isLatest = `not exists (
  select from palimpsest_facts as n
  where n.tenant = t.tenant and n.owner = t.owner and n.about = t.about
    and (n.at, n.position, n.id) > (t.at, t.position, t.id))`

/**
 * The kinds of records, in the order in which they are handed out.
 *
 * @category constants
 * @since 0.1.0
 */
export const exportTables: ReadonlyArray<Exported> = [
  {
    kind: "chat",
    table: "palimpsest_chats",
    of: "chat",
    order: chat,
    fields: { ...plain("chat system", "text"), ...written },
  },
  {
    kind: "line",
    table: "palimpsest_stretches",
    of: "chat",
    order: { ...chat, "t.low": "int8" },
    fields: { ...plain("chat source", "text"), ...plain("low high", "number") },
  },
  {
    kind: "message",
    table: "palimpsest_messages",
    of: "chat",
    order: { ...chat, "t.position": "int8" },
    fields: content,
  },
  {
    kind: "version",
    table: "palimpsest_edits",
    of: "chat",
    order: { ...chat, "t.position": "int8", "t.version": "int8" },
    fields: { ...content, version: ["t.version", "number"] },
  },
  {
    kind: "mark",
    table: "palimpsest_marks",
    of: "chat",
    order: { ...chat, "t.time": "int8", "t.position": "int8", "t.rank": "int4", "t.revision": "int8" },
    fields: {
      ...names,
      mark: ["t.kind", "text"],
      anchor: ["t.anchor", "text"],
      ...plain("position revision", "number"),
      isWithdrawn: ["t.withdrawn", "flag"],
      content: ["t.payload", "json"],
      ...written,
    },
  },
  {
    kind: "failure",
    table: "palimpsest_failures",
    of: "chat",
    order: { ...chat, "t.time": "int8", "t.seq": "int8" },
    fields: { ...plain("chat anchor stage reason", "text"), tokens: ["t.tokens", "number"], ...written },
  },
  {
    kind: "draft",
    table: "palimpsest_drafts",
    of: "chat",
    order: { ...chat, "t.name": "text" },
    fields: { ...plain("chat name text", "text"), ...written },
  },
  {
    kind: "value",
    table: "palimpsest_blobs",
    of: "chat",
    order: { ...chat, "t.id": "text" },
    fields: { ...names, text: ["t.text", "text"], ...written },
  },
  {
    kind: "fact",
    table: "palimpsest_facts",
    of: "owner",
    // No text that is stored is this one character: a fact without a chat differs from one of a chat without a name.
    order: { "t.about": "text", "t.id": "text", "coalesce(t.chat, chr(26))": "text" },
    fields: {
      ...plain("id subject attribute value quote", "text"),
      chat: ["t.chat", "text"],
      row: ["t.source", "text"],
      ...plain("position at", "number"),
      holds: [isLatest, "flag"],
    },
  },
]

/**
 * The tables that hold nothing more of what was said: who has a lease, digests of what was forgotten, and the index, which is made
 * of messages and can be made again.
 *
 * @category constants
 * @since 0.1.0
 */
export const unexportedTables: ReadonlyArray<string> = [
  ...["palimpsest_leases", "palimpsest_forgotten"],
  ...["palimpsest_documents", "palimpsest_vectors", "palimpsest_extents", "palimpsest_spaces"],
]
