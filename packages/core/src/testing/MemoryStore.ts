/**
 * A thread store that lives in memory, for tests and examples.
 *
 * @since 0.1.0
 */
import { Effect, Layer, Result } from "effect"
import type { RowError, StoreError } from "../engine/Errors.ts"
import { isCut, keptIds, liveThread, readMarks, readMessages } from "../engine/LiveThread.ts"
import {
  adopt,
  checkKey,
  checkNewFailure,
  conflict,
  encodeBatch,
  encodeNewMark,
  readable,
  unknownAnchor,
} from "../engine/RowFaults.ts"
import {
  decodeMark,
  decodeMessage,
  type StoredMark,
  type StoredMessage,
  samePayload,
} from "../engine/StoredRow.ts"
import {
  type MarkOutcome,
  type NewMark,
  type NewMessage,
  type Page,
  ThreadStore,
} from "../engine/ThreadStore.ts"
import { type Cut, type Failure, type MessageRow, order, rank, type ThreadKey } from "../thread/Row.ts"
import type { Fault, Thread } from "../thread/Thread.ts"

/** A message as it lies in memory. */
type PlacedMessage = StoredMessage & { readonly position: number }

/** A mark as it lies in memory; `seq` orders marks and failures by when they were written. */
type PlacedMark = StoredMark & { readonly position: number; readonly rank: number; readonly seq: number }

/** A failure as it lies in memory. */
interface PlacedFailure {
  readonly failure: Failure
  readonly position: number
  readonly seq: number
}

/**
 * The rows of one chat in memory, open to tests that damage them.
 *
 * @category models
 * @since 0.1.0
 */
export interface MemoryChat {
  system: string | null
  seq: number
  messages: Array<PlacedMessage>
  marks: Array<PlacedMark>
  failures: Array<PlacedFailure>
  readonly drafts: Map<string, string>
}

/**
 * Chats in memory, which several layers may share as several workers share a database.
 *
 * @category models
 * @since 0.1.0
 */
export interface MemoryState {
  readonly layer: Layer.Layer<ThreadStore>
  /** The rows of a chat, made when it is asked for first. */
  readonly chat: (key: ThreadKey) => MemoryChat
}

interface FoundCut {
  readonly cut: (Cut & { readonly seq: number }) | null
  readonly faults: ReadonlyArray<Fault>
}

const byPlace = (a: PlacedMark, b: PlacedMark): number =>
  a.position - b.position || a.rank - b.rank || a.revision - b.revision

const positionOf = (chat: MemoryChat, anchor: string): number | undefined =>
  anchor === "" ? 0 : chat.messages.find((row) => row.id === anchor)?.position

/** The newest cut that can be read and stands at a message of the thread. */
const findCut = (chat: MemoryChat): FoundCut => {
  const faults: Array<Fault> = []
  const cuts = chat.marks.filter(({ kind }) => kind === "summary" || kind === "reset").sort(byPlace)
  for (const stored of cuts.reverse()) {
    const mark = decodeMark(stored)
    const anchored = positionOf(chat, stored.anchor) === stored.position
    if (Result.isSuccess(mark) && isCut(mark.success) && anchored) {
      return { cut: { ...mark.success, seq: stored.seq }, faults }
    }
    const reason = Result.isFailure(mark) ? mark.failure : "its anchor is no message of this thread"
    faults.push({ row: stored.id, kind: stored.kind, reason })
  }
  return { cut: null, faults }
}

const load = (chat: MemoryChat): Thread => {
  const { cut: found, faults } = findCut(chat)
  const { seq, ...cut } = found ?? { seq: 0 }
  const from = found?.position ?? -1
  const kept = new Set(keptIds(found))
  return liveThread({
    system: chat.system ?? "",
    cut: found === null ? null : (cut as Cut),
    kept: chat.messages.filter((row) => row.position <= from && kept.has(row.id)),
    messages: chat.messages.filter((row) => row.position > from),
    marks: chat.marks.filter(
      (row) =>
        row.position > from || (found !== null && row.position === from && row.rank > rank(found.kind)),
    ),
    failures: chat.failures
      .filter((row) => row.position > from || (row.position === from && row.seq > seq))
      .map((row) => row.failure),
    faults,
  })
}

const append = (
  chat: MemoryChat,
  messages: ReadonlyArray<NewMessage>,
): Result.Result<ReadonlyArray<MessageRow>, RowError> =>
  Result.gen(function* () {
    const batch = yield* encodeBatch(messages)
    const stored = new Map(chat.messages.map((row) => [row.id, row]))
    for (const row of batch) {
      const other = stored.get(row.id)
      if (other !== undefined && !samePayload(other.payload, row.payload)) {
        return yield* Result.fail(conflict(row.id))
      }
    }
    let position = chat.messages.at(-1)?.position ?? 0
    const fresh = batch.filter((row) => !stored.has(row.id)).map((row) => ({ ...row, position: ++position }))
    chat.messages.push(...fresh)
    const all = new Map([...stored, ...fresh.map((row) => [row.id, row] as const)])
    return batch.flatMap((row) => {
      const placed = all.get(row.id)
      return placed === undefined ? [] : readMessages([placed]).rows
    })
  })

