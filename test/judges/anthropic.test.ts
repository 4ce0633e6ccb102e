/** The provider's own SDK as judge: what is written is of its types, and it sends just these bytes. */
import Anthropic from "@anthropic-ai/sdk"
import type { MessageCreateParamsNonStreaming } from "@anthropic-ai/sdk/resources/messages"
import { type AssistantMessage, assistant, type Message, toolResult, user } from "@palimpsest/core"
import { conversation } from "@palimpsest/core/formats"
import { type AnthropicRequest, anthropic } from "@palimpsest/core/formats/anthropic"
import { arbitraryThread } from "@palimpsest/core/testing"
import fc from "fast-check"
import { assert, describe, it } from "vitest"
import { png } from "../formats/Pictures.ts"
import { judge } from "./Compiler.ts"

const MODEL = { model: "claude-sonnet-4-5", max_tokens: 1_024 } as const

const search = { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query: "q" } }
const searched = { type: "web_search_tool_result", tool_use_id: "srvtoolu_1", content: [] }
const opaque = (block: object) =>
  ({ type: "opaque", format: "anthropic", json: JSON.stringify(block) }) as const

/** One message of each kind. */
const talk: ReadonlyArray<Message> = [
  {
    role: "user",
    parts: [
      { type: "text", text: "Look at these." },
      { type: "media", mediaType: "image/png", data: png(64, 32) },
      { type: "media", mediaType: "image/jpeg", data: "https://example.org/a.jpg" },
      { type: "media", mediaType: "application/pdf", data: "JVBERi0=", name: "Terms" },
      { type: "media", mediaType: "audio/wav", data: "UklGRg==" },
    ],
  },
  {
    role: "assistant",
    format: "anthropic",
    parts: [
      { type: "reasoning", text: "Hm.", signature: "c2ln" },
      { type: "reasoning", text: "", signature: "cmVk", redacted: true },
      { type: "text", text: "Let me look." },
      opaque(search),
      opaque(searched),
      { type: "tool-call", id: "toolu_1", name: "find", arguments: '{"id":7}' },
    ],
  },
  {
    role: "tool",
    parts: [
      {
        type: "tool-result",
        call: "toolu_1",
        status: "error",
        content: [{ type: "text", text: "not found" }],
      },
    ],
  },
  user("And?"),
  assistant("", [{ id: "toolu_2", name: "find", arguments: '{"id":8}' }]),
  toolResult("toolu_2", "found"),
]

/** What it has to be, of the SDK's type. */
const expected: MessageCreateParamsNonStreaming = {
  ...MODEL,
  system: "Be brief.",
  messages: [
    {
      role: "user",
      content: [
        { type: "text", text: "Look at these." },
        { type: "image", source: { type: "base64", media_type: "image/png", data: png(64, 32) } },
        { type: "image", source: { type: "url", url: "https://example.org/a.jpg" } },
        {
          type: "document",
          source: { type: "base64", media_type: "application/pdf", data: "JVBERi0=" },
          title: "Terms",
        },
        { type: "text", text: "[audio/wav: cannot be sent here]" },
      ],
    },
    {
      role: "assistant",
      content: [
        { type: "thinking", thinking: "Hm.", signature: "c2ln" },
        { type: "redacted_thinking", data: "cmVk" },
        { type: "text", text: "Let me look." },
        { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query: "q" } },
        { type: "web_search_tool_result", tool_use_id: "srvtoolu_1", content: [] },
        { type: "tool_use", id: "toolu_1", name: "find", input: { id: 7 } },
      ],
    },
    {
      role: "user",
      content: [
        { type: "tool_result", tool_use_id: "toolu_1", content: "not found", is_error: true },
        { type: "text", text: "And?" },
      ],
    },
    { role: "assistant", content: [{ type: "tool_use", id: "toolu_2", name: "find", input: { id: 8 } }] },
    { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_2", content: "found" }] },
  ],
}

/** A request of these messages, as it is sent. */
const requestOf = (messages: ReadonlyArray<Message>): AnthropicRequest => {
  const { request } = anthropic.encode(conversation(messages, { system: "Be brief." }))
  return anthropic.repair({ ...MODEL, ...request }).request
}

const byProvider = (message: Message): Message =>
  message.role === "assistant" ? ({ ...message, format: "anthropic" } satisfies AssistantMessage) : message

/** Requests of random threads, small enough that a compiler reads many of them. */
const requests = (count: number): ReadonlyArray<AnthropicRequest> =>
  fc
    .sample(arbitraryThread({ open: true, endless: 0, groups: 2, turns: 3 }), {
      seed: 20_261_202,
      numRuns: 3 * count,
    })
    .map((thread, i) => requestOf(i % 2 === 0 ? thread : thread.map(byProvider)))
    .filter((request) => JSON.stringify(request).length < 20_000)
    .slice(0, count)

const TYPES = `import type { MessageCreateParamsNonStreaming as Sent } from "@anthropic-ai/sdk/resources/messages"`

/** What the compiler says of literals that are to be of the type of the SDK. */
const judged = (literals: ReadonlyArray<string>) => judge("anthropic", TYPES, literals)

/** The compiler judges the type of these; here only the bytes count. */
const asParams = (request: unknown) => request as MessageCreateParamsNonStreaming

/** A client of the SDK that sends to nobody, and what it would have sent. */
const clientOf = (sent: Array<string>) =>
  new Anthropic({
    apiKey: "none",
    baseURL: "https://example.org",
    maxRetries: 0,
    fetch: (_, init) => {
      sent.push(typeof init?.body === "string" ? init.body : "")
      return Promise.resolve(new Response("{}", { headers: { "content-type": "application/json" } }))
    },
  })

describe("the SDK of Anthropic", () => {
  it("has a type for one message of each kind", () => {
    assert.deepStrictEqual<unknown>(requestOf(talk), {
      ...expected,
      tools: [
        {
          name: "find",
          description: "Called earlier; cannot be called now.",
          input_schema: { type: "object" },
        },
      ],
      tool_choice: { type: "none" },
    })
  })

  it("takes requests of random threads as its own type, without a field that it does not know", async () => {
    const literals = requests(120).map((request) => JSON.stringify(request))
    assert.lengthOf(literals, 120)
    assert.deepStrictEqual(await judged(literals), [])
    const wrong = JSON.stringify({
      ...requestOf(talk),
      messages: [{ role: "user", content: [{ type: "text" }] }],
    })
    assert.lengthOf(await judged([wrong]), 1)
  })

  it("sends the bytes that were written", async () => {
    const sent: Array<string> = []
    const client = clientOf(sent)
    const all = [requestOf(talk), ...requests(40)]
    for (const request of all) await client.messages.create(asParams({ ...MODEL, ...request }))
    assert.deepStrictEqual(
      sent,
      all.map((request) => JSON.stringify({ ...MODEL, ...request })),
    )
  })

  it("counts what it would send", async () => {
    const sent: Array<string> = []
    const { system, messages } = requestOf(talk)
    const asked = { model: MODEL.model, system, messages }
    await clientOf(sent).messages.countTokens(asParams(asked))
    assert.deepStrictEqual(sent, [JSON.stringify(asked)])
  })
})
