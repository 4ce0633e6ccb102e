/**
 * Ids of calls that came without one. They follow from the content of the model alone, so they stay the same when the
 * response is appended later, and each process derives the same.
 *
 * @since 0.1.0
 */
import { sha256 } from "../../thread/Id.ts"
import { writeExact } from "../format/ExactJson.ts"
import type { GeminiContent } from "./Wire.ts"

const PREFIX = "gemini-"

/** Hexadecimal digits: with the prefix short enough for the providers that allow 32 characters. */
const DIGITS = 24

const DERIVED = new RegExp(`^${PREFIX}[0-9a-f]{${DIGITS}}$`)

/**
 * The ids of the calls of a content, or of its responses whose calls are not there, by their places in it. The content
 * is written once, and only if an id is asked for: a content may hold thousands of calls.
 */
export const derivedIds = (content: GeminiContent): ((index: number) => string) => {
  let digest: string | undefined
  return (index) => {
    digest ??= sha256(writeExact(content) ?? "")
    return `${PREFIX}${sha256(`${index} ${digest}`).slice(0, DIGITS)}`
  }
}

/** Whether an id is derived: it is never sent. */
export const isDerivedId = (id: string): boolean => DERIVED.test(id)
