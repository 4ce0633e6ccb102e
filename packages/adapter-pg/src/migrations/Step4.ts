/**
 * Times of messages, and owners of chats.
 *
 * Messages of before have no time but that of their storing, and chats of before belong to the memory that their tenant
 * shares.
 *
 * @since 0.1.0
 */

/** The fourth step. */
export const step4: ReadonlyArray<string> = [
  "alter table palimpsest_messages add column said_at double precision",
  "alter table palimpsest_edits add column said_at double precision",
  'alter table palimpsest_chats add column owner text collate "C"',
]
