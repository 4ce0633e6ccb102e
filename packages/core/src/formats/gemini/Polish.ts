/**
 * Makes a request of the Gemini API valid whose calls and results fit each other already.
 *
 * @since 0.1.0
 */
import type { Repaired } from "../format/Format.ts"
import type { WireRepair } from "../format/Rule.ts"
import { fitResponses } from "./Fit.ts"
import { cleanPart, isEmptyPart, partFaults } from "./PartRules.ts"
import { SENTINEL } from "./Sentinel.ts"
import { moveSystem } from "./System.ts"
import { unsignedCalls } from "./Turns.ts"
import {
  callOf,
  type Dialect,
  type GeminiContent,
  type GeminiPart,
  type GeminiRequest,
  isModel,
  responseOf,
} from "./Wire.ts"

type Contents = ReadonlyArray<GeminiContent>

/** A step: contents that break fewer rules, and what was done. */
type Step = (contents: Contents) => {
  readonly contents: Contents
  readonly repairs: ReadonlyArray<WireRepair>
}

const OPENING: GeminiContent = { role: "user", parts: [{ text: "(earlier messages are not shown)" }] }
const ENDING: GeminiContent = { role: "user", parts: [{ text: "(continue)" }] }

const repair = (rule: string, i: number, detail: string): WireRepair => ({
  rule,
  path: `contents[${i}]`,
  detail,
})

/** A step that changes contents one by one. */
const eachContent =
  (change: (content: GeminiContent, note: (rule: string, detail: string) => void) => GeminiContent): Step =>
  (contents) => {
    const repairs: Array<WireRepair> = []
    return {
      contents: contents.map((content, i) =>
        change(content, (rule, detail) => repairs.push(repair(rule, i, detail))),
      ),
      repairs,
    }
  }

const setRoles = eachContent((content, note) => {
  const { role } = content
  if (role === undefined || role === null || role === "user" || role === "model") return content
  note("GE11", `changed the role ${role}`)
  return { ...content, role: isModel(content) ? "model" : "user" }
})

const dropFields = eachContent((content, note) => {
  const { role, parts, ...others } = content
  if (Object.keys(others).length === 0) return content
  note("GE9", `left out ${Object.keys(others).join(", ")}`)
  return role === undefined ? { parts } : { role, parts }
})

/** Why a part cannot stand in its content; null when it can. */
const misplaced = (part: GeminiPart, content: GeminiContent, dialect: Dialect): string | null => {
  if (isEmptyPart(part, dialect)) return "GE7"
  if (isModel(content)) return responseOf(part) === undefined ? null : "GE4"
  return callOf(part) === undefined ? null : "GE3"
}

const cleanParts = (dialect: Dialect): Step =>
  eachContent((content, note) => {
    const cleaned = content.parts.flatMap((part) => {
      for (const { rule, detail } of partFaults(part, dialect)) note(rule, `changed a part: ${detail}`)
      return cleanPart(part, dialect)
    })
    const parts = cleaned.filter((part) => {
      const rule = misplaced(part, content, dialect)
      if (rule !== null) note(rule, "left out a part that is empty or cannot stand here")
      return rule === null
    })
    const isSame =
      parts.length === content.parts.length && parts.every((part, i) => part === content.parts[i])
    return isSame ? content : { ...content, parts }
  })

const dropEmpty: Step = (contents) => ({
  contents: contents.filter(({ parts }) => parts.length > 0),
  repairs: contents.flatMap(({ parts }, i) =>
    parts.length > 0 ? [] : [repair("GE7", i, "left out an empty content")],
  ),
})

/** Contents become one; their parts stay apart: a signature belongs to its part. */
const merge: Step = (contents) => {
  const merged: Array<GeminiContent> = []
  const repairs: Array<WireRepair> = []
  for (const [i, content] of contents.entries()) {
    const last = merged.at(-1)
    if (last !== undefined && isModel(last) === isModel(content)) {
      merged[merged.length - 1] = { ...last, parts: [...last.parts, ...content.parts] }
      repairs.push(repair("GE2", i, "merged into the content before it"))
    } else merged.push(content)
  }
  return { contents: merged, repairs }
}

const openAndEnd: Step = (contents) => {
  const [first, last] = [contents[0], contents.at(-1)]
  const isOpen = first !== undefined && !isModel(first)
  const isEnded = last === undefined || !isModel(last)
  return {
    contents: [...(isOpen ? [] : [OPENING]), ...contents, ...(isEnded ? [] : [ENDING])],
    repairs: [
      ...(isOpen ? [] : [repair("GE1", 0, "added a content of the user")]),
      ...(isEnded ? [] : [repair("GE1", contents.length, "added a content of the user")]),
    ],
  }
}

const sign: Step = (contents) => {
  const places = unsignedCalls(contents)
  const isUnsigned = (content: number, part: number): boolean =>
    places.some((place) => place.content === content && place.part === part)
  return {
    contents: contents.map((content, i) => {
      if (places.every((place) => place.content !== i)) return content
      const parts = content.parts.map((part, j) =>
        isUnsigned(i, j) ? { ...part, thoughtSignature: SENTINEL } : part,
      )
      return { ...content, parts }
    }),
    repairs: places.map(({ content }) => repair("GE5", content, "added what stands for a lost signature")),
  }
}

/** Repairs a request in a dialect. */
export const polishIn =
  (dialect: Dialect) =>
  (request: GeminiRequest): Repaired<GeminiRequest> => {
    const moved = moveSystem(request)
    const steps: ReadonlyArray<Step> = [
      setRoles,
      dropFields,
      cleanParts(dialect),
      dropEmpty,
      merge,
      fitResponses,
      dropEmpty,
      merge,
      openAndEnd,
      ...(dialect.generation === 3 ? [sign] : []),
    ]
    let contents = moved.request.contents
    const repairs = [...moved.repairs]
    for (const step of steps) {
      const done = step(contents)
      contents = done.contents
      repairs.push(...done.repairs)
    }
    return { request: { ...moved.request, contents }, repairs }
  }
