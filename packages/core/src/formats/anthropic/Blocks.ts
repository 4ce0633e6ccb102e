/**
 * What single blocks say: AN7, AN8, AN22 and AN25.
 *
 * @since 0.1.0
 */
import { argumentsObject } from "../format/Arguments.ts"
import { writeExact } from "../format/ExactJson.ts"
import { isFields } from "../format/Fields.ts"
import { mediaPlaceholder } from "../format/Media.ts"
import type { Fault, Finder } from "./Fault.ts"
import { innerBlocks, isBlank, isBlankText, NO_OUTPUT, textBlock } from "./Kinds.ts"
import type { AnthropicBlock } from "./Wire.ts"

/** Arguments that are a text may be the JSON of an object; no arguments are an empty one. */
const objectOf = (input: unknown): unknown => {
  if (input === null || input === undefined) return {}
  return argumentsObject(typeof input === "string" ? input : (writeExact(input) ?? "")).value
}

/** AN7: the input of a call is an object. */
export const inputs: Finder = ({ blocks }) =>
  blocks
    .filter(({ block }) => block.type === "tool_use" && !isFields(block.input))
    .map(({ path, block }) => ({
      rule: "AN7",
      path,
      detail: "an input that is no object",
      instead: [{ ...block, input: objectOf(block.input) }],
    }))

/** Whether a result is a text of nothing, or a list of such texts. */
const saysNothing = ({ content }: AnthropicBlock): boolean => {
  if (typeof content === "string") return isBlank(content)
  return Array.isArray(content) && content.length > 0 && content.every(isBlankText)
}

/** AN8: texts are not blank, in results neither. A result that says nothing says so. */
export const blanks: Finder = ({ blocks }) =>
  blocks.flatMap(({ path, block }): ReadonlyArray<Fault> => {
    if (isBlankText(block)) return [{ rule: "AN8", path, detail: "a blank text", instead: [] }]
    return block.type === "tool_result" && saysNothing(block)
      ? [{ rule: "AN8", path, detail: "a blank result", instead: [{ ...block, content: NO_OUTPUT }] }]
      : []
  })

/** AN22: a compaction says something, or null when it failed. */
export const compactions: Finder = ({ blocks }) =>
  blocks
    .filter(({ block }) => block.type === "compaction" && block.content === "")
    .map(({ path, block }) => ({
      rule: "AN22",
      path,
      detail: "a compaction of an empty text",
      instead: [{ ...block, content: null }],
    }))

const asText = (block: AnthropicBlock): AnthropicBlock => {
  const source = isFields(block.source) ? block.source : {}
  const mediaType = typeof source.media_type === "string" ? source.media_type : block.type
  return textBlock(mediaPlaceholder({ type: "media", mediaType, data: "" }, "an error holds text only"))
}

const hasNothing = ({ content }: AnthropicBlock): boolean =>
  content === undefined || content === null || (Array.isArray(content) && content.length === 0)

/**
 * AN25: the result of a call that failed says something, in text only. The API's messages are "content cannot be
 * empty if `is_error` is true" (bytedance/trae-agent#230) and "all content must be type 'text' if 'is_error' is true"
 * (vellum-ai/vellum-assistant#18387).
 */
export const errors: Finder = ({ blocks }) =>
  blocks
    .filter(({ block }) => block.type === "tool_result" && block.is_error === true)
    .flatMap(({ path, block }): ReadonlyArray<Fault> => {
      const empty = "an error without a text"
      if (hasNothing(block))
        return [{ rule: "AN25", path, detail: empty, instead: [{ ...block, content: NO_OUTPUT }] }]
      return innerBlocks(block).flatMap((inner, i) =>
        inner.type === "text"
          ? []
          : [
              {
                rule: "AN25",
                path: `${path}.content[${i}]`,
                detail: `a block of ${inner.type} in an error`,
                instead: [asText(inner)],
              },
            ],
      )
    })
