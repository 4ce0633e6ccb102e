/** The AI SDK as judge: its own checks and its providers' conversions take what is written, and send valid requests. */
import type { AssistantMessage, Message } from "@palimpsest/core"
import { type Conversation, conversation, type Format, mend, messagesIn } from "@palimpsest/core/formats"
import { aiSdk } from "@palimpsest/core/formats/ai-sdk"
import { aiSdkUi, type UiRequest } from "@palimpsest/core/formats/ai-sdk-ui"
import { anthropic } from "@palimpsest/core/formats/anthropic"
import { effectPrompt } from "@palimpsest/core/formats/effect-prompt"
import { gemini } from "@palimpsest/core/formats/gemini"
import { langchain } from "@palimpsest/core/formats/langchain"
import { aiSdkMessages, aiSdkUiMessages, arbitraryThread } from "@palimpsest/core/testing"
import { convertToModelMessages, safeValidateUIMessages, type UIMessage } from "ai"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { aiSdkRules } from "../validity/ai-sdk.ts"
import { type Given, isOfVersion, providers, refusal, sent } from "./AiSdkKit.ts"

const trial = { seed: 20_261_202, numRuns: 20 }

/** Formats that a conversation may come from. */
const sources: ReadonlyArray<Format<unknown>> = [aiSdk, aiSdkUi, anthropic, gemini, langchain, effectPrompt]

const signers = ["anthropic", "gemini", "openai-responses", "ai-sdk"]

/** Reasoning signed by one provider or another, ids that not every provider takes, and a user who has the last word. */
const spiced = (messages: ReadonlyArray<Message>, dice: number, pick: number): ReadonlyArray<Message> => {
  const format = signers[pick % signers.length] ?? ""
  const rename = (id: string): string => (dice % 3 === 0 ? `${id}|fc_${"x".repeat(70)}` : id)
  const named = messages.map((message): Message => {
    if (message.role === "user") return message
    if (message.role === "tool")
      return { ...message, parts: message.parts.map((part) => ({ ...part, call: rename(part.call) })) }
    const parts = message.parts.map((part) =>
      part.type === "tool-call" ? { ...part, id: rename(part.id) } : part,
    )
    return { ...message, parts, format } satisfies AssistantMessage
  })
  const isAnswered = named.at(-1)?.role === "assistant"
  return isAnswered ? [...named, { role: "user", parts: [{ type: "text", text: "Go on." }] }] : named
}

const thread = fc
  .tuple(arbitraryThread({ turns: 3, groups: 2, endless: 0, open: true }), fc.nat(9), fc.nat(9))
  .filter(([messages]) => messages.length > 0)
  .map(([messages, dice, pick]) =>
    spiced(messagesIn({ system: null, items: mend(conversation(messages).items).items }), dice, pick),
  )

/** A conversation as it comes from a format. */
const from = (format: Format<unknown>, given: Conversation): Conversation => {
  const read = format.decode(format.encode(given).request)
  return read.ok ? read.conversation : { system: null, items: [] }
}

for (const provider of providers)
  describe(provider.name, () => {
    for (const source of sources)
      it(`takes what came from ${source.name}`, async () => {
        await fc.assert(
          fc.asyncProperty(thread, async (messages) => {
            const { request } = aiSdk.encode(from(source, conversation(messages, { system: "Be brief." })))
            const body = await sent(request, provider)
            expect(provider.faults(body as never)).toEqual([])
          }),
          trial,
        )
      })
  })

/** A case of a rule: a list may stand alone. */
const asGiven = (request: unknown): Given =>
  Array.isArray(request) ? { messages: request } : (request as Given)

