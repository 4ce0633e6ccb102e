import { createAnthropic } from "@ai-sdk/anthropic"
import { createGoogleGenerativeAI } from "@ai-sdk/google"
import { createOpenAI } from "@ai-sdk/openai"
import { anthropic } from "@palimpsest/core/formats/anthropic"
import { gemini } from "@palimpsest/core/formats/gemini"
import { type OpenAiMessage, validateOpenAiChat } from "@palimpsest/core/formats/openai-chat"
import { openAiResponses } from "@palimpsest/core/formats/openai-responses"
import {
  generateText,
  jsonSchema,
  type LanguageModel,
  type ModelMessage,
  type SystemModelMessage,
  type ToolSet,
  tool,
} from "ai"
import { MockLanguageModelV3 } from "ai/test"

/** Whether a sample holds only what this version of the SDK knows. */
export const isOfVersion = (wire: unknown): boolean =>
  !/something-new|reasoning-file|"type":"(?:data|url)"|"data":\{"type"|"(?:data|image)":\{"type":"text"/.test(
    JSON.stringify(wire),
  )

/** A provider of the AI SDK, and what our own format says of the requests that it sends. */
export interface Provider {
  readonly name: string
  readonly model: (fetch: typeof globalThis.fetch) => LanguageModel
  /** What is wrong with a request; empty for a valid one. */
  readonly faults: (body: never) => ReadonlyArray<unknown>
}

const key = { apiKey: "none" }

/** One more format is one more line. */
export const providers: ReadonlyArray<Provider> = [
  {
    name: "openai chat",
    model: (fetch) => createOpenAI({ ...key, fetch }).chat("gpt-4o"),
    faults: ({ messages }: { messages: ReadonlyArray<OpenAiMessage> }) => validateOpenAiChat(messages),
  },
  {
    name: "openai responses",
    model: (fetch) => createOpenAI({ ...key, fetch }).responses("gpt-5"),
    faults: (body: unknown) => openAiResponses.validate(body),
  },
  {
    name: "anthropic",
    model: (fetch) => createAnthropic({ ...key, fetch })("claude-sonnet-4-5"),
    faults: (body: unknown) => anthropic.validate(body),
  },
  {
    name: "google",
    model: (fetch) => createGoogleGenerativeAI({ ...key, fetch })("gemini-3-pro-preview"),
    // GE2: the SDK puts what a user says after a result into a content of its own. Results out of order have their ids.
    faults: (body: unknown) =>
      gemini
        .validate(body)
        .filter(({ rule, detail }) => rule !== "GE2" && !detail.endsWith("in their order")),
  },
]

/** What is handed to the SDK: a request of ours, taken at its word. */
export interface Given {
  readonly system?: unknown
  readonly prompt?: unknown
  readonly messages: unknown
  readonly allowSystemInMessages?: unknown
}

const namesIn = (messages: unknown): ReadonlyArray<string> => {
  const found = JSON.stringify(messages).matchAll(/"toolName":"([^"\\]+)"/g)
  return [...new Set([...found].flatMap(([, name]) => name ?? []))]
}

const anyTool = tool({
  inputSchema: jsonSchema<unknown>({}),
  execute: async () => "done",
  needsApproval: true,
}) as unknown as ToolSet[string]

const ask = (model: LanguageModel, { system, prompt, messages, allowSystemInMessages }: Given) =>
  generateText({
    model,
    ...((prompt === undefined ? {} : { prompt }) as object),
    ...(system === undefined ? {} : { system: system as string | Array<SystemModelMessage> }),
    messages: messages as Array<ModelMessage>,
    allowSystemInMessages: allowSystemInMessages === true,
    tools: Object.fromEntries(namesIn(messages).map((name) => [name, anyTool])),
    maxRetries: 0,
    experimental_download: async (files) =>
      files.map(({ isUrlSupportedByModel }) =>
        isUrlSupportedByModel ? null : { data: new Uint8Array([1]), mediaType: "image/png" },
      ),
  })

/**
 * Sends a request through the SDK, and gives the body that would have gone to the provider. Throws what the SDK throws
 * before that.
 */
export const sent = async (given: Given, provider: Provider): Promise<unknown> => {
  const bodies: Array<string> = []
  const fetch: typeof globalThis.fetch = async (_, init) => {
    bodies.push(String(init?.body))
    return new Response("{}", { status: 400 })
  }
  try {
    await ask(provider.model(fetch), given)
  } catch (error) {
    if (bodies.length === 0) throw error
  }
  return JSON.parse(bodies[0] ?? "null")
}

/** What the SDK says of a request, before any provider sees it: null when it takes it, the name of its error otherwise. */
export const refusal = async (given: Given): Promise<string | null> => {
  const model = new MockLanguageModelV3({ supportedUrls: { "*/*": [/./] } })
  try {
    await ask(model, given)
  } catch (error) {
    const isTaken = model.doGenerateCalls.length > 0
    return isTaken ? null : error instanceof Error ? error.name : "an error"
  }
  return null
}
