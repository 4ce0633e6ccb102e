/**
 * Whether the places where a response repeats its calls say the same.
 *
 * @since 0.1.0
 */
import { readExact, writeExact } from "../format/ExactJson.ts"
import type { Fields } from "../format/Fields.ts"
import { type Call, callsIn } from "./Calls.ts"

/** Arguments as one text for all spellings of the same value. */
const normal = (text: string): string => writeExact(readExact(text)) ?? text

const sameCall = (copy: Call, listed: Call): boolean =>
  copy.name === listed.name &&
  (copy.arguments === null || normal(copy.arguments) === normal(listed.arguments ?? ""))

/** Calls that a place repeats in vain: not listed, or with another name or other arguments. */
const strays = (copies: ReadonlyArray<Call>, listed: ReadonlyArray<Call>): ReadonlyArray<string> => {
  const own = new Map(listed.map((call) => [call.id, call] as const))
  return copies.flatMap((copy) => {
    const found = own.get(copy.id)
    return found !== undefined && sameCall(copy, found) ? [] : [copy.id]
  })
}

/** Ids of calls that stand in the content, or beside it, and are not in `tool_calls` as they are there. */
export const strayCopies = (fields: Fields): ReadonlyArray<string> => {
  const { listed, invalid, blocks, raw } = callsIn(fields)
  const all = [...listed, ...invalid]
  // Messages of before `tool_calls` have only what OpenAI sent: LangChain parses it when it makes the message.
  const isOld = fields.tool_calls === undefined && all.length === 0 && blocks.length === 0
  return [...strays(blocks, all), ...(isOld ? [] : strays(raw, all))]
}
