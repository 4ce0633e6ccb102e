/**
 * The rules of the Gemini API, checked on a request before it is sent.
 *
 * @since 0.1.0
 */
import type { Rule, Violation } from "../format/Rule.ts"
import { pairsOf } from "./Pair.ts"
import { isEmptyPart, partFaults } from "./PartRules.ts"
import { unsignedCalls } from "./Turns.ts"
import {
  callOf,
  callsIn,
  type Dialect,
  type GeminiContent,
  type GeminiRequest,
  isModel,
  responseOf,
  responsesIn,
} from "./Wire.ts"

type Fault = Omit<Violation, "rule">

/** A rule that looks at each content and its neighbours. */
const eachContent = (
  id: string,
  check: (content: GeminiContent, i: number, all: ReadonlyArray<GeminiContent>) => string | null,
): Rule<GeminiRequest> => ({
  id,
  check: ({ contents }) =>
    contents.flatMap((content, i): ReadonlyArray<Fault> => {
      const detail = check(content, i, contents)
      return detail === null ? [] : [{ path: `contents[${i}]`, detail }]
    }),
})

const isUser = (content: GeminiContent | undefined): boolean => content !== undefined && !isModel(content)

const ends: Rule<GeminiRequest> = {
  id: "GE1",
  check: ({ contents }) => [
    ...(isUser(contents[0]) ? [] : [{ path: "contents[0]", detail: "the first content is not the user's" }]),
    ...(contents.length === 0 || isUser(contents.at(-1))
      ? []
      : [{ path: `contents[${contents.length - 1}]`, detail: "the last content is not the user's" }]),
  ],
}

const alternate = eachContent("GE2", (content, i, all) => {
  const before = all[i - 1]
  return before !== undefined && isModel(before) === isModel(content)
    ? "it has the role of the content before it"
    : null
})

const callsFollow = eachContent("GE3", (content, i, all) => {
  if (content.parts.every((part) => callOf(part) === undefined)) return null
  if (!isModel(content)) return "a call stands in a content of the user"
  return isUser(all[i - 1]) ? null : "a call does not come right after a content of the user"
})

/** What is wrong with the responses in a content, given the content before it. */
const responseFault = (content: GeminiContent, before: GeminiContent | undefined): string | null => {
  const calls = before === undefined ? [] : callsIn(before)
  const responses = responsesIn(content)
  if (calls.length !== responses.length)
    return `it has ${responses.length} function responses to ${calls.length} function calls`
  if (pairsOf(calls, responses).some((call, i) => call !== i))
    return "its function responses are not those of the calls, in their order"
  if (calls.some(({ name }, i) => name !== responses[i]?.name))
    return "a function response has another name than its call"
  const first = content.parts.slice(0, calls.length)
  return first.every((part) => responseOf(part) !== undefined)
    ? null
    : "something stands before a function response"
}

const answers = eachContent("GE4", (content, i, all) => {
  if (!isModel(content)) return responseFault(content, all[i - 1])
  const isHere = content.parts.some((part) => responseOf(part) !== undefined)
  if (isHere) return "a function response stands in a content of the model"
  return callsIn(content).length > 0 && !isUser(all[i + 1]) ? "its calls have no responses" : null
})

const signatures: Rule<GeminiRequest> = {
  id: "GE5",
  check: ({ contents }) =>
    unsignedCalls(contents).map(({ content, part }) => ({
      path: `contents[${content}].parts[${part}]`,
      detail: "the first call of a step of the current turn has no signature",
    })),
}

const nonEmpty = (dialect: Dialect): Rule<GeminiRequest> => ({
  id: "GE7",
  check: ({ contents }) => [
    ...(contents.length === 0 ? [{ path: "contents", detail: "there is no content" }] : []),
    ...contents.flatMap(({ parts }, i): ReadonlyArray<Fault> => {
      if (parts.length === 0) return [{ path: `contents[${i}]`, detail: "it has no part" }]
      const empty = parts.flatMap((part, j) => (isEmptyPart(part, dialect) ? [j] : []))
      return empty.map((j) => ({ path: `contents[${i}].parts[${j}]`, detail: "it is empty" }))
    }),
  ],
})

/** GE8, GE9 and GE10 look at parts one by one. */
const partRule = (id: "GE8" | "GE9" | "GE10", dialect: Dialect): Rule<GeminiRequest> => ({
  id,
  check: ({ contents }) =>
    contents.flatMap(({ parts, ...others }, i) => [
      ...(id === "GE9"
        ? Object.keys(others)
            .filter((name) => name !== "role")
            .map((name) => ({ path: `contents[${i}]`, detail: `${name} is no field of a content` }))
        : []),
      ...parts.flatMap((part, j) =>
        partFaults(part, dialect)
          .filter(({ rule }) => rule === id)
          .map(({ detail }) => ({ path: `contents[${i}].parts[${j}]`, detail })),
      ),
    ]),
})

const roles = eachContent("GE11", ({ role }) =>
  role === undefined || role === null || role === "user" || role === "model"
    ? null
    : `${role} is no role of a content`,
)

/** The rules of a dialect, in their order. */
export const rulesOf = (dialect: Dialect): ReadonlyArray<Rule<GeminiRequest>> => [
  ends,
  alternate,
  callsFollow,
  answers,
  ...(dialect.generation === 3 ? [signatures] : []),
  nonEmpty(dialect),
  partRule("GE8", dialect),
  partRule("GE9", dialect),
  partRule("GE10", dialect),
  roles,
]
