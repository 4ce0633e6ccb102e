/** What the cases of refused prompts share: every format, and what becomes of a prompt on its way to a provider. */
import { type Message, messagesOf, type Prompt } from "@palimpsest/core"
import { conversation, type Format, messagesIn } from "@palimpsest/core/formats"
import { assert } from "vitest"
import { allRules } from "../validity/AllRules.ts"

/** The strictest provider: no blank text, the user first, neighbours of one role joined. */
export const formats: ReadonlyArray<Format<unknown>> = allRules
  .map(({ format }) => format)
  .filter(({ name }) => name === "anthropic")

/** The request that is sent: written and repaired, as an engine does it. */
export const requestOf = (
  format: Format<unknown>,
  messages: ReadonlyArray<Message>,
  system: string | null = null,
): unknown => format.repair(format.encode(conversation(messages, { system })).request).request

/** Fails when a request breaks a rule of its provider, and gives what it says. */
export const accepted = (format: Format<unknown>, request: unknown): ReadonlyArray<Message> => {
  assert.deepStrictEqual(format.validate(request), [], format.name)
  const read = format.decode(request)
  return read.ok ? messagesIn(read.conversation) : assert.fail(`${format.name}: ${read.reason}`)
}

/** What a provider is told by messages; fails when it would refuse them. */
export const sentAs = (
  format: Format<unknown>,
  messages: ReadonlyArray<Message>,
  system: string | null = null,
): ReadonlyArray<Message> => accepted(format, requestOf(format, messages, system))

/** What a provider is told by a prompt; fails when it would refuse it. */
export const promptAs = (format: Format<unknown>, prompt: Prompt): ReadonlyArray<Message> =>
  sentAs(format, messagesOf(prompt), prompt.system)

/** Fails for a message that says nothing: no part, only blank texts, or only reasoning. */
export const assertSaysSomething = (messages: ReadonlyArray<Message>, name: string): void => {
  const isSaid = ({ parts }: Message) =>
    parts.some((part) => part.type !== "reasoning" && (part.type !== "text" || part.text.trim() !== ""))
  assert.deepStrictEqual(
    messages.filter((message) => !isSaid(message)),
    [],
    name,
  )
}
