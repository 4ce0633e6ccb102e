/**
 * Law 3: validity.
 *
 * @since 0.1.0
 */
import { validateOpenAiChat } from "../../formats/openai-chat/Check.ts"
import { toOpenAiChat } from "../../formats/openai-chat/Encode.ts"
import { messagesOf, type Prompt } from "../../prompt/Layout.ts"
import { emptyThread } from "../../thread/Advance.ts"
import { type Grouping, groupsOf } from "../../thread/Group.ts"
import { openWindow } from "../../thread/Window.ts"
import { rowsOf } from "../arbitraries/Rows.ts"
import { isPrompt, onPrompts } from "../History.ts"
import type { Law } from "../Law.ts"
import { type Look, onScenes, same } from "./Look.ts"

const isValid = (prompt: Prompt): boolean =>
  validateOpenAiChat(toOpenAiChat(messagesOf(prompt), { system: prompt.system })).length === 0

const valid = onScenes("a prompt breaks no rule of the provider", ({ prompt }) =>
  prompt === null ? true : isValid(prompt),
)

/** The groups of what is sent, when it is read as a thread of its own. */
const again = (prompt: Prompt, { settings }: Look): Grouping =>
  groupsOf(openWindow({ ...emptyThread(""), rows: rowsOf(messagesOf(prompt)) }, settings), settings)

const repairs = onScenes("repair is idempotent", (seen) => {
  if (seen.prompt === null) return true
  const { groups, repairs: more, left } = again(seen.prompt, seen)
  const messages = groups.flatMap((group) => group.entries.map(({ message }) => message))
  return (
    more.length === 0 &&
    left.size === 0 &&
    groups.every((group) => group.closing === null) &&
    same(messages, messagesOf(seen.prompt))
  )
})

const listed = onScenes(
  "without a repair, messages are sent whole and in the order of the thread",
  (seen) => {
    const { prompt, decision, window } = seen
    if (prompt === null || prompt.repairs.length > 0 || decision._tag === "Truncate") return true
    const sent = prompt.slots.filter((slot) => slot.form !== "library").map((slot) => slot.message)
    const closing = prompt.slots.some((slot) => slot.row === null)
    return (
      !closing &&
      same(
        sent,
        window.entries.map(({ message }) => message),
      )
    )
  },
)

const runs = onPrompts("each prompt of a history breaks no rule of the provider", ({ result }) =>
  isPrompt(result) ? isValid(result) : true,
)

/**
 * Holds law 3: what is sent is valid, whatever was appended; repairs are listed, and idempotent.
 *
 * @category laws
 * @since 0.1.0
 */
export const validityLaw: Law = { number: 3, title: "Validity", properties: [valid, repairs, listed, runs] }
