/**
 * Kinds of blocks, as the rules of the Messages API tell them apart.
 *
 * @since 0.1.0
 */
import { isFields } from "../format/Fields.ts"
import type { AnthropicBlock, AnthropicMessage, AnthropicRequest } from "./Wire.ts"

/** What stands where a user said nothing. */
export const BLANK = "(blank)"

/** What stands where a tool said nothing. */
export const NO_OUTPUT = "(no output)"

export const isBlank = (text: string): boolean => text.trim() === ""

export const textBlock = (text: string): AnthropicBlock => ({ type: "text", text })

/** Content in its plain form: one text is a string, everything else a list. */
export const asContent = (blocks: ReadonlyArray<AnthropicBlock>): AnthropicMessage["content"] => {
  const [first] = blocks
  const isOne = blocks.length === 1 && first?.type === "text" && Object.keys(first).length === 2
  return isOne && typeof first.text === "string" ? first.text : blocks
}

export const isBlankText = ({ type, text }: AnthropicBlock): boolean =>
  type === "text" && typeof text === "string" && isBlank(text)

export const isThinking = ({ type }: AnthropicBlock): boolean =>
  type === "thinking" || type === "redacted_thinking"

/** A call that the provider runs by itself. */
export const isServerCall = ({ type }: AnthropicBlock): boolean =>
  type === "server_tool_use" || type === "mcp_tool_use"

/** The result of such a call: `web_search_tool_result`, `mcp_tool_result` and the others. */
export const isServerResult = ({ type }: AnthropicBlock): boolean =>
  type !== "tool_result" && type.endsWith("_tool_result")

/** The id of the call of the provider from whose program a call came, or undefined when the model made it. */
export const callerOf = ({ caller }: AnthropicBlock): unknown =>
  isFields(caller) ? caller.tool_id : undefined

/** The blocks inside a block: those of a tool's result. */
export const innerBlocks = ({ type, content }: AnthropicBlock): ReadonlyArray<AnthropicBlock> =>
  type === "tool_result" && Array.isArray(content) ? content : []

/** The mode of thinking that a request asks for: `enabled`, `adaptive`, `disabled`, or none that it names. */
export const thinkingMode = ({ thinking }: AnthropicRequest): unknown =>
  isFields(thinking) ? thinking.type : undefined

/** Whether the model thinks before it answers. */
export const isThinkingOn = (request: AnthropicRequest): boolean => {
  const mode = thinkingMode(request)
  return mode === "enabled" || mode === "adaptive"
}
