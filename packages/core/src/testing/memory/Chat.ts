/**
 * Chats as they lie in memory, open to tests that damage them.
 *
 * @since 0.1.0
 */
import type { StoredMark, StoredMessage } from "../../engine/StoredRow.ts"
import { type Line, shows, wholeLine } from "../../thread/Line.ts"
import type { Failure, ThreadKey } from "../../thread/Row.ts"
import { emptyShelf, type Shelf } from "./Facts.ts"

/**
 * A message as it lies in memory.
 *
 * @category models
 * @since 0.1.0
 */
export type PlacedMessage = StoredMessage & { readonly position: number }

/**
 * A mark as it lies in memory; `seq` orders marks and failures by when they were written, `time` is the newest position
 * of then.
 *
 * @category models
 * @since 0.1.0
 */
export type PlacedMark = StoredMark & {
  readonly position: number
  readonly rank: number
  readonly seq: number
  readonly time: number
  readonly isWithdrawn: boolean
}

/**
 * A failure as it lies in memory.
 *
 * @category models
 * @since 0.1.0
 */
export interface PlacedFailure {
  readonly failure: Failure
  readonly position: number
  readonly seq: number
  readonly time: number
}

/**
 * The rows of one chat in memory.
 *
 * @category models
 * @since 0.1.0
 */
export interface MemoryChat {
  system: string | null
  /** Null until it is opened. */
  owner: string | null
  isRemoved: boolean
  seq: number
  /** The position that the next message takes. */
  next: number
  revision: number
  /** The greatest revision that a mark of the chat has. */
  newestRevision: number
  /** Null for a chat that was never rewound and is no fork. */
  line: Line | null
  messages: Array<PlacedMessage>
  marks: Array<PlacedMark>
  failures: Array<PlacedFailure>
  /** What edits replaced, oldest first. */
  versions: Array<PlacedMessage>
  readonly drafts: Map<string, string>
  readonly blobs: Map<string, string>
  readonly leases: Map<string, { readonly holder: string; readonly until: number }>
}

/**
 * The chats of one tenant in memory.
 *
 * @category models
 * @since 0.1.0
 */
export interface MemoryTenant {
  isRemoved: boolean
  readonly chats: Map<string, MemoryChat>
  readonly facts: Shelf
  readonly removedOwners: Set<string>
}

/** The rows that a chat shows: its own, and those of the chats that it was forked from. */
export interface View {
  readonly name: string
  readonly chat: MemoryChat
  readonly line: Line
  readonly messages: ReadonlyArray<PlacedMessage>
  readonly marks: ReadonlyArray<PlacedMark>
  readonly failures: ReadonlyArray<PlacedFailure>
}

const emptyChat = (): MemoryChat => ({
  system: null,
  owner: null,
  isRemoved: false,
  seq: 0,
  next: 1,
  revision: 0,
  newestRevision: 0,
  line: null,
  messages: [],
  marks: [],
  failures: [],
  versions: [],
  drafts: new Map(),
  blobs: new Map(),
  leases: new Map(),
})

/** A tenant without chats. */
export const emptyTenant = (): MemoryTenant => ({
  isRemoved: false,
  chats: new Map(),
  facts: emptyShelf(),
  removedOwners: new Set(),
})

/** Finds a chat, or makes it. */
export const chatIn = (tenant: MemoryTenant, name: string): MemoryChat => {
  const found = tenant.chats.get(name) ?? emptyChat()
  tenant.chats.set(name, found)
  return found
}

/** The newest position that is used: what is written now has this time. */
export const timeOf = (chat: MemoryChat): number => chat.next - 1

/**
 * Takes marks out of force: what was made before has too low a revision from now on, also a prune that is on its way to
 * replace the newest one, and has one more than that.
 */
export const raiseRevision = (chat: MemoryChat): void => {
  chat.revision = Math.max(chat.revision, chat.newestRevision) + 2
}

/** The rows that a chat shows. */
export const viewOf = (tenant: MemoryTenant, { chat: name }: ThreadKey): View => {
  const chat = chatIn(tenant, name)
  const line = chat.line ?? wholeLine(name)
  const sources = [...new Set(line.map(({ source }) => source))]
  const gather = <R>(rows: (source: MemoryChat) => ReadonlyArray<R>, time: (row: R) => number) =>
    sources.flatMap((source) => rows(chatIn(tenant, source)).filter((row) => shows(line, source, time(row))))
  return {
    name,
    chat,
    line,
    messages: gather(
      (source) => source.messages,
      (row) => row.position,
    ).sort((a, b) => a.position - b.position),
    marks: gather(
      (source) => source.marks.filter((row) => !row.isWithdrawn),
      (row) => row.time,
    ),
    failures: gather(
      (source) => source.failures,
      (row) => row.time,
    ),
  }
}
