/** LangChain as the judge: its own classes and converters take what is written for it, and lose nothing of it. */
import {
  AIMessage,
  type BaseMessage,
  coerceMessageLikeToMessage,
  HumanMessage,
  mapChatMessagesToStoredMessages,
  mapStoredMessagesToChatMessages,
  RemoveMessage,
  type StoredMessage,
  SystemMessage,
  ToolMessage,
} from "@langchain/core/messages"
import { type Message, user } from "@palimpsest/core"
import { conversation, messagesIn, originalIds, writeExact } from "@palimpsest/core/formats"
import { langchain } from "@palimpsest/core/formats/langchain"
import { arbitraryThread } from "@palimpsest/core/testing"
import fc from "fast-check"
import { assert, describe, it } from "vitest"
import { type Judge, judges } from "./LangChainModels.ts"
import { saidBy, saidIn, withoutIds } from "./Said.ts"

const SEED = 20_261_202
const TRIAL = { numRuns: 60, seed: SEED }

/** A thread as LangChain's own messages, by way of its stored form; and the ids that changed. */
const exported = (thread: ReadonlyArray<Message>, system?: string) => {
  const whole = conversation(thread, system === undefined ? {} : { system })
  const { request, ids } = langchain.encode(whole)
  const valid = langchain.repair(request).request
  const stored: Array<StoredMessage> = JSON.parse(writeExact(valid.messages) ?? "[]")
  return { messages: mapStoredMessagesToChatMessages(stored), ids }
}

/** LangChain holds arguments as values: a number beyond those of JavaScript is infinite there. */
const isHeld = (thread: ReadonlyArray<Message>): boolean => !JSON.stringify(thread).includes("1e400")

/** A thread that a model can be called with: the user speaks last. */
const ending = (thread: ReadonlyArray<Message>): ReadonlyArray<Message> => [...thread, user("Go on.")]

describe("LangChain's classes", () => {
  it("are made of what is written, and give it back", () => {
    fc.assert(
      fc.property(arbitraryThread().filter(isHeld).map(ending), (thread) => {
        const { messages } = exported(thread, "Be brief.")
        const again = langchain.decode(mapChatMessagesToStoredMessages(messages))
        assert(again.ok)
        assert.deepStrictEqual(saidIn(messagesIn(again.conversation)), saidIn(thread))
        assert.strictEqual(again.conversation.system, "Be brief.")
      }),
      TRIAL,
    )
  })

  const live = [
    new SystemMessage("Be brief."),
    new HumanMessage({ content: [{ type: "text", text: "Where is it?" }], id: "m1" }),
    new AIMessage({
      content: "",
      tool_calls: [{ name: "find", args: { id: 7 }, id: "c1", type: "tool_call" }],
      id: "m2",
    }),
    new ToolMessage({ content: "shipped", tool_call_id: "c1", artifact: { rows: [1] }, status: "success" }),
  ]

  it("are read while they live, without a copy of LangChain", () => {
    const stored = mapChatMessagesToStoredMessages(live)
    for (const input of [live, { messages: live }]) {
      const decoded = langchain.decode(input)
      assert(decoded.ok)
      assert.strictEqual(decoded.conversation.system, "Be brief.")
      assert.deepStrictEqual(
        messagesIn(decoded.conversation).map(({ role }) => role),
        ["user", "assistant", "tool"],
      )
      const { request, losses } = langchain.encode(decoded.conversation)
      assert.strictEqual(JSON.stringify(request.messages), JSON.stringify(stored))
      assert.deepStrictEqual(losses, [])
      assert.deepStrictEqual(langchain.validate(input), [])
    }
  })

  it("are refused where one is an instruction to remove others", () => {
    const decoded = langchain.decode([...live, new RemoveMessage({ id: "m1" })])
    assert(!decoded.ok)
    assert.deepStrictEqual([decoded.path, decoded.rule], ["[4]", "LC5"])
  })

  it("are written from plain messages that LangChain takes too", () => {
    const plain = [
      { role: "user", content: "Where is it?" },
      {
        type: "ai",
        content: "",
        tool_calls: [{ name: "find", args: { id: 7 }, id: "c1", type: "tool_call" }],
      },
      { role: "tool", content: "shipped", tool_call_id: "c1" },
    ] as const
    const theirs = plain.map((message): BaseMessage => coerceMessageLikeToMessage({ ...message }))
    const [ours, coerced] = [plain, theirs].map((input) => langchain.decode(input))
    assert(ours?.ok === true && coerced?.ok === true)
    assert.deepStrictEqual(messagesIn(ours.conversation), messagesIn(coerced.conversation))
  })
})

