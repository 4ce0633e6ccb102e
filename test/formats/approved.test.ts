import type { Message } from "@palimpsest/core"
import { makeTarget, requestFor } from "@palimpsest/core/formats"
import { aiSdk } from "@palimpsest/core/formats/ai-sdk"
import { anthropic } from "@palimpsest/core/formats/anthropic"
import { makePalimpsest } from "@palimpsest/core/promise"
import { memoryStore } from "@palimpsest/core/testing"
import { describe, expect, it } from "vitest"

const messages = [
  { role: "user", content: "Delete the old logs." },
  {
    role: "assistant",
    content: [
      { type: "tool-call", toolCallId: "c1", toolName: "remove", input: { path: "/logs" } },
      { type: "tool-approval-request", approvalId: "a1", toolCallId: "c1" },
    ],
  },
  { role: "tool", content: [{ type: "tool-approval-response", approvalId: "a1", approved: true }] },
]

const promptOf = async (request: object) => {
  const read = aiSdk.decode(request)
  if (!read.ok) throw new Error(read.reason)
  const palimpsest = makePalimpsest({ store: memoryStore })
  const step = await palimpsest.open({ tenant: "acme", chat: "7" }, { budget: { window: 8_000 } })
  await step.append(...read.conversation.items.map(({ message }): Message => message))
  const prompt = await step.prompt()
  await palimpsest.close()
  return prompt
}

describe("a call that a person approved", () => {
  it("goes to the AI SDK without a result, so that the SDK runs it", async () => {
    const target = makeTarget({ format: "ai-sdk", model: "claude-sonnet-4-5", window: 8_000 })
    const { request, repairs } = requestFor(await promptOf({ messages }), aiSdk, target)
    expect(request.messages.slice(1)).toEqual(messages.slice(1))
    expect(repairs).toEqual([])
  })

  it("is closed for a provider, which wants a result for each call", async () => {
    const target = makeTarget({ format: "anthropic", model: "claude-sonnet-4-5", window: 8_000 })
    const { request } = requestFor(await promptOf({ messages }), anthropic, target, { max_tokens: 100 })
    expect(request.messages.at(-1)?.content).toMatchObject([{ type: "tool_result", is_error: true }])
  })
})
