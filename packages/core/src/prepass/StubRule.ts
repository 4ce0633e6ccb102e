/**
 * What a rule for the lines that stand for results is given, and what it may use.
 *
 * @since 0.1.0
 */
import { rowAddress } from "../thread/Address.ts"
import type { ToolCallPart, ToolResultPart } from "../thread/Message.ts"

/**
 * A tool result, with the call that it answers where that is in the window.
 *
 * @category models
 * @since 0.1.0
 */
export interface StubInput {
  /** Id of the row that holds the result. */
  readonly row: string
  readonly call: ToolCallPart | null
  readonly result: ToolResultPart
  /** The texts of the result, joined. */
  readonly text: string
}

/**
 * Says what a result of one tool was: what was asked and what came, without brackets, status or the hint how to
 * recall it, which `stub` adds. Null leaves it to the general rule. It must depend on its input alone.
 *
 * @category models
 * @since 0.1.0
 */
export type StubRule = (input: StubInput) => string | null

/**
 * Rules by tool name. A name is looked up as it is, and then by `stubName`.
 *
 * @category models
 * @since 0.1.0
 */
export type StubRegistry = ReadonlyMap<string, StubRule>

/**
 * Returns the name under which a family of tools shares a rule: lower case, without separators, and without the
 * prefix of an MCP server.
 *
 * **Example** (Spellings of one tool)
 *
 * ```ts
 * import { stubName } from "@palimpsest/core"
 *
 * stubName("ReadFile") // => "readfile"
 * stubName("mcp__disk__read_file") // => "readfile"
 * ```
 *
 * @category getters
 * @since 0.1.0
 */
export const stubName = (tool: string): string =>
  tool
    .replace(/^mcp__.{0,100}?__/, "")
    .replace(/[^\p{L}\p{N}]/gu, "")
    .toLowerCase()

/**
 * Returns the name of the tool that a result comes from: of its call, else its own; `tool` when neither is known.
 *
 * @category getters
 * @since 0.1.0
 */
export const toolOf = ({ call, result }: Pick<StubInput, "call" | "result">): string =>
  call?.name ?? result.name ?? "tool"

/**
 * Returns the call by which a model reads a row in full: the hint that each reduced text ends with. What it quotes is
 * one of the `ids` of the recall tool, whose description says so.
 *
 * **Example** (A row of the chat, and one of another)
 *
 * ```ts
 * import { recallHint } from "@palimpsest/core"
 *
 * recallHint("m12") // => 'recall("m12")'
 * recallHint("m12", "7") // => 'recall("chat:7/m12")'
 * ```
 *
 * @category getters
 * @since 0.1.0
 */
export const recallHint = (row: string, chat: string | null = null): string =>
  `recall(${JSON.stringify(rowAddress(row, chat))})`
