/**
 * The frame of a request: where its messages and its system prompt are kept.
 *
 * @since 0.1.0
 */
import type { Conversation, FormatName } from "./Conversation.ts"
import { readExact, writeExact } from "./ExactJson.ts"
import { type Fields, isFields } from "./Fields.ts"

/**
 * Where a request keeps its messages and its system prompt.
 *
 * @category models
 * @since 0.1.0
 */
export interface FrameSpec {
  /** The field that holds the messages: `messages`. */
  readonly list: string
  /** The field that holds the system prompt; null where it is only a message. */
  readonly system: string | null
  /** The messages of a field that is no list, where the format allows that: `input: "Hello"`. */
  readonly listOf?: (value: unknown) => ReadonlyArray<unknown> | null
  /** The text of a system field, or of a system message at the start of the list; null for what is none. */
  readonly readSystem: (value: unknown) => string | null
  readonly isSystemMessage: (element: unknown) => boolean
  /** The plain form: of the field where there is one, of the message elsewhere. */
  readonly writeSystem: (text: string) => unknown
}

/** A request taken apart. */
export interface Taken {
  readonly frame: Fields | null
  readonly list: ReadonlyArray<unknown>
}

/** The list of a request and the request around it; null when there is no list. */
export const take = (input: unknown, { list, listOf }: FrameSpec): Taken | null => {
  if (Array.isArray(input)) return { frame: null, list: input }
  if (!isFields(input)) return null
  const own = input[list]
  if (Array.isArray(own)) return { frame: { ...input, [list]: null }, list: own }
  const made = listOf?.(own) ?? null
  return made === null ? null : { frame: input, list: made }
}

/** Where an element of the list stands. */
export const elementPath = (frame: Fields | null, spec: FrameSpec, i: number): string =>
  `${frame === null ? "" : spec.list}[${i}]`

/** The text of the system field of a frame; null where there is none. */
export const systemIn = (frame: Fields | null, spec: FrameSpec): string | null => {
  const value = frame === null || spec.system === null ? undefined : frame[spec.system]
  return value === undefined ? null : spec.readSystem(value)
}

const rawOf = (raw: Conversation["frame"], name: FormatName): unknown =>
  raw?.format === name ? readExact(raw.text) : undefined

/** The request with its list and its system prompt in place. */
export const framed = (
  { system, systemRaw, frame: raw }: Conversation,
  list: ReadonlyArray<unknown>,
  spec: FrameSpec,
  name: FormatName,
): Fields => {
  const kept = rawOf(raw, name)
  const frame: Fields = isFields(kept) ? kept : {}
  const asString = spec.listOf?.(frame[spec.list]) ?? null
  const value = asString !== null && writeExact(asString) === writeExact(list) ? frame[spec.list] : list
  const message = rawOf(systemRaw, name)
  const inList = system !== null && spec.isSystemMessage(message) && spec.readSystem(message) === system
  if (inList) return { ...frame, [spec.list]: [message, ...list] }
  if (spec.system === null) {
    const first = system === null ? [] : [spec.writeSystem(system)]
    return { ...frame, [spec.list]: system === null ? value : [...first, ...list] }
  }
  if (systemIn(frame, spec) === system) return { ...frame, [spec.list]: value }
  const { [spec.system]: _, ...others } = frame
  return system === null
    ? { ...others, [spec.list]: value }
    : { [spec.system]: spec.writeSystem(system), ...others, [spec.list]: value }
}
