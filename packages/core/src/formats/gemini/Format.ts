/**
 * Gemini's contents as a format.
 *
 * @since 0.1.0
 */
import { readExact } from "../format/ExactJson.ts"
import { isFields } from "../format/Fields.ts"
import type { Format } from "../format/Format.ts"
import { guarded } from "../format/Guarded.ts"
import { makeFormat } from "../format/MakeFormat.ts"
import { polishIn } from "./Polish.ts"
import { readContents } from "./Read.ts"
import { rulesOf } from "./Rules.ts"
import { checkContent } from "./Shape.ts"
import { spanAt } from "./Span.ts"
import { isSystemContent, readSystem, SYSTEM, writeSystem } from "./System.ts"
import type { Dialect, GeminiContent, GeminiDialect, GeminiRequest } from "./Wire.ts"
import { writeContents } from "./Write.ts"

const isContent = (value: unknown): value is GeminiContent => checkContent(value, "") === null

const makeIn = (dialect: Dialect, system: (typeof SYSTEM)[number]): Format<GeminiRequest> =>
  makeFormat<GeminiRequest, GeminiContent>({
    codec: {
      name: "gemini",
      span: spanAt,
      read: readContents,
      write: writeContents(dialect),
      isUnit: (unit): unit is ReadonlyArray<GeminiContent> =>
        Array.isArray(unit) && unit.length > 0 && unit.every(isContent),
    },
    frame: { list: "contents", system, readSystem, isSystemMessage: isSystemContent, writeSystem },
    // No limit of ids is documented; calls of one response are told apart by theirs.
    ids: { alphabet: "any", min: 1, max: 256, unique: "response" },
    check: checkContent,
    rules: rulesOf(dialect),
    wellFormed: "PG2",
    pairs: { closed: "GE4", moved: "GE4", "left-out": "GE4", id: "GE4" },
    polish: polishIn(dialect),
  })

/**
 * Makes the format of a model or a route that differs from the newest models of the Gemini API.
 *
 * **Example** (A version of Vertex that refuses ids)
 *
 * ```ts
 * import { assistant, toolResult, user } from "@palimpsest/core"
 * import { conversation } from "@palimpsest/core/formats"
 * import { geminiFor } from "@palimpsest/core/formats/gemini"
 *
 * const thread = [user("Where?"), assistant("", [{ id: "c1", name: "find", arguments: "{}" }]), toolResult("c1", "here")]
 * const { request } = geminiFor({ generation: 2, ids: false }).encode(conversation(thread))
 * JSON.stringify(request.contents[1]?.parts) // => '[{"functionCall":{"name":"find","args":{}}}]'
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const geminiFor = (given: GeminiDialect): Format<GeminiRequest> => {
  const dialect: Dialect = { generation: 3, ids: true, fields: [], ...given }
  const [camel, snake] = [makeIn(dialect, SYSTEM[0]), makeIn(dialect, SYSTEM[1])]
  /** The spelling that a request uses. */
  const of = (request: unknown): Format<GeminiRequest> =>
    isFields(request) && SYSTEM[1] in request && !(SYSTEM[0] in request) ? snake : camel
  return guarded({
    name: camel.name,
    decode: (input) => of(input).decode(input),
    encode: (conversation) => {
      const { frame } = conversation
      return of(frame?.format === camel.name ? readExact(frame.text) : undefined).encode(conversation)
    },
    validate: (request) => of(request).validate(request),
    repair: (request) => of(request).repair(request),
  })
}

/**
 * The contents of the Gemini API, for its newest models.
 *
 * **Example** (Calls without ids)
 *
 * ```ts
 * import { messagesIn } from "@palimpsest/core/formats"
 * import { gemini } from "@palimpsest/core/formats/gemini"
 *
 * const read = gemini.decode([
 *   { role: "model", parts: [{ functionCall: { name: "find", args: { id: 7 } } }] },
 *   { role: "user", parts: [{ functionResponse: { name: "find", response: { output: "shipped" } } }] },
 * ])
 * const [call, result] = read.ok ? messagesIn(read.conversation).map(({ parts }) => parts[0]) : []
 * call?.type === "tool-call" && result?.type === "tool-result" && call.id === result.call // => true
 * ```
 *
 * @category formats
 * @since 0.1.0
 */
export const gemini: Format<GeminiRequest> = geminiFor({})
