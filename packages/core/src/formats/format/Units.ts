/**
 * Reads a list of wire elements to messages and back, so that what came comes out again.
 *
 * A unit is the smallest piece of wire that is read by itself: a message, or the items of one response. The form in
 * which a unit came is kept only where its messages alone would not give it back; and it is used only where reading
 * it again gives just these messages. So a message that was shortened is never sent in its old form.
 *
 * @since 0.1.0
 */
import type { Message } from "../../thread/Message.ts"
import type { FormatName, Item, Loss } from "./Conversation.ts"
import { readExact, writeExact } from "./ExactJson.ts"
import { type IdRule, withLegalIds } from "./Ids.ts"
import { sameMessages } from "./Same.ts"
import { wellFormedDeep } from "./WellFormed.ts"

/**
 * What a writer may look up.
 *
 * @category models
 * @since 0.1.0
 */
export interface WriteContext {
  /** The name of the tool of a call, by the call's id; undefined when the call is not in the conversation. */
  readonly toolOf: (call: string) => string | undefined
  /** The kind of a call where it is none of a function, by its id. */
  readonly kindOf: (call: string) => string | undefined
}

/**
 * Elements, and what could not be said in them. `message` of a loss is the index in the messages that were given.
 *
 * @category models
 * @since 0.1.0
 */
export interface Written<Element> {
  readonly wire: ReadonlyArray<Element>
  readonly losses: ReadonlyArray<Loss>
}

/**
 * How a format's list is read and written. `read` and `write` are total, and `read` looks at its unit only.
 *
 * @category models
 * @since 0.1.0
 */
export interface UnitCodec<Element> {
  readonly name: FormatName
  /** Number of elements of the unit that starts at an index: at least 1. */
  readonly span: (wire: ReadonlyArray<Element>, at: number) => number
  readonly read: (unit: ReadonlyArray<Element>) => ReadonlyArray<Message>
  readonly write: (messages: ReadonlyArray<Message>, context: WriteContext) => Written<Element>
  /** Whether a message after a unit belongs into the same element, so that both are written anew: a result, say. */
  readonly joins?: (next: Message) => boolean
  /** Whether a kept form is still one of this format's units: what is stored is data. */
  readonly isUnit: (unit: unknown) => unit is ReadonlyArray<Element>
}

const contextOf = (messages: ReadonlyArray<Message>): WriteContext => {
  const calls = messages.flatMap((message) =>
    message.role === "assistant" ? message.parts.filter((part) => part.type === "tool-call") : [],
  )
  const byId = new Map(calls.map((call) => [call.id, call] as const))
  return { toolOf: (id) => byId.get(id)?.name, kindOf: (id) => byId.get(id)?.kind }
}

const textOfJson = (value: unknown): string => writeExact(value) ?? ""

/** The units of a list. */
const unitsOf = <Element>(
  wire: ReadonlyArray<Element>,
  span: UnitCodec<Element>["span"],
): ReadonlyArray<ReadonlyArray<Element>> => {
  const units: Array<ReadonlyArray<Element>> = []
  for (let at = 0; at < wire.length; ) {
    const length = Math.max(1, span(wire, at))
    units.push(wire.slice(at, at + length))
    at += length
  }
  return units
}

const kept = (unit: ReadonlyArray<unknown>, name: FormatName, messages: ReadonlyArray<Message>): Items => {
  const raw = { format: name, text: textOfJson(unit) }
  return messages.map((message, i) => (i === 0 ? { message, raw } : { message }))
}

type Items = ReadonlyArray<Item>

interface Unit<Element> {
  readonly unit: ReadonlyArray<Element>
  readonly messages: ReadonlyArray<Message>
}

/** A unit without messages is kept by an empty message of a program: nothing that came is lost. */
const readUnit = <Element>(
  unit: ReadonlyArray<Element>,
  codec: UnitCodec<Element>,
): ReadonlyArray<Message> => {
  const messages = codec.read(unit)
  return messages.length > 0
    ? messages
    : [
        {
          role: "user",
          synthetic: true,
          parts: [{ type: "opaque", format: codec.name, json: textOfJson(unit) }],
        },
      ]
}

/**
 * Reads the elements of a list.
 *
 * @category codecs
 * @since 0.1.0
 */