const putMark = (chat: MemoryChat, mark: NewMark): Result.Result<MarkOutcome, RowError> =>
  Result.gen(function* () {
    const stored = yield* encodeNewMark(mark)
    const position = positionOf(chat, mark.anchor)
    if (position === undefined) return yield* Result.fail(unknownAnchor("mark", mark.anchor))
    const placed = { ...stored, position, rank: rank(mark.kind), seq: ++chat.seq }
    const row = yield* adopt(placed)
    const live = isCut(row) ? findCut(chat).cut : null
    if (live !== null && live.id !== row.id && order(row, live) < 0)
      return { _tag: "Superseded", id: live.id }
    const other =
      chat.marks.find((one) => one.id === row.id) ?? chat.marks.find((one) => byPlace(one, placed) === 0)
    if (other !== undefined) return { _tag: "Adopted", row: yield* adopt(other) }
    chat.marks.push(placed)
    return { _tag: "Written", row }
  })

const sameFailure = (a: Failure, b: Failure): boolean =>
  a.anchor === b.anchor && a.stage === b.stage && a.reason === b.reason && a.tokens === b.tokens

const putFailure = (chat: MemoryChat, failure: Failure): Result.Result<void, RowError> =>
  Result.gen(function* () {
    const { anchor, stage, reason, tokens } = yield* checkNewFailure(failure)
    const position = positionOf(chat, anchor)
    if (position === undefined) return yield* Result.fail(unknownAnchor("fail", anchor))
    if (chat.failures.some((row) => sameFailure(row.failure, failure))) return
    chat.failures.push({ failure: { anchor, stage, reason, tokens }, position, seq: ++chat.seq })
  })

const page = (chat: MemoryChat, from: number, limit: number): Page => {
  const positions = [...new Set([...chat.messages, ...chat.marks].map((row) => row.position))]
    .filter((position) => position >= from)
    .sort((a, b) => a - b)
  const wanted = new Set(positions.slice(0, Math.max(0, limit)))
  const messages = readMessages(chat.messages.filter((row) => wanted.has(row.position)))
  const marks = readMarks(chat.marks.filter((row) => wanted.has(row.position)))
  return {
    rows: [...messages.rows, ...marks.rows].sort(order),
    faults: [...messages.faults, ...marks.faults],
    next: positions[wanted.size] ?? null,
  }
}

const readRow = (chat: MemoryChat, id: string): Result.Result<MessageRow | null, RowError> => {
  const stored = chat.messages.find((row) => row.id === id)
  return stored === undefined ? Result.succeed(null) : readable(decodeMessage(stored), id)
}

const service = (at: (key: ThreadKey) => MemoryChat) => {
  const within = <A, E>(
    operation: string,
    key: ThreadKey,
    run: (chat: MemoryChat) => Result.Result<A, E>,
    name?: string,
  ): Effect.Effect<A, E | StoreError> =>
    Effect.suspend(() =>
      Effect.fromResult(Result.flatMap(checkKey(operation, key, name), (ok) => run(at(ok)))),
    )
  const always = <A>(operation: string, key: ThreadKey, run: (chat: MemoryChat) => A, name?: string) =>
    within(operation, key, (chat): Result.Result<A, never> => Result.succeed(run(chat)), name)
  return ThreadStore.of({
    open: (key, system, options) =>
      always("open", key, (chat) => {
        if (chat.system === null || options?.replace === true) chat.system = system
        return chat.system
      }),
    load: (key) => always("load", key, load),
    append: (key, messages) => within("append", key, (chat) => append(chat, messages)),
    mark: (key, mark) => within("mark", key, (chat) => putMark(chat, mark)),
    fail: (key, failure) => within("fail", key, (chat) => putFailure(chat, failure)),
    row: (key, id) => within("row", key, (chat) => readRow(chat, id)),
    page: (key, from, limit) => always("page", key, (chat) => page(chat, from, limit)),
    draft: (key, name) => always("draft", key, (chat) => chat.drafts.get(name) ?? null, name),
    saveDraft: (key, name, text) =>
      always("saveDraft", key, (chat) => void (chat.drafts.has(name) || chat.drafts.set(name, text)), name),
  })
}

const emptyChat = (): MemoryChat => ({
  system: null,
  seq: 0,
  messages: [],
  marks: [],
  failures: [],
  drafts: new Map(),
})

/**
 * Makes chats in memory. Each layer built from one state sees the same rows.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeMemoryState = (): MemoryState => {
  const tenants = new Map<string, Map<string, MemoryChat>>()
  const chat = (key: ThreadKey): MemoryChat => {
    const chats = tenants.get(key.tenant) ?? new Map<string, MemoryChat>()
    const found = chats.get(key.chat) ?? emptyChat()
    tenants.set(key.tenant, chats.set(key.chat, found))
    return found
  }
  return { chat, layer: Layer.sync(ThreadStore, () => service(chat)) }
}

/**
 * Keeps threads in memory. Nothing is shared between two builds of the layer.
 *
 * @category layers
 * @since 0.1.0
 */
export const memoryStore: Layer.Layer<ThreadStore> = Layer.unwrap(Effect.sync(() => makeMemoryState().layer))
