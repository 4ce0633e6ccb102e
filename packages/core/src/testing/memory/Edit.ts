/**
 * What people do to chats in memory: rewind, edit, fork, remove.
 *
 * @since 0.1.0
 */
import { Result } from "effect"
import type { RowError } from "../../engine/Errors.ts"
import { readMessages } from "../../engine/LiveThread.ts"
import { absent, encodeBatch, inherited, otherChat, readable, unknownAnchor } from "../../engine/RowFaults.ts"
import { decodeMessage, samePayload } from "../../engine/StoredRow.ts"
import type { NewMessage } from "../../engine/ThreadStore.ts"
import { canonicalJson } from "../../thread/Id.ts"
import { goesOn, type Line, OPEN, shows, wholeLine } from "../../thread/Line.ts"
import type { MessageRow, ThreadKey } from "../../thread/Row.ts"
import {
  chatIn,
  type MemoryChat,
  type MemoryTenant,
  type PlacedMark,
  raiseRevision,
  timeOf,
  type View,
  viewOf,
} from "./Chat.ts"
import { clearChat } from "./Facts.ts"
import { positionOf } from "./Read.ts"

/** The newest time of what is shown of the time before the next message: the view that was live right then ends with it. */
const momentAfter = ({ messages, marks, failures }: View, position: number): number => {
  const next = messages.find((row) => row.position > position)?.position ?? OPEN
  const times = [...marks, ...failures].map(({ time }) => time)
  return Math.max(position, ...times.filter((time) => time < next))
}

/** Hides what follows a message. */
export const rewind = (view: View, to: string): Result.Result<void, RowError> => {
  const { chat, line, messages, name } = view
  const position = positionOf(view, to)
  if (position === undefined) return Result.fail(unknownAnchor("rewind", to))
  if (position === (messages.at(-1)?.position ?? 0)) return Result.succeed(undefined)
  const end = timeOf(chat)
  chat.line = goesOn(line, momentAfter(view, position), name, end)
  chat.next = end + 2
  raiseRevision(chat)
  return Result.succeed(undefined)
}

const lineOf = (name: string, chat: MemoryChat): Line => chat.line ?? wholeLine(name)

/**
 * Takes the summaries and prunes that rest on a row out of force, in every chat that shows it: those of its own, and
 * those that it shows of a chat between, which may itself have been rewound to before the row.
 */
const withdrawOver = (tenant: MemoryTenant, source: string, position: number): void => {
  const showing = [...tenant.chats].filter(([name, chat]) => shows(lineOf(name, chat), source, position))
  for (const [name, chat] of tenant.chats) {
    const rests = (mark: PlacedMark): boolean =>
      (mark.kind === "summary" || mark.kind === "prune") &&
      mark.position >= position &&
      showing.some(([other, one]) => other === name || shows(lineOf(other, one), name, mark.time))
    chat.marks = chat.marks.map((mark) => (rests(mark) ? { ...mark, isWithdrawn: true } : mark))
  }
  for (const [, chat] of showing) raiseRevision(chat)
}

/** Gives a message other content. */
export const edit = (
  tenant: MemoryTenant,
  view: View,
  message: NewMessage,
): Result.Result<MessageRow, RowError> =>
  Result.gen(function* () {
    const { chat, name } = view
    const [stored] = yield* encodeBatch([message])
    const old = view.messages.find((row) => row.id === message.id)
    if (stored === undefined || old === undefined) return yield* Result.fail(absent("edit", message.id))
    if (!chat.messages.includes(old)) return yield* Result.fail(inherited(message.id))
    if (samePayload(old.payload, stored.payload)) return yield* readable(decodeMessage(old), old.id)
    const row = { ...stored, position: old.position, at: old.at }
    chat.versions.push(old)
    chat.messages = chat.messages.map((one) => (one === old ? row : one))
    withdrawOver(tenant, name, old.position)
    return yield* readable(decodeMessage(row), row.id)
  })

/** The versions of a message that edits replaced. */
export const versions = (view: View, id: string): ReadonlyArray<MessageRow> => {
  const position = positionOf(view, id)
  return readMessages(view.chat.versions.filter((row) => row.position === position)).rows
}

