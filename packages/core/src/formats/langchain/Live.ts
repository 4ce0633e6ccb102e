/**
 * Messages that are still objects of LangChain's classes.
 *
 * @since 0.1.0
 */
import { readExact, writeExact } from "../format/ExactJson.ts"
import { type Fields, isFields } from "../format/Fields.ts"

/** What a message says of itself by its own method; undefined where it has none, or where that fails. */
const dictOf = (message: Fields): unknown => {
  const own = message.toDict ?? message.toJSON
  if (typeof own !== "function") return undefined
  try {
    return readExact(writeExact(own.call(message)) ?? "")
  } catch {
    return undefined
  }
}

const isLive = (value: unknown): value is Fields =>
  isFields(value) && (typeof value.toDict === "function" || typeof value.toJSON === "function")

/** The list with each live message in its stored form; the list itself where there is none. */
const plainList = (list: ReadonlyArray<unknown>): ReadonlyArray<unknown> =>
  list.some(isLive) ? list.map((value) => (isLive(value) ? (dictOf(value) ?? value) : value)) : list

/** A request, or a list, of plain data. What has no live message comes back as it is. */
export const plainOf = (input: unknown): unknown => {
  if (Array.isArray(input)) return plainList(input)
  if (!isFields(input) || !Array.isArray(input.messages)) return input
  const messages = plainList(input.messages)
  return messages === input.messages ? input : { ...input, messages }
}