export const readUnits = <Element>(
  wire: ReadonlyArray<Element>,
  codec: UnitCodec<Element>,
  ids: IdRule,
): ReadonlyArray<Item> => {
  const units = unitsOf(wire, codec.span).map((unit) => ({ unit, messages: readUnit(unit, codec) }))
  const plain = units.flatMap(({ messages }) => messages.map((message) => ({ message })))
  const renamed = withLegalIds(plain, ids).items
  const context = contextOf(units.flatMap(({ messages }) => messages))
  const items: Array<Item> = []
  /** The unit before, when it is written from its messages: a writer may join it with this one. */
  let before: Unit<Element> | null = null
  for (const each of units) {
    const isNamed = each.messages.every((message, i) => renamed[items.length + i]?.message === message)
    const joined: ReadonlyArray<Message> = [...(before?.messages ?? []), ...each.messages]
    const expected = textOfJson([...(before?.unit ?? []), ...each.unit])
    const written: Written<Element> = codec.write(joined, context)
    const isPlain =
      isNamed && written.losses.length === 0 && textOfJson(wellFormedDeep(written.wire)) === expected
    items.push(
      ...(isPlain
        ? each.messages.map((message) => ({ message }))
        : kept(each.unit, codec.name, each.messages)),
    )
    before = isPlain ? each : null
  }
  return items
}

/** The elements of a kept form, when the messages at an index are still what they were read to. */
const keptAt = <Element>(
  items: Items,
  at: number,
  codec: UnitCodec<Element>,
): { readonly unit: ReadonlyArray<Element>; readonly length: number } | null => {
  const raw = items[at]?.raw
  if (raw === undefined || raw.format !== codec.name) return null
  const unit = readExact(raw.text)
  if (!codec.isUnit(unit)) return null
  const messages = readUnit(unit, codec)
  const now = items.slice(at, at + messages.length).map(({ message }) => message)
  return sameMessages(messages, now) ? { unit, length: messages.length } : null
}

const foreign = (items: Items, at: number, name: FormatName): ReadonlyArray<Loss> => {
  const raw = items[at]?.raw
  if (raw === undefined) return []
  const why =
    raw.format === name
      ? "the message was changed since it was read"
      : `${name} has no place for all that ${raw.format} said`
  return [{ kind: "dropped", message: at, what: "fields of the form in which it came", why }]
}

/**
 * Units that go out in the form in which they came, by the index of their first message.
 *
 * @category models
 * @since 0.1.0
 */
export type Kept<Element> = ReadonlyMap<
  number,
  { readonly unit: ReadonlyArray<Element>; readonly length: number }
>

/**
 * Finds the units whose kept form still says what their messages say.
 *
 * @category codecs
 * @since 0.1.0
 */
export const keptUnits = <Element>(items: Items, codec: UnitCodec<Element>): Kept<Element> => {
  const kept = new Map<number, { readonly unit: ReadonlyArray<Element>; readonly length: number }>()
  for (let at = 0; at < items.length; ) {
    const own = keptAt(items, at, codec)
    const next = own === null ? undefined : items[at + own.length]?.message
    const isWhole = next === undefined || codec.joins?.(next) !== true
    if (own !== null && isWhole) kept.set(at, own)
    at += own?.length ?? 1
  }
  return kept
}

/**
 * Writes items as elements: each in the form in which it came where that still says the same, the others anew.
 *
 * @category codecs
 * @since 0.1.0
 */
export const writeUnits = <Element>(
  items: Items,
  codec: UnitCodec<Element>,
  kept: Kept<Element> = keptUnits(items, codec),
): Written<Element> => {
  const context = contextOf(items.map(({ message }) => message))
  const wire: Array<Element> = []
  const losses: Array<Loss> = []
  let run: Array<Message> = []
  let start = 0
  const flush = () => {
    if (run.length === 0) return
    const written = codec.write(run, context)
    for (const element of wellFormedDeep(written.wire)) wire.push(element)
    for (const loss of written.losses) losses.push({ ...loss, message: loss.message + start })
    run = []
  }
  for (let at = 0; at < items.length; ) {
    const own = kept.get(at)
    if (own !== undefined) {
      flush()
      wire.push(...own.unit)
      at += own.length
      continue
    }
    const item = items[at]
    if (run.length === 0) start = at
    if (item !== undefined) run.push(item.message)
    losses.push(...foreign(items, at, codec.name))
    at += 1
  }
  flush()
  return { wire, losses }
}
