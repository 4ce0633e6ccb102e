/** The AI SDK's providers as judges: what is valid by our rules of the SDK is valid by those of the provider behind it. */
import { conversation } from "@palimpsest/core/formats"
import { type AiSdkRequest, aiSdk } from "@palimpsest/core/formats/ai-sdk"
import { aiSdkUi } from "@palimpsest/core/formats/ai-sdk-ui"
import { aiSdkMessages, aiSdkUiMessages, arbitraryThread } from "@palimpsest/core/testing"
import { convertToModelMessages, type UIMessage } from "ai"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { isOfVersion, type Provider, providers, sent } from "./AiSdkKit.ts"

const trial = { seed: 20_261_202, numRuns: 40 }

const hello = { role: "user", content: "Hello" }
const said = (text: string) => ({ type: "text", text })
const assistant = (...content: ReadonlyArray<object>) => ({ role: "assistant", content })
const tool = (...content: ReadonlyArray<object>) => ({ role: "tool", content })
const call = (toolCallId: string, more: object = {}) => ({
  type: "tool-call",
  toolCallId,
  toolName: "find",
  input: { id: 7 },
  ...more,
})
const result = (toolCallId: string, output: object = { type: "text", value: "here" }) => ({
  type: "tool-result",
  toolCallId,
  toolName: "find",
  output,
})
const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
const thought = (providerOptions: object) => ({ type: "reasoning", text: "Let me see.", providerOptions })
const served = (name: string, id: string, input: object, value: unknown) => [
  { type: "tool-call", toolCallId: id, toolName: name, input, providerExecuted: true },
  { type: "tool-result", toolCallId: id, toolName: name, output: { type: "json", value } },
]
const page = { url: "https://example.org", title: "Example", pageAge: null, encryptedContent: "ZW5j" }

interface HandMade {
  readonly messages: ReadonlyArray<object>
  /** The providers that can be sent it; absent for all. */
  readonly only?: string
}

const handMade: Readonly<Record<string, HandMade>> = {
  "files of a user": {
    messages: [
      {
        role: "user",
        content: [
          said("What are these?"),
          { type: "file", mediaType: "image/png", data: png },
          { type: "file", mediaType: "application/pdf", data: "JVBERi0xLjQ=", filename: "a.pdf" },
          { type: "image", image: new URL("https://example.org/a.png") },
        ],
      },
    ],
  },
  "calls side by side, one of them failed": {
    messages: [
      hello,
      assistant(said("Let me look."), call("c1"), call("c2")),
      tool(result("c1"), result("c2", { type: "error-json", value: { code: 404 } })),
      assistant(said("It is here.")),
      hello,
    ],
  },
  "an image as a result": {
    messages: [
      hello,
      assistant(call("c1")),
      tool(
        result("c1", {
          type: "content",
          value: [said("A screen:"), { type: "image-data", data: png, mediaType: "image/png" }],
        }),
      ),
    ],
  },
  "a call that a person denied": {
    messages: [
      hello,
      assistant(call("c1"), { type: "tool-approval-request", approvalId: "a1", toolCallId: "c1" }),
      tool(
        { type: "tool-approval-response", approvalId: "a1", approved: false, reason: "not now" },
        result("c1", { type: "execution-denied", reason: "not now" }),
      ),
      hello,
    ],
  },
  "a call that a person has just allowed": {
    messages: [
      hello,
      assistant(call("c1"), { type: "tool-approval-request", approvalId: "a1", toolCallId: "c1" }),
      tool({ type: "tool-approval-response", approvalId: "a1", approved: true }),
    ],
  },
  "thinking of Claude": {
    messages: [
      hello,
      assistant(thought({ anthropic: { signature: "c2ln" } }), call("c1")),
      tool(result("c1")),
      assistant(said("Here.")),
      hello,
    ],
  },
  "encrypted reasoning of OpenAI": {
    messages: [
      hello,
      assistant(
        thought({ openai: { itemId: "rs_1", reasoningEncryptedContent: "ZW5j" } }),
        call("c1", { providerOptions: { openai: { itemId: "fc_1" } } }),
      ),
      tool(result("c1")),
    ],
  },
  "a call that Gemini signed": {
    messages: [
      hello,
      assistant(call("c1", { providerOptions: { google: { thoughtSignature: "c2ln" } } })),
      tool(result("c1")),
    ],
  },
  "a search that Anthropic ran": {
    only: "anthropic",
    messages: [
      hello,
      assistant(
        ...served("web_search", "srvtoolu_1", { query: "x" }, [{ type: "web_search_result", ...page }]),
        said("It says so."),
      ),
      hello,
    ],
  },
  "a search that OpenAI ran": {
    only: "openai responses",
    messages: [
      hello,
      assistant(...served("web_search", "ws_1", {}, { action: { type: "search", query: "x" } }), {
        ...said("It says so."),
        providerOptions: { openai: { itemId: "msg_1" } },
      }),
      hello,
    ],
  },
}

