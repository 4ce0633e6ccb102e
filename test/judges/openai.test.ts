/** The provider's own SDK as judge: what is written is of its types, and it sends just these bytes. */
import { assistant, type Message, user } from "@palimpsest/core"
import { type Conversation, conversation, type Format, messagesIn } from "@palimpsest/core/formats"
import { openAiChat } from "@palimpsest/core/formats/openai-chat"
import { openAiResponses } from "@palimpsest/core/formats/openai-responses"
import { arbitraryThread } from "@palimpsest/core/testing"
import fc from "fast-check"
import OpenAI from "openai"
import type { ChatCompletionCreateParamsNonStreaming } from "openai/resources/chat/completions"
import type { ResponseCreateParamsNonStreaming } from "openai/resources/responses/responses"
import { assert, describe, it } from "vitest"
import { type Recorded, recordedChats, recordedItems } from "../formats/OpenAiRecords.ts"
import { search } from "../formats/ResponsesWire.ts"
import { judge } from "./Compiler.ts"

const MODEL = { model: "gpt-5.2" } as const

const opaque = (item: object) =>
  ({ type: "opaque", format: "openai-responses", json: JSON.stringify(item) }) as const

/** One message of each kind. */
const talk: ReadonlyArray<Message> = [
  {
    role: "user",
    parts: [
      { type: "text", text: "Look at these." },
      { type: "media", mediaType: "image/png", data: "aGVs", detail: "low" },
      { type: "media", mediaType: "application/pdf", data: "JVBERi0=", name: "Terms.pdf" },
      { type: "media", mediaType: "audio/wav", data: "UklGRg==" },
    ],
  },
  {
    role: "assistant",
    format: "openai-responses",
    parts: [
      { type: "reasoning", text: "Hm.", signature: "ZW5j", id: "rs_1" },
      opaque(search),
      opaque({ type: "message", phase: "commentary" }),
      { type: "text", text: "Let me look." },
      { type: "tool-call", id: "call_1", name: "find", arguments: '{"id":7}' },
      { type: "tool-call", id: "call_2", name: "run", arguments: "ls", kind: "custom" },
    ],
  },
  {
    role: "tool",
    parts: [
      {
        type: "tool-result",
        call: "call_1",
        status: "ok",
        content: [
          { type: "text", text: "found" },
          { type: "media", mediaType: "image/png", data: "https://example.org/a.png" },
        ],
      },
      { type: "tool-result", call: "call_2", status: "ok", content: [] },
    ],
  },
  user("And?"),
  assistant("It is here."),
]

/** What it has to be as a request of Responses, of the SDK's type. */
const responses: ResponseCreateParamsNonStreaming = {
  ...MODEL,
  instructions: "Be brief.",
  input: [
    {
      role: "user",
      content: [
        { type: "input_text", text: "Look at these." },
        { type: "input_image", image_url: "data:image/png;base64,aGVs", detail: "low" },
        { type: "input_file", filename: "Terms.pdf", file_data: "data:application/pdf;base64,JVBERi0=" },
        { type: "input_text", text: "[audio/wav: cannot be sent here]" },
      ],
    },
    {
      type: "reasoning",
      id: "rs_1",
      summary: [{ type: "summary_text", text: "Hm." }],
      encrypted_content: "ZW5j",
    },
    { type: "web_search_call", id: "ws_1", status: "completed", action: { type: "search", query: "q" } },
    { role: "assistant", content: "Let me look.", phase: "commentary" },
    { type: "function_call", call_id: "call_1", name: "find", arguments: '{"id":7}' },
    { type: "custom_tool_call", call_id: "call_2", name: "run", input: "ls" },
    {
      type: "function_call_output",
      call_id: "call_1",
      output: [
        { type: "input_text", text: "found" },
        { type: "input_image", image_url: "https://example.org/a.png", detail: "auto" },
      ],
    },
    { type: "custom_tool_call_output", call_id: "call_2", output: "(no output)" },
    { role: "user", content: "And?" },
    { role: "assistant", content: "It is here." },
  ],
}

/** The same as a request of Chat Completions. */
const chat: ChatCompletionCreateParamsNonStreaming = {
  ...MODEL,
  messages: [
    { role: "system", content: "Be brief." },
    {
      role: "user",
      content: [
        { type: "text", text: "Look at these." },
        { type: "image_url", image_url: { url: "data:image/png;base64,aGVs", detail: "low" } },
        {
          type: "file",
          file: { file_data: "data:application/pdf;base64,JVBERi0=", filename: "Terms.pdf" },
        },
        { type: "input_audio", input_audio: { data: "UklGRg==", format: "wav" } },
      ],
    },
    {
      role: "assistant",
      content: "Let me look.",
      tool_calls: [
        { id: "call_1", type: "function", function: { name: "find", arguments: '{"id":7}' } },
        { id: "call_2", type: "custom", custom: { name: "run", input: "ls" } },
      ],
    },
    {
      role: "tool",
      tool_call_id: "call_1",
      content: "found\n[image/png: in the user message after the results]",
    },
    { role: "tool", tool_call_id: "call_2", content: "(no output)" },
    {
      role: "user",
      content: [
        { type: "text", text: "[from the result of the call call_1]" },
        { type: "image_url", image_url: { url: "https://example.org/a.png" } },
      ],
    },
    { role: "user", content: "And?" },
    { role: "assistant", content: "It is here." },
  ],
}

/** A request as it is sent: repaired, with a model. */
const requestOf = <R extends object>(format: Format<R>, thread: Conversation): R =>
  format.repair({ ...MODEL, ...format.encode(thread).request }).request

