/**
 * The tables: whose rows they hold decides what a removal deletes, row-level security guards and `partition` splits.
 *
 * @since 0.1.0
 */

/** A table that a removal reaches. */
interface Table {
  readonly name: string
  /** The columns, besides `tenant`, that say whose its rows are: they are deleted with any of these. */
  readonly of: ReadonlyArray<"chat" | "owner">
  /** It is never split: what is asked for of all chats at once would be looked for in each part. */
  readonly isWhole?: boolean
}

/** Every table but those of tenants, chats and owners. A new one is one line here, and one in `ExportTables.ts`. */
const TABLES: ReadonlyArray<Table> = [
  { name: "palimpsest_messages", of: ["chat"] },
  { name: "palimpsest_marks", of: ["chat"] },
  { name: "palimpsest_failures", of: ["chat"] },
  { name: "palimpsest_edits", of: ["chat"] },
  { name: "palimpsest_stretches", of: ["chat"] },
  { name: "palimpsest_drafts", of: ["chat"] },
  { name: "palimpsest_leases", of: ["chat"] },
  { name: "palimpsest_blobs", of: ["chat"] },
  { name: "palimpsest_facts", of: ["chat", "owner"] },
  { name: "palimpsest_forgotten", of: ["owner"] },
  { name: "palimpsest_documents", of: ["chat", "owner"], isWhole: true },
  { name: "palimpsest_vectors", of: ["chat", "owner"], isWhole: true },
  { name: "palimpsest_extents", of: ["owner"], isWhole: true },
  { name: "palimpsest_spaces", of: [], isWhole: true },
]

const tablesOf = (column: "chat" | "owner"): ReadonlyArray<string> =>
  TABLES.flatMap(({ name, of }) => (of.includes(column) ? [name] : []))

/**
 * The tables that hold what chats keep, besides `palimpsest_chats`: each row has the key of its chat.
 *
 * @category constants
 * @since 0.1.0
 */
export const chatTables: ReadonlyArray<string> = tablesOf("chat")

/**
 * The tables that hold what is known of owners, each row with its owner.
 *
 * @category constants
 * @since 0.1.0
 */
export const ownerTables: ReadonlyArray<string> = tablesOf("owner")

/**
 * The tables whose rows belong to tenants, in the order in which a removal of a tenant takes their locks.
 *
 * @category constants
 * @since 0.1.0
 */
export const tenantTables: ReadonlyArray<string> = [
  "palimpsest_tenants",
  "palimpsest_owners",
  "palimpsest_chats",
  ...TABLES.map(({ name }) => name),
]

/**
 * The tables that are split, and the columns by whose hash: what is read by owner is split by tenant alone, so that it
 * is still read from one part.
 *
 * @category constants
 * @since 0.1.0
 */
export const splitTables: ReadonlyArray<{ readonly table: string; readonly by: string }> = [
  { table: "palimpsest_chats", by: "tenant, chat" },
  ...TABLES.filter(({ isWhole }) => isWhole !== true).map(({ name, of }) => ({
    table: name,
    by: of.includes("owner") ? "tenant" : "tenant, chat",
  })),
]
