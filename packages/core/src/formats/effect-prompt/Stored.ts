/**
 * Values of a prompt that JSON cannot hold: bytes and addresses of files, and results that are undefined. They are
 * tagged while they are stored, and given back as they were.
 *
 * @since 0.1.0
 */
import { Result, Schema } from "effect"
import * as Base64 from "effect/encoding/Base64"
import { type Fields, isFields } from "../format/Fields.ts"

const TAGS = ["$bytes", "$url", "$undefined", "$value"]

const isUrl = Schema.is(Schema.URL)
const isBytes = Schema.is(Schema.Uint8Array)
const parseUrl = Schema.decodeUnknownResult(Schema.URLFromString)

/** The only field of an object, when it is a tag. */
const tagIn = (value: unknown): readonly [string, unknown] | null => {
  const [entry, ...others] = isFields(value) ? Object.entries(value) : []
  return entry !== undefined && others.length === 0 && TAGS.includes(entry[0]) ? entry : null
}

/** Tags a value; one that looks tagged is wrapped, so that it is not taken for one. */
export const tag = (value: unknown): unknown => {
  if (value === undefined) return { $undefined: true }
  if (isBytes(value)) return { $bytes: Base64.encode(value) }
  if (isUrl(value)) return { $url: String(value) }
  return tagIn(value) === null ? value : { $value: value }
}

/** The JSON of a tagged value; bytes and addresses keep their tag. */
export const jsonOf = (value: unknown): unknown => {
  const [name, tagged] = tagIn(value) ?? []
  if (name === "$undefined") return undefined
  return name === "$value" ? tagged : value
}

/** The value that was tagged. */
export const untag = (value: unknown): unknown => {
  const [name, tagged] = tagIn(value) ?? []
  switch (name) {
    case "$undefined":
      return undefined
    case "$value":
      return tagged
    case "$bytes": {
      const bytes = Base64.decode(String(tagged))
      return Result.isSuccess(bytes) ? bytes.success : tagged
    }
    case "$url": {
      const url = parseUrl(tagged)
      return Result.isSuccess(url) ? url.success : tagged
    }
    default:
      return value
  }
}

/** Whether a text is the base64 of bytes, and of none other than those. */
export const isBase64 = (text: string): boolean => {
  const bytes = Base64.decode(text)
  return Result.isSuccess(bytes) && Base64.encode(bytes.success) === text
}

/** Marks of decoded messages and parts, which an encoded prompt has not. */
const MARKS = ["~effect/ai/Prompt/Message", "~effect/ai/Prompt/Part"]

const unmarked = (object: Fields): Fields =>
  MARKS.some((mark) => mark in object)
    ? Object.fromEntries(Object.entries(object).filter(([name]) => !MARKS.includes(name)))
    : object

/** The field of a part whose value JSON may not hold. */
const openField = ({ type }: Fields): string | null =>
  type === "file" ? "data" : type === "tool-result" ? "result" : null

const eachPart = (message: unknown, change: (part: Fields) => Fields): unknown => {
  if (!isFields(message) || !Array.isArray(message.content)) return message
  const parts: ReadonlyArray<unknown> = message.content
  const changed = parts.map((part) => (isFields(part) ? change(part) : part))
  return changed.every((part, i) => part === parts[i]) ? message : { ...message, content: changed }
}

const eachMessage = (input: unknown, change: (message: unknown) => unknown): unknown => {
  if (Array.isArray(input)) return input.map(change)
  return isFields(input) && Array.isArray(input.content)
    ? { ...input, content: input.content.map(change) }
    : input
}

const withOpen = (part: Fields, change: (value: unknown) => unknown): Fields => {
  const name = openField(part)
  if (name === null || !(name in part)) return part
  const value = change(part[name])
  return value === part[name] ? part : { ...part, [name]: value }
}

/** A prompt, encoded or decoded, as JSON. */
export const toStored = (input: unknown): unknown =>
  eachMessage(input, (message) =>
    eachPart(isFields(message) ? unmarked(message) : message, (part) => withOpen(unmarked(part), tag)),
  )

/** The prompt of what was stored. */
export const fromStored = (input: unknown): unknown =>
  eachMessage(input, (message) => eachPart(message, (part) => withOpen(part, untag)))