/** Random threads, small enough that a compiler reads many of them; of half of them the provider signed the reasoning. */
const threads = (count: number): ReadonlyArray<Conversation> =>
  fc
    .sample(arbitraryThread({ open: true, endless: 0, groups: 2, turns: 3 }), {
      seed: 20_261_202,
      numRuns: 3 * count,
    })
    .map((thread, i) =>
      thread.map(
        (one): Message =>
          i % 2 === 0 && one.role === "assistant" ? { ...one, format: "openai-responses" } : one,
      ),
    )
    .filter((thread) => JSON.stringify(thread).length < 20_000)
    .slice(0, count)
    .map((thread) => conversation(thread, { system: "Be brief." }))

/** Conversations of recorded files, none too long for a compiler. */
const recorded = <R>(format: Format<R>, lists: ReadonlyArray<Recorded>): ReadonlyArray<Conversation> =>
  lists
    .map(({ list }) => list.slice(0, 40))
    .filter((list) => JSON.stringify(list).length < 60_000)
    .flatMap((list) => {
      const read = format.decode(list)
      return read.ok ? [read.conversation] : []
    })

/** What Codex keeps for itself, and never sends. */
const isSent = (item: object): boolean => !("type" in item && item.type === "ghost_snapshot")

/** Sessions of Codex and of agents; not the fixture, whose items are shortened to what the API never takes. */
const sessions = recordedItems
  .filter(({ name }) => !name.startsWith("agent-sessions"))
  .map(({ name, list }) => ({ name, list: list.filter(isSent) }))

/** Some of the recorded chats: a compiler takes its time. */
const someChats = recorded(
  openAiChat,
  recordedChats.filter((_, i) => i % 12 === 0),
)

/** Recorded conversations without the form in which they came: all of it is written anew. */
const anew: ReadonlyArray<Conversation> = [...someChats, ...recorded(openAiResponses, sessions)].map((each) =>
  conversation(messagesIn(each), { system: each.system }),
)

/** What the API itself answered, which is sent back as it came. */
const answered = recorded(
  openAiResponses,
  recordedItems.filter(({ name }) => name.includes("chunks")),
)

const CHAT = `
import type { ChatCompletionCreateParamsNonStreaming } from "openai/resources/chat/completions"
type Sent = ChatCompletionCreateParamsNonStreaming`

/** The API takes encrypted reasoning without an id, as Codex sends it; the type of the SDK asks for one. */
const RESPONSES = `
import type {
  ResponseCreateParamsNonStreaming,
  ResponseInputItem,
  ResponseReasoningItem,
} from "openai/resources/responses/responses"
type Nameless = Omit<ResponseReasoningItem, "id"> & { readonly encrypted_content: string }
type Sent = Omit<ResponseCreateParamsNonStreaming, "input"> & {
  readonly input: string | Array<ResponseInputItem | Nameless>
}`

/** A client of the SDK that sends to nobody, and what it would have sent. */
const clientOf = (sent: Array<string>) =>
  new OpenAI({
    apiKey: "none",
    baseURL: "https://example.org",
    maxRetries: 0,
    fetch: (_, init) => {
      sent.push(typeof init?.body === "string" ? init.body : "")
      return Promise.resolve(new Response("{}", { headers: { "content-type": "application/json" } }))
    },
  })

/** The compiler judges the types of these; here only the bytes count. */
const asChat = (request: unknown) => request as ChatCompletionCreateParamsNonStreaming
const asResponses = (request: unknown) => request as ResponseCreateParamsNonStreaming

const literalsOf = (requests: ReadonlyArray<object>): ReadonlyArray<string> =>
  requests.map((request) => JSON.stringify(request))

if (anew.length === 0)
  console.log("no recorded conversations beside the project: random ones only are judged")

describe("the SDK of OpenAI", () => {
  it("has a type for one message of each kind", () => {
    const thread = conversation(talk, { system: "Be brief." })
    assert.deepStrictEqual<unknown>(requestOf(openAiResponses, thread), responses)
    assert.deepStrictEqual<unknown>(requestOf(openAiChat, thread), chat)
  })

  it("takes requests of Chat Completions as its own type, without a field that it does not know", async () => {
    const all = [...threads(50), ...anew].map((thread) => requestOf(openAiChat, thread))
    assert.isAtLeast(all.length, 50)
    assert.deepStrictEqual(await judge("openai-chat", CHAT, literalsOf(all)), [])
    const wrong = { ...MODEL, messages: [{ role: "user", content: [{ type: "text" }] }] }
    assert.isNotEmpty(await judge("openai-chat", CHAT, literalsOf([wrong])))
  })

  it("takes requests of Responses as its own type, without a field that it does not know", async () => {
    const all = [...threads(50), ...anew, ...answered].map((thread) => requestOf(openAiResponses, thread))
    assert.isAtLeast(all.length, 50)
    assert.include(JSON.stringify(all), '"encrypted_content"')
    assert.deepStrictEqual(await judge("openai-responses", RESPONSES, literalsOf(all)), [])
    const wrong = { ...MODEL, input: [{ type: "function_call", name: "find", arguments: "{}" }] }
    assert.isNotEmpty(await judge("openai-responses", RESPONSES, literalsOf([wrong])))
  })

  it("sends the bytes that were written", async () => {
    const sent: Array<string> = []
    const client = clientOf(sent)
    const random = threads(20)
    const chats = [...random, ...someChats].map((thread) => requestOf(openAiChat, thread))
    const items = [...random, ...recorded(openAiResponses, recordedItems)].map((thread) =>
      requestOf(openAiResponses, thread),
    )
    for (const request of chats) await client.chat.completions.create(asChat(request))
    for (const request of items) await client.responses.create(asResponses(request))
    assert.deepStrictEqual(sent, literalsOf([...chats, ...items]))
  })
})
