/** LangChain's own models, on a wire that ends in this process: what they send is caught, and answered with a word. */
import { ChatAnthropic } from "@langchain/anthropic"
import type { BaseMessage } from "@langchain/core/messages"
import { ChatGoogleGenerativeAI } from "@langchain/google-genai"
import { ChatOpenAI } from "@langchain/openai"
import { anthropic } from "@palimpsest/core/formats/anthropic"
import { gemini } from "@palimpsest/core/formats/gemini"
import { type OpenAiMessage, validateOpenAiChat } from "@palimpsest/core/formats/openai-chat"

/** A request of a provider, as far as it is looked at. */
export type Body = Readonly<Record<string, unknown>>

/** A model of LangChain: what it sends for messages, and the rules of its provider that this breaks. */
export interface Judge {
  readonly name: string
  readonly send: (messages: Array<BaseMessage>) => Promise<Body>
  /** Absent while the library has no format for what the model sends. */
  readonly validate?: (body: Body) => ReadonlyArray<string>
}

const ANSWERS = {
  chat: {
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 0,
    model: "gpt-4o",
    choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: "Yes." } }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  },
  responses: {
    id: "resp_1",
    object: "response",
    created_at: 0,
    status: "completed",
    model: "gpt-5",
    output: [
      {
        type: "message",
        id: "msg_1",
        role: "assistant",
        status: "completed",
        content: [{ type: "output_text", text: "Yes.", annotations: [] }],
      },
    ],
    usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
  },
  anthropic: {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "claude",
    content: [{ type: "text", text: "Yes." }],
    stop_reason: "end_turn",
    usage: { input_tokens: 1, output_tokens: 1 },
  },
  google: {
    candidates: [{ index: 0, finishReason: "STOP", content: { role: "model", parts: [{ text: "Yes." }] } }],
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
  },
} as const

/** A tool of the chats: where there are calls, providers want to be told of tools. */
const TOOLS = [
  {
    type: "function",
    function: { name: "Read", description: "Reads a file.", parameters: { type: "object", properties: {} } },
  },
] as const

/** A fetch that keeps what it is given. */
const catching = (answer: unknown) => {
  const bodies: Array<Body> = []
  const fetch = async (_: unknown, init?: { readonly body?: unknown }): Promise<Response> => {
    bodies.push(JSON.parse(String(init?.body)))
    return new Response(JSON.stringify(answer), { headers: { "content-type": "application/json" } })
  }
  return { fetch, last: (): Body => bodies.at(-1) ?? {} }
}

const openAi = (answer: unknown, useResponsesApi: boolean): Judge["send"] => {
  const wire = catching(answer)
  const model = new ChatOpenAI({
    model: useResponsesApi ? "gpt-5" : "gpt-4o",
    apiKey: "none",
    maxRetries: 0,
    useResponsesApi,
    configuration: { fetch: wire.fetch },
  })
  return async (messages) => {
    await model.bindTools([...TOOLS]).invoke(messages)
    return wire.last()
  }
}

const anthropicModel = (): Judge["send"] => {
  const wire = catching(ANSWERS.anthropic)
  const model = new ChatAnthropic({
    model: "claude-sonnet-4-5",
    apiKey: "none",
    maxRetries: 0,
    clientOptions: { fetch: wire.fetch },
  })
  return async (messages) => {
    await model.bindTools([...TOOLS]).invoke(messages)
    return wire.last()
  }
}

/** Google's client takes no fetch of one's own. */
const googleModel = (): Judge["send"] => {
  const model = new ChatGoogleGenerativeAI({ model: "gemini-2.5-flash", apiKey: "none", maxRetries: 0 })
  return async (messages) => {
    const wire = catching(ANSWERS.google)
    const own = globalThis.fetch
    globalThis.fetch = wire.fetch
    try {
      await model.bindTools([...TOOLS]).invoke(messages)
    } finally {
      globalThis.fetch = own
    }
    return wire.last()
  }
}

const isContent = (
  value: unknown,
): value is { readonly role: string; readonly parts: ReadonlyArray<unknown> } =>
  typeof value === "object" && value !== null && "parts" in value && Array.isArray(value.parts)

/** A request with neighbours of one role joined: LangChain sends each result as a content of its own. */
const joined = (body: Body): Body => {
  const contents = Array.isArray(body.contents) ? body.contents.filter(isContent) : []
  const merged: typeof contents = []
  for (const content of contents) {
    const last = merged.at(-1)
    if (last?.role === content.role)
      merged.splice(-1, 1, { ...last, parts: [...last.parts, ...content.parts] })
    else merged.push(content)
  }
  return { ...body, contents: merged }
}

const isMessages = (value: unknown): value is ReadonlyArray<OpenAiMessage> => Array.isArray(value)

/** The models. A format that comes later adds its `validate` here. */
export const judges: ReadonlyArray<Judge> = [
  {
    name: "ChatOpenAI",
    send: openAi(ANSWERS.chat, false),
    validate: ({ messages }) =>
      isMessages(messages)
        ? validateOpenAiChat(messages).map(({ rule, detail }) => `${rule} ${detail}`)
        : ["shape"],
  },
  { name: "ChatOpenAI, Responses", send: openAi(ANSWERS.responses, true) },
  {
    name: "ChatAnthropic",
    send: anthropicModel(),
    validate: (body) => anthropic.validate(body).map(({ rule, path, detail }) => `${rule} ${path} ${detail}`),
  },
  {
    name: "ChatGoogleGenerativeAI",
    send: googleModel(),
    validate: (body) =>
      gemini.validate(joined(body)).map(({ rule, path, detail }) => `${rule} ${path} ${detail}`),
  },
]