const check = async (judge: Judge, thread: ReadonlyArray<Message>): Promise<void> => {
  const { messages, ids } = exported(thread, "Be brief.")
  const body = await judge.send(messages)
  assert.deepStrictEqual(judge.validate?.(body) ?? [], [])
  const renamed = new Map([...ids].map(([wire, own]) => [own, wire]))
  const expected = saidIn(thread.map((message) => originalIds(message, renamed)))
  const found = saidBy(judge.name, body)
  const isWithoutIds = judge.name === "ChatGoogleGenerativeAI"
  const spoken = found.filter(([who]) => who !== "system" && who !== "developer")
  assert.deepStrictEqual(
    isWithoutIds ? spoken.filter(([, said]) => said !== "Be brief.") : spoken,
    isWithoutIds ? withoutIds(expected) : expected,
  )
}

for (const judge of judges)
  describe(judge.name, () => {
    it("sends every text, call and result as it is in the thread", async () => {
      const thread = arbitraryThread({ images: false }).map(ending)
      await fc.assert(
        fc.asyncProperty(thread, (one) => check(judge, one)),
        TRIAL,
      )
    })

    it("takes media", async () => {
      await fc.assert(
        fc.asyncProperty(arbitraryThread({ endless: 0 }).map(ending), async (thread) => {
          const { messages } = exported(thread)
          assert.isNotEmpty(await judge.send(messages))
        }),
        TRIAL,
      )
    })
  })

const judge = (name: string): Judge => {
  const found = judges.find((one) => one.name === name)
  assert(found !== undefined)
  return found
}

const sentBy = async (name: string, thread: ReadonlyArray<Message>): Promise<string> =>
  JSON.stringify(await judge(name).send(exported(thread).messages))

/** A response that thinks, asks and is answered. */
const thinking = (format: string, signature: Readonly<Record<"reasoning" | "call", object>>) =>
  ending([
    user("Where is it?"),
    {
      role: "assistant",
      format,
      parts: [
        { type: "reasoning", text: "so", ...signature.reasoning },
        { type: "tool-call", id: "c1", name: "find", arguments: "{}", ...signature.call },
      ],
    },
    {
      role: "tool",
      parts: [{ type: "tool-result", call: "c1", status: "ok", content: [{ type: "text", text: "7" }] }],
    },
  ])

describe("what a provider signed", () => {
  it("comes back to Anthropic unaltered", async () => {
    const sent = await sentBy(
      "ChatAnthropic",
      thinking("anthropic", { reasoning: { signature: "c2ln" }, call: {} }),
    )
    assert.include(sent, '{"type":"thinking","thinking":"so","signature":"c2ln"}')
  })

  it("comes back to Gemini on its call", async () => {
    const thread = thinking("gemini", { reasoning: {}, call: { signature: "c2ln" } })
    const sent = await sentBy("ChatGoogleGenerativeAI", thread)
    assert.include(sent, '{"functionCall":{"name":"find","args":{}},"thoughtSignature":"c2ln"}')
  })

  it("comes back to OpenAI's Responses as its item", async () => {
    const signature = { reasoning: { signature: "ZW5j", id: "rs_1" }, call: {} }
    const sent = await sentBy("ChatOpenAI, Responses", thinking("openai-responses", signature))
    const item = {
      id: "rs_1",
      type: "reasoning",
      summary: [{ type: "summary_text", text: "so" }],
      encrypted_content: "ZW5j",
    }
    assert.include(sent, JSON.stringify(item))
  })
})

describe("media", () => {
  const thread: ReadonlyArray<Message> = [
    {
      role: "user",
      parts: [
        { type: "text", text: "Look." },
        { type: "media", mediaType: "image/png", data: "aGVs" },
        { type: "media", mediaType: "application/pdf", data: "UERG", name: "a.pdf" },
      ],
    },
  ]

  it.each<[string, string, string]>([
    ["ChatOpenAI", '"url":"data:image/png;base64,aGVs"', '"file_data":"data:application/pdf;base64,UERG"'],
    ["ChatOpenAI, Responses", '"image_url":"data:image/png;base64,aGVs"', "UERG"],
    [
      "ChatAnthropic",
      '"media_type":"image/png","data":"aGVs"',
      '"media_type":"application/pdf","data":"UERG"',
    ],
    [
      "ChatGoogleGenerativeAI",
      '"mimeType":"image/png","data":"aGVs"',
      '"mimeType":"application/pdf","data":"UERG"',
    ],
  ])("reach %s once each", async (name, image, file) => {
    const sent = await sentBy(name, thread)
    assert.strictEqual(sent.split(image).length, 2, sent)
    assert.strictEqual(sent.split(file).length, 2, sent)
  })
})
