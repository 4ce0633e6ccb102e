/**
 * The data of files that JSON cannot hold: bytes and addresses. They are tagged while they are stored, and given back as
 * the kind of value that they were.
 *
 * @since 0.1.0
 */
import { Result, Schema } from "effect"
import * as Base64 from "effect/encoding/Base64"
import { type Fields, isFields } from "../format/Fields.ts"
import { stringIn } from "./Wire.ts"

/** Where a runtime has it: bytes of Node. */
declare const Buffer: { readonly from: (bytes: ArrayBuffer) => Uint8Array } | undefined

/** What a tag may say of a value; `$value` is JSON that looks tagged. */
const TAGS = ["$bytes", "$buffer", "$arrayBuffer", "$url", "$value"]

const isUrl = Schema.is(Schema.URL)

/** The address that a text is, or a failure. */
export const parseUrl = Schema.decodeUnknownResult(Schema.URLFromString)

/** The only field of an object, when it is a tag. */
const tagIn = (value: unknown): readonly [string, unknown] | null => {
  const [entry, ...others] = isFields(value) ? Object.entries(value) : []
  return entry !== undefined && others.length === 0 && TAGS.includes(entry[0]) ? entry : null
}

const isBuffer = (bytes: Uint8Array): boolean =>
  Object.getPrototypeOf(bytes)?.constructor?.name === "Buffer" && typeof Buffer !== "undefined"

/** The data of a file is one value, or, in newer versions, an object that holds it. */
const DEPTH = 2

const each = (object: Fields, change: (value: unknown, name: string) => unknown): Fields => {
  const entries = Object.entries(object).map(([name, value]) => [name, change(value, name)] as const)
  return entries.every(([name, value]) => value === object[name]) ? object : Object.fromEntries(entries)
}

const isPlain = (value: unknown): value is Fields =>
  isFields(value) && [Object.prototype, null].includes(Object.getPrototypeOf(value))

/** Tags a value. One that looks tagged is wrapped, so that it is not taken for one. */
const tag = (value: unknown, depth = DEPTH): unknown => {
  if (value instanceof Uint8Array) return { [isBuffer(value) ? "$buffer" : "$bytes"]: Base64.encode(value) }
  if (value instanceof ArrayBuffer) return { $arrayBuffer: Base64.encode(new Uint8Array(value)) }
  if (isUrl(value)) return { $url: value.href }
  if (!isPlain(value)) return value
  const inside = depth === 0 ? value : each(value, (one) => tag(one, depth - 1))
  return tagIn(value) === null ? inside : { $value: inside }
}

const bytesOf = (base64: unknown): Uint8Array | null => {
  const bytes = typeof base64 === "string" ? Base64.decode(base64) : null
  return bytes !== null && Result.isSuccess(bytes) ? bytes.success : null
}

/** The same bytes, alone in their buffer. */
const bufferOf = (bytes: Uint8Array): ArrayBuffer => {
  const buffer = new ArrayBuffer(bytes.length)
  new Uint8Array(buffer).set(bytes)
  return buffer
}

const live = (name: string, tagged: unknown): unknown => {
  if (name === "$url") {
    const url = parseUrl(tagged)
    return Result.isSuccess(url) ? url.success : tagged
  }
  const bytes = bytesOf(tagged)
  if (bytes === null) return tagged
  if (name === "$arrayBuffer") return bufferOf(bytes)
  return name === "$buffer" && typeof Buffer !== "undefined" ? Buffer.from(bufferOf(bytes)) : bytes
}

/** The value that was tagged. */
const untag = (value: unknown, depth = DEPTH): unknown => {
  const [name, tagged] = tagIn(value) ?? []
  if (name !== undefined && name !== "$value") return live(name, tagged)
  const inside = name === undefined ? value : tagged
  return isFields(inside) && depth > 0 ? each(inside, (one) => untag(one, depth - 1)) : inside
}

/** The data of a file as a text: base64, or an address; null where it is neither. */
export const textOfData = (data: unknown): string | null => {
  if (typeof data === "string") return data
  const [name, tagged] = tagIn(data) ?? []
  if (name !== undefined && name !== "$value" && typeof tagged === "string") return tagged
  if (!isFields(data)) return null
  if (data.type === "data") return textOfData(data.data)
  return data.type === "url" && stringIn(data, "url") !== "" ? stringIn(data, "url") : textOfData(data.url)
}

/** The fields of a part that may hold what is no JSON. */
const OPEN = ["data", "image"]

const eachPart = (message: unknown, change: (value: unknown) => unknown): unknown => {
  if (!isFields(message) || !Array.isArray(message.content)) return message
  const parts: ReadonlyArray<unknown> = message.content
  const changed = parts.map((part) =>
    isFields(part) ? each(part, (value, name) => (OPEN.includes(name) ? change(value) : value)) : part,
  )
  return changed.every((part, i) => part === parts[i]) ? message : { ...message, content: changed }
}

const eachMessage = (input: unknown, change: (value: unknown) => unknown): unknown => {
  if (Array.isArray(input)) return input.map((message) => eachPart(message, change))
  return isFields(input) && Array.isArray(input.messages)
    ? { ...input, messages: input.messages.map((message) => eachPart(message, change)) }
    : input
}

/** A request or a list as JSON. */
export const toStored = (input: unknown): unknown => eachMessage(input, (value) => tag(value))

/** The request of what was stored. */
export const fromStored = (input: unknown): unknown => eachMessage(input, (value) => untag(value))
