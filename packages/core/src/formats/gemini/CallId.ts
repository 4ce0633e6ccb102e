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

/** The id of a call, or of a response whose call is not there, by its place in a content. */
export const derivedId = (content: GeminiContent, index: number): string =>
  `${PREFIX}${sha256(`${index} ${writeExact(content) ?? ""}`).slice(0, DIGITS)}`

/** Whether an id is derived: it is never sent. */
export const isDerivedId = (id: string): boolean => DERIVED.test(id)
