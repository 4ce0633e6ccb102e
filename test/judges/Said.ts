/** What is said in a chat, in order: from messages of a thread, and from the requests of providers. */
import { type Message, wellFormed } from "@palimpsest/core"
import type { Body } from "./LangChainModels.ts"

/** A text, a call or a result. Arguments are one text for all spellings; ids and places of media do not count. */
export type Fact = readonly [who: string, ...what: ReadonlyArray<string>]

type Fields = Readonly<Record<string, unknown>>

const isFields = (value: unknown): value is Fields => typeof value === "object" && value !== null

const list = (value: unknown): ReadonlyArray<Fields> => (Array.isArray(value) ? value.filter(isFields) : [])

const string = (value: unknown): string => (typeof value === "string" ? value : "")

const isBlank = (text: string): boolean => text.trim() === ""

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isObject = (value: unknown): value is Fields => isFields(value) && !Array.isArray(value)

/** A value without halves of characters. */
const whole = (value: unknown): unknown => {
  if (typeof value === "string") return wellFormed(value)
  if (Array.isArray(value)) return value.map(whole)
  if (!isFields(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [wellFormed(key), whole(each)]))
}

/** Arguments in one spelling: as a double has them, since LangChain parses them. */
const args = (text: string): string => {
  const value = parsed(text)
  return JSON.stringify(whole(isObject(value) ? value : { $arguments: text }))
}

const text = (who: string, value: string): ReadonlyArray<Fact> =>
  isBlank(value) ? [] : [[who, wellFormed(value)]]

const resultText = (texts: ReadonlyArray<string>): string => {
  const said = texts.filter((each) => !isBlank(each)).map(wellFormed)
  return said.length === 0 ? "(no output)" : said.join("\n")
}

/** What the messages of a thread say. */
export const saidIn = (messages: ReadonlyArray<Message>): ReadonlyArray<Fact> =>
  messages.flatMap((message): ReadonlyArray<Fact> => {
    const texts = message.parts.flatMap((part) => (part.type === "text" ? text(message.role, part.text) : []))
    const rest = message.parts.flatMap((part): ReadonlyArray<Fact> => {
      if (part.type === "tool-call") return [["call", part.id, part.name, args(part.arguments)]]
      if (part.type !== "tool-result") return []
      const said = part.content.flatMap((item) => (item.type === "text" ? [item.text] : []))
      return [["result", part.call, resultText(said)]]
    })
    return [...texts, ...rest]
  })

const textsIn = (content: unknown): ReadonlyArray<string> =>
  typeof content === "string" ? [content] : list(content).map((block) => string(block.text))

const inChat = ({ messages }: Body): ReadonlyArray<Fact> =>
  list(messages).flatMap((message): ReadonlyArray<Fact> => {
    if (message.role === "tool")
      return [["result", string(message.tool_call_id), resultText(textsIn(message.content))]]
    const calls = list(message.tool_calls).map((call): Fact => {
      const own = isFields(call.function) ? call.function : {}
      return ["call", string(call.id), string(own.name), args(string(own.arguments))]
    })
    return [...textsIn(message.content).flatMap((each) => text(string(message.role), each)), ...calls]
  })

const inResponses = ({ input }: Body): ReadonlyArray<Fact> =>
  list(input).flatMap((item): ReadonlyArray<Fact> => {
    if (item.type === "function_call")
      return [["call", string(item.call_id), string(item.name), args(string(item.arguments))]]
    if (item.type === "function_call_output")
      return [["result", string(item.call_id), resultText([string(item.output)])]]
    return textsIn(item.content).flatMap((each) => text(string(item.role), each))
  })

const inAnthropic = ({ messages }: Body): ReadonlyArray<Fact> =>
  list(messages).flatMap((message): ReadonlyArray<Fact> => {
    if (typeof message.content === "string") return text(string(message.role), message.content)
    return list(message.content).flatMap((block): ReadonlyArray<Fact> => {
      if (block.type === "text") return text(string(message.role), string(block.text))
      if (block.type === "tool_use")
        return [["call", string(block.id), string(block.name), args(JSON.stringify(block.input))]]
      return block.type === "tool_result"
        ? [["result", string(block.tool_use_id), resultText(textsIn(block.content))]]
        : []
    })
  })

/** Gemini's requests have no ids here: LangChain leaves them out. */
const inGoogle = ({ contents }: Body): ReadonlyArray<Fact> =>
  list(contents).flatMap(({ role, parts }) =>
    list(parts).flatMap((part): ReadonlyArray<Fact> => {
      const { functionCall: call, functionResponse: answer } = part
      if (isFields(call)) return [["call", "", string(call.name), args(JSON.stringify(call.args))]]
      if (!isFields(answer)) return text(role === "model" ? "assistant" : "user", string(part.text))
      const response = isFields(answer.response) ? answer.response : {}
      const error = isFields(response.error) ? response.error.details : undefined
      return [["result", "", resultText(textsIn(response.result ?? error))]]
    }),
  )

const READERS: Readonly<Record<string, (body: Body) => ReadonlyArray<Fact>>> = {
  ChatOpenAI: inChat,
  "ChatOpenAI, Responses": inResponses,
  ChatAnthropic: inAnthropic,
  ChatGoogleGenerativeAI: inGoogle,
}

/** What a request says, by the name of the model that sent it. */
export const saidBy = (name: string, body: Body): ReadonlyArray<Fact> => READERS[name]?.(body) ?? []

/** Facts without the ids of calls. */
export const withoutIds = (facts: ReadonlyArray<Fact>): ReadonlyArray<Fact> =>
  facts.map(
    (fact): Fact => (fact[0] === "call" || fact[0] === "result" ? [fact[0], "", ...fact.slice(2)] : fact),
  )
