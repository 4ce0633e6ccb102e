/** JSON text, with the place where it breaks off and with numbers that keep their digits. */
import { readExact } from "@palimpsest/core/formats"
import { Result } from "effect"
import { jsonFault } from "./JsonFault.ts"

/** Why a text is no JSON. */
export interface Broken {
  readonly reason: string
  /** The text ends before the value does. */
  readonly isCut: boolean
  /** Not even its first character is of JSON. */
  readonly isOther: boolean
}

/** An offset as a person would look for it. */
const place = (text: string, offset: number, firstLine: number): string => {
  const before = text.slice(0, offset).split("\n")
  return `line ${before.length + firstLine - 1}, column ${(before.at(-1) ?? "").length + 1}`
}

/** Parses a JSON text; the failure says where it breaks. `firstLine` is the number of its first line in the file. */
export const parseJson = (text: string, firstLine = 1): Result.Result<unknown, Broken> => {
  const value = readExact(text)
  if (value !== undefined) return Result.succeed(value)
  const { offset, isCut } = jsonFault(text) ?? { offset: 0, isCut: false }
  return Result.fail(
    isCut
      ? { isCut, isOther: false, reason: `the JSON is cut off at ${place(text, text.length, firstLine)}` }
      : {
          isCut,
          isOther: text.slice(0, offset).trim() === "",
          reason: `this is no JSON from ${place(text, offset, firstLine)} on`,
        },
  )
}
