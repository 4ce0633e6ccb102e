/**
 * What the model makes of a call: the answer that is right, and the state after it.
 *
 * @since 0.1.0
 */
import type { NewMark, NewMessage } from "../../engine/ThreadStore.ts"
import { canonicalJson } from "../../thread/Id.ts"
import type { Mark, MessageRow } from "../../thread/Row.ts"
import type { Asked, Call } from "./Calls.ts"
import {
  chatOf,
  cutIn,
  type Entry,
  emptyChat,
  type ModelChat,
  type ModelState,
  marksIn,
  messagesIn,
  positionIn,
  untilAfter,
  withChat,
} from "./Model.ts"
import { byPlace, loadedFrom } from "./Reads.ts"
import { same } from "./Same.ts"

/**
 * What a process knows of its chat: in which epoch it read it, and the last message that it knows to be stored.
 *
 * @category models
 * @since 0.1.0
 */
export interface Knowledge {
  readonly chat: string
  readonly epoch: number
  readonly last: string
  /** Id of the cut that it knows to be live. */
  readonly cut: string | null
}

/**
 * What is right. Positions are the store's to give, and revisions too: they are held against rules, not against numbers.
 *
 * @category models
 * @since 0.1.0
 */
export interface Prediction {
  readonly state: ModelState
  readonly answer: { readonly value: unknown } | { readonly error: string }
  readonly rules?: ReadonlyArray<readonly [name: string, holds: boolean]>
}

const ROW_ERROR = { error: "RowError" } as const

/** The positions that a store gave: they cannot be foretold. */
const positionsIn = (answer: Call["answer"]): ReadonlyMap<string, number> => {
  const rows =
    "value" in answer && Array.isArray(answer.value) ? (answer.value as ReadonlyArray<unknown>) : []
  return new Map(
    rows.flatMap((row) => {
      const { id, position } = row as Partial<MessageRow>
      return id === undefined || position === undefined ? [] : [[id, position] as const]
    }),
  )
}

const append = (
  state: ModelState,
  { chat: name, answer }: Call,
  { messages, after }: Extract<Asked, { of: "append" }>,
  knows: Knowledge | null,
): Prediction => {
  const chat = chatOf(state, name)
  const there = new Map(messagesIn(chat).map((row) => [row.id, row]))
  const isHidden = (id: string) => positionIn(chat, id) === null
  if (isHidden(after) || (knows !== null && isHidden(knows.last))) return { state, answer: ROW_ERROR }
  const isOther = ({ id, message }: NewMessage) => there.has(id) && !same(there.get(id)?.message, message)
  if (messages.some(isOther)) return { state, answer: ROW_ERROR }
  const given = positionsIn(answer)
  const fresh = messages
    .filter(({ id }) => !there.has(id))
    .map((one): MessageRow => ({ ...one, kind: "message", position: given.get(one.id) ?? -1 }))
  const positions = [chat.used, ...fresh.map((row) => row.position)]
  const log = fresh.map((row): Entry => ({ of: "message", source: name, row }))
  const all = new Map([...there, ...fresh.map((row) => [row.id, row] as const)])
  return {
    state: withChat(
      { ...state, written: [...state.written, ...fresh.map((row) => ({ chat: name, row }))] },
      name,
      { log: [...chat.log, ...log], used: Math.max(...positions) },
    ),
    answer: { value: messages.map(({ id }) => all.get(id)) },
    rules: [["positions only grow", positions.every((at, i) => i === 0 || at > (positions[i - 1] ?? 0))]],
  }
}

/** What a mark was made of is no longer there: judged by what its maker knew, whatever the mark says. */
const isStale = (chat: ModelChat, mark: NewMark, live: string | null, knows: Knowledge | null): boolean => {
  if (knows === null) return mark.kind === "summary" && mark.previous !== live
  return knows.epoch !== chat.epoch || (mark.kind === "summary" && knows.cut !== live)
}

/** A summary says on which cut it builds. */
const isHonest = (mark: NewMark, knows: Knowledge | null): boolean =>
  knows === null || mark.kind !== "summary" || mark.previous === knows.cut

const mark = (state: ModelState, name: string, asked: NewMark, knows: Knowledge | null): Prediction => {
  const chat = chatOf(state, name)
  const position = positionIn(chat, asked.anchor)
  if (position === null) return { state, answer: ROW_ERROR }
  const row: Mark = { ...asked, position }
  const live = cutIn(chat)
  const isCut = asked.kind === "summary" || asked.kind === "reset"
  const superseded = { state, answer: { value: { _tag: "Superseded", id: (isCut ? live?.id : null) ?? "" } } }
  if (isCut && live !== null && live.id !== row.id && byPlace(row, live) < 0) return superseded
  const other = marksIn(chat).find((one) => one.id === row.id || byPlace(one, row) === 0)
  if (other !== undefined) return { state, answer: { value: { _tag: "Adopted", row: other } } }
  if (isStale(chat, asked, live?.id ?? null, knows)) return superseded
  return {
    state: withChat({ ...state, written: [...state.written, { chat: name, row }] }, name, {
      log: [...chat.log, { of: "mark", source: name, row }],
      newest: Math.max(chat.newest, row.revision),
    }),
    answer: { value: { _tag: "Written", row } },
  }
}