const isUsed = ({ system, line, next, seq, isRemoved }: MemoryChat): boolean =>
  system !== null || line !== null || next > 1 || seq > 0 || isRemoved

/** Whether a chat is the fork of another at a message: it parted at that message or later, before the next one. */
const isForkOf = (there: MemoryChat, to: string, from: View, position: number): boolean => {
  const parted = there.line?.find(({ source }) => source === to)?.low
  if (there.isRemoved || from.name === to || parted === undefined || parted < position) return false
  if (from.messages.some((row) => row.position > position && row.position <= parted)) return false
  const line = goesOn(from.line, parted, to, parted)
  return canonicalJson(there.line?.slice(0, line.length)) === canonicalJson(line)
}

/** Makes a chat that goes on from a message of another. */
export const fork = (
  tenant: MemoryTenant,
  key: ThreadKey,
  to: string,
  at: string | undefined,
): Result.Result<ThreadKey, RowError> => {
  const from = viewOf(tenant, key)
  const position = at === undefined ? (from.messages.at(-1)?.position ?? 0) : positionOf(from, at)
  if (position === undefined) return Result.fail(unknownAnchor("fork", at ?? ""))
  const there = chatIn(tenant, to)
  if (isUsed(there)) {
    return isForkOf(there, to, from, position)
      ? Result.succeed({ ...key, chat: to })
      : Result.fail(otherChat(to))
  }
  const parted = momentAfter(from, position)
  // The fork shows all that its chat has of these times: what comes later has a later one.
  from.chat.next = Math.max(from.chat.next, parted + 2)
  Object.assign(there, {
    system: from.chat.system,
    owner: from.chat.owner,
    line: goesOn(from.line, parted, to, parted),
    next: parted + 2,
    seq: from.chat.seq,
    revision: from.chat.revision,
    newestRevision: from.chat.newestRevision,
  })
  return Result.succeed({ ...key, chat: to })
}

/** Takes a mark that is shown out of force, in the chat that it is stored in and in all that show it. */
export const withdraw = (tenant: MemoryTenant, view: View, id: string): void => {
  const taken = view.marks.find((mark) => mark.id === id)
  const source = [...tenant.chats].find(([, chat]) => chat.marks.some((mark) => mark === taken))
  if (taken === undefined || source === undefined) return
  const [stored, owner] = source
  owner.marks = owner.marks.map((mark) => (mark === taken ? { ...mark, isWithdrawn: true } : mark))
  for (const [name, chat] of tenant.chats) {
    if (name === stored || shows(lineOf(name, chat), stored, taken.time)) raiseRevision(chat)
  }
}

/** Gives a fork rows of its own in the place of those that it shares with a chat. */
const takeOver = (tenant: MemoryTenant, name: string, chat: MemoryChat, source: string): void => {
  const line = lineOf(name, chat)
  const from = chatIn(tenant, source)
  const shown = (time: number) => shows(line, source, time)
  chat.messages.unshift(...from.messages.filter((row) => shown(row.position)))
  chat.marks.unshift(...from.marks.filter((row) => shown(row.time)))
  chat.failures.unshift(...from.failures.filter((row) => shown(row.time)))
  for (const [id, text] of from.blobs) chat.blobs.set(id, text)
  chat.line = line.map((stretch) => (stretch.source === source ? { ...stretch, source: name } : stretch))
}

/** Deletes what a chat holds. Its name stays, so that late writes are refused. */
export const remove = (tenant: MemoryTenant, name: string): void => {
  const gone = chatIn(tenant, name)
  for (const [other, chat] of tenant.chats) {
    if (other !== name && lineOf(other, chat).some(({ source }) => source === name)) {
      takeOver(tenant, other, chat, name)
    }
  }
  Object.assign(gone, { system: null, owner: null, isRemoved: true, line: null })
  for (const rows of [gone.messages, gone.marks, gone.failures, gone.versions]) rows.length = 0
  for (const map of [gone.drafts, gone.blobs, gone.leases]) map.clear()
  clearChat(tenant.facts, name)
}
