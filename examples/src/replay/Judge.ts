/** What providers would refuse in a prompt. */
import { messagesOf, type Prompt } from "@palimpsest/core"
import { requestFor, type Target } from "@palimpsest/core/formats"
import { toOpenAiChat, validateOpenAiChat } from "@palimpsest/core/formats/openai-chat"
import { REQUEST_FORMATS } from "../transcripts/requests/Requests.ts"

/** Says what is wrong with a prompt; null for one that would be accepted. */
export type Judge = (prompt: Prompt) => string | null

/** Chat Completions, without repairs: a valid thread has to make a valid prompt. */
export const chatCompletions: Judge = (prompt) => {
  const found = validateOpenAiChat(toOpenAiChat(messagesOf(prompt), { system: prompt.system }))[0]
  return found === undefined ? null : `${found.rule} at ${found.index}: ${found.detail}`
}

/** The request of a target, with the repairs that its provider needs. */
export const judgeOf = (target: Target): Judge => {
  const { format } = REQUEST_FORMATS[target.format]
  return (prompt) => {
    const { request } = requestFor(prompt, format, target)
    const found = format.validate(request)[0]
    return found === undefined ? null : `${found.rule} at ${found.path}: ${found.detail}`
  }
}

/** Both. */
export const judgeFor = (target: Target): Judge => {
  const ofTarget = judgeOf(target)
  return (prompt) => chatCompletions(prompt) ?? ofTarget(prompt)
}
