/**
 * The object of a function response, and the status and text of a result.
 *
 * `{ output }` and `{ error }` are the keys that the API's reference names; `{ result }` is what many SDKs send. Any
 * other object is the output as a whole: its text is its JSON.
 *
 * @since 0.1.0
 */
import type { ToolResultPart } from "../../thread/Message.ts"
import { readExact, writeExact } from "../format/ExactJson.ts"
import { type Fields, isFields } from "../format/Fields.ts"
import { wellFormedDeep } from "../format/WellFormed.ts"

/** What a result says in words. */
export interface Said {
  readonly status: ToolResultPart["status"]
  readonly text: string
}

/** The only field of an object, when it is a text. What JSON leaves out is no field. */
const onlyText = (response: Fields): readonly [string, string] | null => {
  const [first, ...others] = Object.entries(response).filter(([, value]) => value !== undefined)
  if (first === undefined || others.length > 0) return null
  const [name, value] = first
  return typeof value === "string" ? [name, value] : null
}

const isError = (response: Fields): boolean => (response.error ?? undefined) !== undefined

/** Reads a response. */
export const readResponse = (response: unknown): Said => {
  if (!isFields(response))
    return { status: "ok", text: typeof response === "string" ? response : (writeExact(response) ?? "") }
  const [name, text] = onlyText(response) ?? []
  if (text !== undefined && (name === "output" || name === "result")) return { status: "ok", text }
  if (text !== undefined && name === "error") return { status: "error", text }
  return { status: isError(response) ? "error" : "ok", text: writeExact(response) ?? "{}" }
}

/**
 * Writes a response: a text that is an object's JSON is that object, where it would be read to the same. Half of a
 * character that is escaped in the text would be a real one in the object, which is not sent.
 */
export const writeResponse = ({ status, text }: Said): Fields => {
  const value = readExact(text)
  if (isFields(value) && writeExact(value) === text && wellFormedDeep(value) === value) {
    const said = readResponse(value)
    if (said.text === text && said.status === status) return value
  }
  return { [status === "ok" ? "output" : "error"]: text }
}
