/**
 * Whether the places where a response repeats its calls say the same.
 *
 * @since 0.1.0
 */
import { readExact, writeExact } from "../format/ExactJson.ts"
import type { Fields } from "../format/Fields.ts"
import { type Call, callsIn } from "./Calls.ts"

/** Arguments as one text for all spellings of the same value. */
const normal = ({ args }: Call): string | undefined => {
  if (args === null) return undefined
  return "text" in args ? (writeExact(readExact(args.text)) ?? args.text) : writeExact(args.value)
}

const sameCall = (copy: Call, listed: Call): boolean =>
  copy.name === listed.name && (copy.args === null || normal(copy) === normal(listed))

/** Calls that a place repeats in vain: not listed, or with another name or other arguments. */
const strays = (copies: ReadonlyArray<Call>, listed: ReadonlyArray<Call>): ReadonlyArray<string> => {
  const own = new Map(listed.map((call) => [call.id, call] as const))
  return copies.flatMap((copy) => {
    const found = own.get(copy.id)
    return found !== undefined && sameCall(copy, found) ? [] : [copy.id]
  })
}

/** Whether a message is of before `tool_calls`: LangChain itself then reads the calls that OpenAI sent. */
export const isOld = (fields: Fields): boolean => {
  const { listed, invalid, blocks } = callsIn(fields)
  return (fields.tool_calls ?? null) === null && listed.length + invalid.length + blocks.length === 0
}

/** Ids of calls that stand in the content, or beside it, and are not in `tool_calls` as they are there. */
export const strayCopies = (fields: Fields): ReadonlyArray<string> => {
  const { listed, invalid, blocks, raw } = callsIn(fields)
  const all = [...listed, ...invalid]
  return [...strays(blocks, all), ...(isOld(fields) ? [] : strays(raw, all))]
}
