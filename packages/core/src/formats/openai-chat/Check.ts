/**
 * Checks messages of Chat Completions that are no request yet.
 *
 * @since 0.1.0
 */
import { openAiChat } from "./Format.ts"
import type { OpenAiMessage } from "./Wire.ts"

/**
 * A rule that a message breaks.
 *
 * @category models
 * @since 0.1.0
 */
export interface OpenAiFault {
  /** Id of the rule; see `validateOpenAiChat`. */
  readonly rule: string
  /** Index of the message in the request. */
  readonly index: number
  readonly detail: string
}

const indexIn = (path: string): number => Number(/\[(\d+)\]/.exec(path)?.[1] ?? 0)

/**
 * Lists the rules of Chat Completions that messages break; valid ones give an empty list.
 *
 * **Details**
 *
 * `OC1` each call is answered at once and once; `OC2` each result follows its call; `OC3` a response says something;
 * `OC4` arguments are a string; `OC5` no empty list of calls; `OC6` results are text; `OC7` the alphabet of names;
 * `OC8` no field of reasoning; `OC9` one message of instructions, first; `OC10` well-formed strings; `OC11` ids of
 * calls: unique in a response, of 40 characters at most; `OC12` nothing is empty. `openAiChat.repair` repairs them.
 *
 * **Example** (A result without its call)
 *
 * ```ts
 * import { toolResult } from "@palimpsest/core"
 * import { toOpenAiChat, validateOpenAiChat } from "@palimpsest/core/formats/openai-chat"
 *
 * validateOpenAiChat(toOpenAiChat([toolResult("c1", "late")])).map((fault) => fault.rule) // => ["OC2"]
 * ```
 *
 * @category checks
 * @since 0.1.0
 */
export const validateOpenAiChat = (messages: ReadonlyArray<OpenAiMessage>): ReadonlyArray<OpenAiFault> =>
  openAiChat.validate(messages).map(({ rule, path, detail }) => ({ rule, index: indexIn(path), detail }))
