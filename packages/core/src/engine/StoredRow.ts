/**
 * Rows in the form in which a store keeps them: columns of plain text and numbers. Every store shares this form, so
 * that all of them accept, refuse and pass over the same rows.
 *
 * @since 0.1.0
 */
import { Result } from "effect"
import type { Reading } from "../count/Calibrate.ts"
import { mayRefer } from "../text/ValueReference.ts"
import type { Message } from "../thread/Message.ts"
import { sameContent } from "../thread/References.ts"
import type { Failure, Mark, MessageRow, Patch } from "../thread/Row.ts"
import {
  FailureCodec,
  type JsonCodec,
  jsonCodec,
  MarkPayloadCodecs,
  MessageCodec,
  PatchesCodec,
} from "./Codecs.ts"
import { ReadingCodec } from "./ReadingCodec.ts"
import type { NewMark, NewMessage } from "./ThreadStore.ts"

/**
 * A message as stored, without its position.
 *
 * @category models
 * @since 0.1.0
 */
export interface StoredMessage {
  readonly id: string
  /** The message, JSON text. */
  readonly payload: string
  readonly tokens: number
  readonly tokenizer: string
  /** The patches of the cap, JSON text. */
  readonly cap: string | null
  readonly rawFormat: string | null
  readonly rawText: string | null
  /** The reading of the prompt that it answered, JSON text. */
  readonly usage: string | null
  /** When it was said, in milliseconds since 1970; null where it is not known. */
  readonly at: number | null
}

/**
 * A mark as stored, without its position. `kind` may be one that this version does not know.
 *
 * @category models
 * @since 0.1.0
 */
export interface StoredMark {
  readonly id: string
  readonly kind: string
  readonly anchor: string
  readonly revision: number
  /** What the kind keeps besides its place, JSON text. */
  readonly payload: string
}

/**
 * UTF-8 bytes of all texts of one row: 24 MiB, which holds a message of 16 MB with room for its raw form's escapes. A
 * store may need two thirds more for escapes of its own, which must fit into one message of its wire.
 */
const MAX_BYTES = 24 * 1024 * 1024

/** UTF-8 bytes of an id: three of them must fit into one entry of an index. */
const MAX_ID_BYTES = 800

const messageJson: JsonCodec<Message> = jsonCodec(MessageCodec)
const patchesJson: JsonCodec<ReadonlyArray<Patch>> = jsonCodec(PatchesCodec)
const readingJson: JsonCodec<Reading> = jsonCodec(ReadingCodec)
const failureJson: JsonCodec<Failure> = jsonCodec(FailureCodec)

/** Bytes of one code point; those that need an escape in some stores (NUL, lone surrogates) count with it. */
const codePointBytes = (point: number): number => {
  if (point === 0 || point === 0x1a || (point >= 0xd800 && point < 0xe000)) return 5
  return point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4
}

const utf8Bytes = (text: string): number => {
  let bytes = 0
  for (const char of text) bytes += codePointBytes(char.codePointAt(0) ?? 0)
  return bytes
}

const fits = (texts: ReadonlyArray<string | null>): boolean =>
  texts.reduce((sum, text) => sum + utf8Bytes(text ?? ""), 0) <= MAX_BYTES

/**
 * Tells what is wrong with an id, a name or half of a thread's key; null when nothing is.
 *
 * @category guards
 * @since 0.1.0
 */
export const idFault = (id: unknown): string | null => {
  if (typeof id !== "string") return "its id is not a string"
  return utf8Bytes(id) > MAX_ID_BYTES ? `its id is longer than ${MAX_ID_BYTES} bytes` : null
}

const isCount = (value: unknown): boolean => typeof value === "number" && Number.isFinite(value)

/** The times that a date of JavaScript can hold. */
const MOST_MILLIS = 8.64e15

const isTime = (at: unknown): boolean =>
  typeof at === "number" && Number.isSafeInteger(at) && Math.abs(at) <= MOST_MILLIS

const columnFault = (message: NewMessage): string | null => {
  if (message.id === "") return "its id is empty"
  const fault = idFault(message.id)
  if (fault !== null) return fault
  if (!isCount(message.tokens)) return "its tokens are not a finite number"
  if (typeof message.tokenizer !== "string") return "its tokenizer is not a string"
  if (message.at !== undefined && !isTime(message.at)) return "its time is no whole milliseconds since 1970"
  if (message.raw === undefined) return null
  const { format, text } = message.raw
  return typeof format === "string" && typeof text === "string" ? null : "its raw bytes are not text"
}

/**
 * Writes a message in its stored form, or says why it cannot be kept.
 *
 * @category codecs
 * @since 0.1.0
 */
export const encodeMessage = (message: NewMessage): Result.Result<StoredMessage, string> =>
  Result.gen(function* () {
    const fault = columnFault(message)
    if (fault !== null) return yield* Result.fail(fault)
    const payload = yield* messageJson.encode(message.message)
    const cap = message.cap === undefined ? null : yield* patchesJson.encode(message.cap)
    const usage = message.usage === undefined ? null : yield* readingJson.encode(message.usage)
    const { id, tokens, tokenizer, raw } = message
    const stored = {
      id,
      payload,
      tokens,
      tokenizer,
      cap,
      rawFormat: raw?.format ?? null,
      rawText: raw?.text ?? null,
      usage,
      at: message.at ?? null,
    }
    if (!fits([payload, cap, tokenizer, stored.rawFormat, stored.rawText, usage])) {
      return yield* Result.fail(`it is larger than ${MAX_BYTES} bytes`)
    }
    return stored
  })

