/**
 * Makes the responses of each content those of the calls before it: as many, in their order, before all else.
 *
 * @since 0.1.0
 */
import type { WireRepair } from "../format/Rule.ts"
import { pairsOf } from "./Pair.ts"
import {
  callsIn,
  type GeminiContent,
  type GeminiPart,
  isModel,
  type Named,
  objectField,
  responseOf,
  responsesIn,
} from "./Wire.ts"

/** What stands in place of a result that is not there. */
const CLOSING = "(no result was recorded)"

const closingOf = ({ id, name }: Named): GeminiPart => ({
  functionResponse: { ...(id === undefined ? {} : { id }), name, response: { error: CLOSING } },
})

const withName = (part: GeminiPart, { name }: Named): GeminiPart => {
  const response = objectField(part, "functionResponse")
  if (response === undefined || response.name === name) return part
  const { functionResponse: _, function_response: __, ...others } = part
  return { functionResponse: { ...response, name }, ...others }
}

const fitContent = (content: GeminiContent, calls: ReadonlyArray<Named>): GeminiContent => {
  const answers = content.parts.filter((part) => responseOf(part) !== undefined)
  const pairs = pairsOf(calls, responsesIn(content))
  const responses = calls.map((call, i) => {
    const answer = answers[pairs.indexOf(i)]
    return answer === undefined ? closingOf(call) : withName(answer, call)
  })
  const parts = [...responses, ...content.parts.filter((part) => responseOf(part) === undefined)]
  const isSame = parts.length === content.parts.length && parts.every((part, i) => part === content.parts[i])
  return isSame ? content : { ...content, parts }
}

/** Fits contents whose roles alternate, and whose parts hold one thing each. */
export const fitResponses = (
  contents: ReadonlyArray<GeminiContent>,
): { readonly contents: ReadonlyArray<GeminiContent>; readonly repairs: ReadonlyArray<WireRepair> } => {
  const callsBefore = (i: number): ReadonlyArray<Named> => {
    const before = contents[i - 1]
    return before === undefined ? [] : callsIn(before)
  }
  const fitted = contents.map((content, i) =>
    isModel(content) ? content : fitContent(content, callsBefore(i)),
  )
  const open = callsBefore(contents.length)
  const repairs = fitted.flatMap((content, i) =>
    content === contents[i]
      ? []
      : [{ rule: "GE4", path: `contents[${i}]`, detail: "changed the responses to those of the calls" }],
  )
  if (open.length === 0) return { contents: fitted, repairs }
  const path = `contents[${contents.length}]`
  return {
    contents: [...fitted, { role: "user", parts: open.map(closingOf) }],
    repairs: [...repairs, { rule: "GE4", path, detail: "added responses" }],
  }
}