describe("model messages", () => {
  it("are taken by the SDK once they are repaired, and those that it refuses are found", async () => {
    let refused = 0
    await fc.assert(
      fc.asyncProperty(aiSdkMessages.filter(isOfVersion), async (messages) => {
        const found = aiSdk.validate({ messages })
        const verdict = await refusal({ messages })
        if (verdict !== null) refused += 1
        if (verdict !== null) expect(found, verdict).not.toEqual([])
        expect(await refusal(aiSdk.repair({ messages }).request)).toBe(null)
      }),
      { ...trial, numRuns: 150 },
    )
    expect(refused).toBeGreaterThan(20)
  })

  for (const { rule, accepts, refuses } of aiSdkRules.cases)
    it(`are judged as ${rule} has it`, async () => {
      for (const request of accepts)
        expect(await refusal(asGiven(request)), JSON.stringify(request)).toBe(null)
      // The SDK itself checks these, but for denials in the provider's name; of the others the provider tells.
      if (!["VA1", "VA3", "VA6"].includes(rule)) return
      const checked = refuses.filter((request) => !JSON.stringify(request).includes("execution-denied"))
      const verdicts = await Promise.all(checked.map((request) => refusal(asGiven(request))))
      expect(verdicts).not.toContain(null)
    })
})

/** The parts that say something; the SDK leaves a message empty that is of data only, and ours says that it is blank. */
const saidIn = ({ role, parts }: Message): ReadonlyArray<Message["parts"][number]> => {
  const isBlank = (part: Message["parts"][number]): boolean =>
    (part.type === "text" || (part.type === "reasoning" && Object.keys(part).length === 2)) &&
    part.text.trim() === ""
  const said = parts.filter((part) => !isBlank(part))
  return role === "user" && said.length === 0 ? [{ type: "text", text: "(blank)" }] : said
}

/** What a conversation says to a model, whichever of the two conversions made it. */
const meaning = (messages: unknown): unknown => {
  const read = aiSdk.decode({ messages })
  if (!read.ok) return read
  return messagesIn(read.conversation).map((message) =>
    message.role === "tool"
      ? message.parts.map((part) =>
          part.type === "tool-result" && part.status === "denied"
            ? {
                ...part,
                status: "error",
                content:
                  part.content.length > 0
                    ? part.content
                    : [{ type: "text", text: "Tool call execution denied." }],
              }
            : part,
        )
      : { ...message, parts: saidIn(message) },
  )
}

const converted = (ui: UiRequest): Promise<ReadonlyArray<unknown>> =>
  convertToModelMessages(ui.messages as ReadonlyArray<unknown> as Array<UIMessage>)

/** Our own conversion, with the system prompt where the SDK's has it. */
const ours = (ui: UiRequest): ReadonlyArray<unknown> => {
  const read = aiSdkUi.decode(ui)
  const { system, messages } = aiSdk.encode(read.ok ? read.conversation : conversation([])).request
  return system === undefined ? messages : [{ role: "system", content: system }, ...messages]
}

describe("UI messages", () => {
  it("are taken by the SDK once they are repaired, and those that it refuses are found", async () => {
    await fc.assert(
      fc.asyncProperty(aiSdkUiMessages.filter(isOfVersion), async (messages) => {
        const verdict = await safeValidateUIMessages({ messages })
        if (!verdict.success) expect(aiSdkUi.validate(messages)).not.toEqual([])
        const repaired = await safeValidateUIMessages({ messages: aiSdkUi.repair(messages).request.messages })
        expect(repaired.success || repaired.error.message).toBe(true)
      }),
      { ...trial, numRuns: 200 },
    )
  })

  it("are converted as the SDK converts them, when they are written from a thread", async () => {
    await fc.assert(
      fc.asyncProperty(thread, async (messages) => {
        const { request } = aiSdkUi.encode(conversation(messages, { system: "Be brief." }))
        expect(meaning(ours(request))).toEqual(meaning(await converted(request)))
      }),
      { ...trial, numRuns: 60 },
    )
  })

  it("are converted as the SDK converts them, however they came", async () => {
    await fc.assert(
      fc.asyncProperty(aiSdkUiMessages.filter(isOfVersion), async (messages) => {
        const { request } = aiSdkUi.repair(messages)
        expect(meaning(ours(request))).toEqual(meaning(await converted(request)))
      }),
      { ...trial, numRuns: 200 },
    )
  })
})