const faultsOf = async (request: AiSdkRequest, provider: Provider): Promise<ReadonlyArray<unknown>> =>
  provider.faults((await sent(request, provider)) as never)

/**
 * Whether a sample is for any provider. Names of tools are the host's; calls that one provider ran, media that it takes
 * and a blank text that it signed go to that provider alone.
 */
const isForAll = (wire: unknown): boolean =>
  isOfVersion(wire) &&
  !/"a\.b"|"providerExecuted":true|audio\/wav|"text":"[\s]*","provider/.test(JSON.stringify(wire))

const anyMessages = aiSdkMessages
  .filter(isForAll)
  .map((messages) => aiSdk.repair({ messages: [hello, ...messages, hello] }).request)

for (const provider of providers)
  describe(provider.name, () => {
    for (const [name, { messages, only }] of Object.entries(handMade))
      if (only === undefined || only === provider.name)
        it(`takes ${name}, as it came`, async () => {
          expect(aiSdk.validate({ messages })).toEqual([])
          const read = aiSdk.decode({ messages })
          const { request, losses } = aiSdk.encode(read.ok ? read.conversation : conversation([]))
          expect(request).toEqual({ messages })
          expect(losses).toEqual([])
          expect(await faultsOf(request, provider)).toEqual([])
        })

    it("takes what was repaired", async () => {
      await fc.assert(
        fc.asyncProperty(anyMessages, async (request) => {
          expect(await faultsOf(request, provider)).toEqual([])
        }),
        trial,
      )
    })
  })

/**
 * Whether a part is for people as much as for a model, and stays: hosted files of a response, which only a conversion to
 * model messages can take away, and data, which a host may convert.
 */
const isForPeople = (part: unknown): boolean =>
  /"type":"(?:file".*"url":"https|data-)/.test(JSON.stringify(part))

const uiMessages = aiSdkUiMessages.filter(isOfVersion).map((messages) =>
  (messages as ReadonlyArray<{ readonly parts: ReadonlyArray<unknown> }>).map((message) => ({
    ...message,
    parts: message.parts.filter((part) => !isForPeople(part)),
  })),
)

const asModel = (messages: unknown) =>
  convertToModelMessages(messages as ReadonlyArray<unknown> as Array<UIMessage>)

describe("UI messages", () => {
  it("keep the rules of model messages once the SDK has converted them", async () => {
    await fc.assert(
      fc.asyncProperty(uiMessages, async (messages) => {
        const converted = await asModel(aiSdkUi.repair(messages).request.messages)
        const found = aiSdk.validate({ messages: converted, allowSystemInMessages: true })
        // Messages of a response side by side are joined when they are model messages.
        expect(found.filter(({ detail }) => detail !== "a call right after another response")).toEqual([])
      }),
      { ...trial, numRuns: 150 },
    )
  })

  for (const provider of providers)
    it(`written from a thread are taken by ${provider.name}`, async () => {
      await fc.assert(
        fc.asyncProperty(arbitraryThread({ turns: 3, groups: 2, endless: 0 }), async (thread) => {
          const { request } = aiSdkUi.encode(
            conversation([...thread, { role: "user", parts: [{ type: "text", text: "Go on." }] }]),
          )
          const messages = await asModel(aiSdkUi.repair(request).request.messages)
          expect(await faultsOf({ messages } as AiSdkRequest, provider)).toEqual([])
        }),
        { ...trial, numRuns: 20 },
      )
    })
})
