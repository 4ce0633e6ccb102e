/**
 * Trajectories of SWE-agent: `history` holds the messages, in the form of Chat Completions with fields of its own.
 *
 * What the tools printed stands in the user's role where the model calls no tools. Only what stands before the first
 * response, and is no demonstration, is the task of the user; the rest is marked as a program's text.
 */
import type { Message } from "@palimpsest/core"
import { messagesIn } from "@palimpsest/core/formats"
import { openAiChat } from "@palimpsest/core/formats/openai-chat"
import { Result, Schema } from "effect"
import { fieldOf, isFields, listAt, textAt } from "../Fields.ts"
import { malformed, type Reader, whole } from "../Reader.ts"
import { type Said, transcriptOf } from "../Transcript.ts"

const Entry = Schema.Struct({
  role: Schema.Literals(["system", "user", "assistant", "tool"]),
  content: Schema.Unknown,
  agent: Schema.optionalKey(Schema.String),
  is_demo: Schema.optionalKey(Schema.Boolean),
  tool_call_ids: Schema.optionalKey(Schema.NullOr(Schema.Array(Schema.String))),
})

const History = Schema.Struct({ history: Schema.Array(Entry) })

const decode = Schema.decodeUnknownResult(History)

type Entry = typeof Entry.Type

/** An entry without the fields of the program. */
const elementOf = (entry: Entry, json: unknown): unknown => {
  const { role, content } = entry
  if (role === "tool") return { role, content, tool_call_id: entry.tool_call_ids?.[0] ?? "" }
  const calls = listAt(json, "tool_calls")
  return { role, content, ...(calls.length === 0 ? {} : { tool_calls: calls }) }
}

/** Marks what the program said in the user's role. */
const withSpeakers = (said: ReadonlyArray<Said>, isDemo: (index: number) => boolean): ReadonlyArray<Said> => {
  const first = said.findIndex(({ message }) => message.role === "assistant")
  return said.map(({ message, origin }, i) => {
    const isProgram = message.role === "user" && ((first !== -1 && i > first) || isDemo(i))
    return { origin, message: isProgram ? { ...message, synthetic: true } : message }
  })
}

const MODEL = ["replay_config", "agent", "model", "name"] as const

/** The model, where the run was no replay of another one. */
const modelOf = (value: unknown): string => {
  const name = textAt(value, ...MODEL)
  return name === "replay" ? "" : name
}

const withModel = (message: Message, model: string): Message =>
  message.role === "assistant" && model !== "" ? { ...message, model } : message

export const sweAgent: Reader = {
  format: "swe-agent",
  fits: ({ value }) =>
    isFields(value) && listAt(value, "history").some((entry) => textAt(entry, "agent") !== ""),
  read: (source) =>
    Result.gen(function* () {
      const { name, value } = yield* whole(source)
      const remedy = "Use a trajectory as SWE-agent writes it."
      const fail = (why: string) => malformed(name, "a SWE-agent trajectory", why, remedy)
      const { history } = yield* Result.mapError(decode(value), ({ message }) => fail(message))
      const json = listAt(value, "history")
      const decoded = openAiChat.decode(history.map((entry, i) => elementOf(entry, json[i])))
      if (!decoded.ok) return yield* Result.fail(fail(`history${decoded.path}: ${decoded.reason}`))
      const { system } = decoded.conversation
      const model = modelOf(value)
      const messages = messagesIn(decoded.conversation)
      const before = history.length - messages.length
      const said = messages.map((message) => ({ message: withModel(message, model), origin: { ids: [] } }))
      const isDemo = (i: number) => fieldOf(history[i + before], "is_demo") === true
      return [transcriptOf("swe-agent", name, withSpeakers(said, isDemo), { system })]
    }),
}
