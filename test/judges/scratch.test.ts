import { aiSdk } from "@palimpsest/core/formats/ai-sdk"
import { it } from "vitest"
import { refusal } from "./AiSdkKit.ts"
it("x", async () => {
  const messages = [{ role: "user", content: "a" }, { role: "assistant", content: [{ type: "tool-call", toolCallId: "a", toolName: "b" }] }, { role: "tool", content: [{ type: "tool-result", toolCallId: "a", toolName: "b", output: { type: "text", value: "x" } }] }]
  console.log(await refusal({ messages }), aiSdk.validate({ messages }))
  const input = undefined
  const m2 = JSON.parse(JSON.stringify(messages)); m2[1].content[0].input = input
  console.log(await refusal({ messages: m2 }), aiSdk.validate({ messages: m2 }))
})