/** Units of a text that fits whatever they are: none needs more than 5 bytes. */
const SURELY = Math.floor(MAX_BYTES / 5)

/**
 * Tells what is wrong with a large value that is kept beside its row; null when nothing is.
 *
 * @category guards
 * @since 0.1.0
 */
export const valueFault = (text: string): string | null =>
  text.length <= SURELY || fits([text]) ? null : `a value of it is larger than ${MAX_BYTES} bytes`

/** A reading that cannot be read is none: what is sent does not depend on it. */
const readReading = (stored: string | null): Reading | null =>
  stored === null ? null : Result.getOrNull(readingJson.decode(stored))

/**
 * Reads a stored message, or says why it cannot be read.
 *
 * @category codecs
 * @since 0.1.0
 */
export const decodeMessage = (
  stored: StoredMessage & { readonly position: number },
): Result.Result<MessageRow, string> =>
  Result.gen(function* () {
    const message = yield* messageJson.decode(stored.payload)
    const cap = stored.cap === null ? null : yield* patchesJson.decode(stored.cap)
    const usage = readReading(stored.usage)
    const { id, position, tokens, tokenizer, rawFormat, rawText, at } = stored
    return {
      kind: "message",
      id,
      position,
      message,
      tokens,
      tokenizer,
      ...(cap === null ? {} : { cap }),
      ...(rawFormat === null || rawText === null ? {} : { raw: { format: rawFormat, text: rawText } }),
      ...(usage === null ? {} : { usage }),
      ...(at === null ? {} : { at }),
    }
  })

const isMarkKind = (kind: string): kind is Mark["kind"] => Object.hasOwn(MarkPayloadCodecs, kind)

const markJson: Record<Mark["kind"], JsonCodec<unknown>> = {
  summary: jsonCodec<unknown>(MarkPayloadCodecs.summary),
  reset: jsonCodec<unknown>(MarkPayloadCodecs.reset),
  prune: jsonCodec<unknown>(MarkPayloadCodecs.prune),
  recall: jsonCodec<unknown>(MarkPayloadCodecs.recall),
}

const placeFault = (mark: NewMark): string | null => {
  if (!isMarkKind(mark.kind)) return `its kind ${JSON.stringify(mark.kind)} is none of a mark`
  if (!Number.isSafeInteger(mark.revision) || mark.revision < 0) return "its revision is no natural number"
  return mark.id === "" ? "its id is empty" : (idFault(mark.id) ?? idFault(mark.anchor))
}

/**
 * Writes a mark in its stored form, or says why it cannot be kept.
 *
 * @category codecs
 * @since 0.1.0
 */
export const encodeMark = (mark: NewMark): Result.Result<StoredMark, string> =>
  Result.gen(function* () {
    const fault = placeFault(mark)
    if (fault !== null) return yield* Result.fail(fault)
    const { id, kind, anchor, revision, ...rest } = mark
    const payload = yield* markJson[kind].encode(rest)
    if (!fits([payload])) return yield* Result.fail(`it is larger than ${MAX_BYTES} bytes`)
    return { id, kind, anchor, revision, payload }
  })

/**
 * Reads a stored mark, or says why it cannot be read: a kind of a newer version is a reason.
 *
 * @category codecs
 * @since 0.1.0
 */
export const decodeMark = (stored: StoredMark & { readonly position: number }): Result.Result<Mark, string> =>
  Result.gen(function* () {
    const { id, kind, anchor, revision, position, payload } = stored
    if (!isMarkKind(kind)) return yield* Result.fail("its kind is unknown to this version")
    const rest = yield* markJson[kind].decode(payload)
    // The columns come last: a payload that happens to have a `kind` of its own does not change what the row is.
    return { ...(rest as object), id, kind, anchor, revision, position } as Mark
  })

/**
 * Checks a failure before it is recorded.
 *
 * @category codecs
 * @since 0.1.0
 */
export const checkFailure = (failure: Failure): Result.Result<Failure, string> => {
  const fault = idFault(failure.anchor)
  if (fault !== null) return Result.fail(fault)
  return Result.flatMap(failureJson.encode(failure), (text) =>
    fits([text]) ? Result.succeed(failure) : Result.fail(`it is larger than ${MAX_BYTES} bytes`),
  )
}

const canonical = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(canonical)
  if (typeof value !== "object" || value === null) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  // As pairs: an object would put keys that look like numbers first.
  return { entries: entries.map(([key, entry]) => [key, canonical(entry)]) }
}

/** Whether two payloads of messages differ in nothing but where their large values are. */
const sameButForValues = (a: string, b: string): boolean => {
  if (!mayRefer(a) && !mayRefer(b)) return false
  const both = Result.all([messageJson.decode(a), messageJson.decode(b)])
  return Result.isSuccess(both) && sameContent(both.success[0], both.success[1])
}

/**
 * Tells whether two payloads hold the same content; the order of keys does not count, nor does it whether a large
 * value is in its row or beside it.
 *
 * @category guards
 * @since 0.1.0
 */
export const samePayload = (a: string, b: string): boolean => {
  if (a === b) return true
  const both = Result.try({
    try: () => [a, b].map((text) => JSON.stringify(canonical(JSON.parse(text)))),
    catch: () => null,
  })
  return Result.isSuccess(both) && (both.success[0] === both.success[1] || sameButForValues(a, b))
}
