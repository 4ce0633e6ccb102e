/**
 * The system prompt of a request: a content apart from the others.
 *
 * @since 0.1.0
 */
import { isFields } from "../format/Fields.ts"
import type { Repaired } from "../format/Format.ts"
import { type GeminiPart, type GeminiRequest, textIn } from "./Wire.ts"

const partsIn = (value: unknown): ReadonlyArray<unknown> => {
  if (typeof value === "string") return [{ text: value }]
  return isFields(value) && Array.isArray(value.parts) ? value.parts : []
}

/** The text of a system prompt: a text, or a content of texts. */
export const readSystem = (value: unknown): string | null => {
  if (typeof value === "string") return value
  const texts = partsIn(value).map((part) => (isFields(part) ? textIn(part) : undefined))
  return texts.length === 0 || texts.includes(undefined) ? null : texts.join("\n")
}

/** The plain form of a system prompt. */
export const writeSystem = (text: string): unknown => ({ parts: [{ text }] })

/** The two names of the field. */
export const SYSTEM = ["systemInstruction", "system_instruction"] as const

/** Whether an element is a system prompt that stands among the contents. */
export const isSystemContent = (element: unknown): boolean =>
  isFields(element) && element.role === "system" && readSystem(element) !== null

const hasText = (part: GeminiPart): boolean => textIn(part) !== ""

/** Moves the contents of a system with which a request starts to the field for them. */
export const moveSystem = (request: GeminiRequest): Repaired<GeminiRequest> => {
  const first = request.contents.findIndex((content) => !isSystemContent(content))
  const count = first === -1 ? request.contents.length : first
  if (count === 0) return { request, repairs: [] }
  const field = SYSTEM.find((name) => name in request) ?? SYSTEM[0]
  const said = request.contents.slice(0, count).flatMap(({ parts }) => parts.filter(hasText))
  const parts = [...partsIn(request[field]), ...said]
  return {
    request: {
      ...(parts.length === 0 ? {} : { [field]: { parts } }),
      ...request,
      ...(parts.length === 0 ? {} : { [field]: { parts } }),
      contents: request.contents.slice(count),
    },
    repairs: [{ rule: "GE11", path: "contents[0]", detail: `moved to ${field}` }],
  }
}