const fail = (state: ModelState, name: string, { failure }: Extract<Asked, { of: "fail" }>): Prediction => {
  const chat = chatOf(state, name)
  const position = positionIn(chat, failure.anchor)
  if (position === null) return { state, answer: ROW_ERROR }
  const isThere = chat.log.some((entry) => entry.of === "failure" && same(entry.failure, failure))
  const log: ReadonlyArray<Entry> = [...chat.log, { of: "failure", source: name, failure, position }]
  return { state: isThere ? state : withChat(state, name, { log }), answer: { value: undefined } }
}

const load = (state: ModelState, { chat: name, answer }: Call): Prediction => {
  const chat = chatOf(state, name)
  const value = "value" in answer ? (answer.value as { readonly revision: number }) : { revision: -1 }
  const { revision } = value
  const { told, epoch, newest } = chat
  const isRight =
    told === null ||
    (told.epoch === epoch ? revision === told.revision : revision > Math.max(told.revision, newest))
  return {
    state: withChat(state, name, { told: { revision, epoch } }),
    answer: { value: { ...loadedFrom(chat), revision } },
    rules: [["the revision grows with each change, and only then", isRight]],
  }
}

const rewind = (state: ModelState, name: string, to: string): Prediction => {
  const chat = chatOf(state, name)
  const position = positionIn(chat, to)
  if (position === null) return { state, answer: ROW_ERROR }
  const answer = { value: undefined }
  if (messagesIn(chat).every((row) => row.position <= position)) return { state, answer }
  return {
    state: withChat(state, name, { log: untilAfter(chat.log, position), epoch: chat.epoch + 1 }),
    answer,
  }
}

/** The log of a chat in which a message is another, without the marks that rest on it. */
const edited = (log: ReadonlyArray<Entry>, old: Entry, row: MessageRow): ReadonlyArray<Entry> =>
  log.flatMap((entry): ReadonlyArray<Entry> => {
    if (entry.of === "message" && entry.source === old.source && entry.row.position === row.position)
      return [{ ...entry, row }]
    const rests =
      entry.of === "mark" &&
      (entry.row.kind === "summary" || entry.row.kind === "prune") &&
      entry.row.position >= row.position
    return rests ? [] : [entry]
  })

const edit = (state: ModelState, name: string, message: NewMessage): Prediction => {
  const chat = chatOf(state, name)
  const old = chat.log.find((entry) => entry.of === "message" && entry.row.id === message.id)
  if (old?.of !== "message" || old.source !== name) return { state, answer: ROW_ERROR }
  if (same(old.row.message, message.message)) return { state, answer: { value: old.row } }
  const { at: _, ...content } = message
  const { position, at } = old.row
  const row: MessageRow = { ...content, kind: "message", position, ...(at === undefined ? {} : { at }) }
  const shows = ({ log }: ModelChat) =>
    log.some(
      (entry) => entry.of === "message" && entry.source === name && entry.row.position === row.position,
    )
  const changed = [...state.chats].map(([other, one]): readonly [string, ModelChat] =>
    shows(one) ? [other, { ...one, log: edited(one.log, old, row), epoch: one.epoch + 1 }] : [other, one],
  )
  return {
    state: { chats: new Map(changed), written: [...state.written, { chat: name, row }] },
    answer: { value: row },
  }
}

const beginning = (log: ReadonlyArray<Entry>): string =>
  canonicalJson(log.flatMap((entry) => (entry.of === "message" ? [[entry.source, entry.row.position]] : [])))

const fork = (
  state: ModelState,
  name: string,
  { chat: to, at }: Extract<Asked, { of: "fork" }>,
): Prediction => {
  const from = chatOf(state, name)
  const position = at === undefined ? (messagesIn(from).at(-1)?.position ?? 0) : positionIn(from, at)
  if (position === null) return { state, answer: ROW_ERROR }
  const log = untilAfter(from.log, position)
  const there = chatOf(state, to)
  const origin = canonicalJson([name, beginning(log)])
  const answer = { value: to }
  if (there !== emptyChat) return { state, answer: there.origin === origin ? answer : ROW_ERROR }
  const change = { ...emptyChat, system: from.system, log, used: position, newest: from.newest, origin }
  return { state: withChat(state, to, change), answer }
}

/**
 * Predicts the answer to a call. A process that knows nothing asks for another, as a person does.
 *
 * @category combinators
 * @since 0.1.0
 */
export const predict = (state: ModelState, call: Call, knows: Knowledge | null): Prediction => {
  const { chat: name, asked } = call
  const chat = chatOf(state, name)
  switch (asked.of) {
    case "open": {
      const system = chat.system ?? asked.system
      return { state: withChat(state, name, { system }), answer: { value: system } }
    }
    case "load":
      return load(state, call)
    case "append":
      return append(state, call, asked, knows)
    case "mark":
      return {
        ...mark(state, name, asked.mark, knows),
        rules: [["a summary names the cut that its maker knew", isHonest(asked.mark, knows)]],
      }
    case "fail":
      return fail(state, name, asked)
    case "row":
      return { state, answer: { value: messagesIn(chat).find((row) => row.id === asked.id) ?? null } }
    case "page":
      return { state, answer: call.answer }
    case "draft":
      return { state, answer: { value: chat.drafts.get(asked.name) ?? null } }
    case "saveDraft": {
      const drafts = new Map([[asked.name, asked.text], ...chat.drafts])
      return { state: withChat(state, name, { drafts }), answer: { value: undefined } }
    }
    case "rewind":
      return rewind(state, name, asked.to)
    case "edit":
      return edit(state, name, asked.message)
    case "fork":
      return fork(state, name, asked)
  }
}
