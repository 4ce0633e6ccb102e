/** JSON text, with the place where it breaks off and with numbers that keep their digits. */
import { Result } from "effect"
import { jsonFault } from "./JsonFault.ts"

/** An offset as a person would look for it. */
const place = (text: string, offset: number): string => {
  const before = text.slice(0, offset).split("\n")
  return `line ${before.length}, column ${(before.at(-1) ?? "").length + 1}`
}

/** Parses a JSON text; the failure says where it breaks. */
export const parseJson = (text: string): Result.Result<unknown, string> => {
  try {
    return Result.succeed(JSON.parse(text))
  } catch {
    const { offset, isCut } = jsonFault(text) ?? { offset: 0, isCut: false }
    return Result.fail(
      isCut
        ? `the JSON is cut off at ${place(text, text.length)}`
        : `this is no JSON from ${place(text, offset)} on`,
    )
  }
}

/** Stands before the digits of a number that a double cannot hold as it is written. */
const EXACT = "\u0000exact:"

const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g

/** Parses a text that is JSON; numbers that would change their digits become marked strings. */
export const parseExact = (text: string): unknown =>
  JSON.parse(
    text.replace(TOKEN, (token) =>
      token.startsWith('"') || JSON.stringify(Number(token)) === token
        ? token
        : JSON.stringify(EXACT + token),
    ),
  )

const MARKED = new RegExp(`"${JSON.stringify(EXACT).slice(1, -1).replace("\\", "\\\\")}([^"]*)"`, "g")

/** The JSON text of what `parseExact` gave, with the digits that the numbers came with. */
export const stringifyExact = (value: unknown): string => JSON.stringify(value).replace(MARKED, "$1")
