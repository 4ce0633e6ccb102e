import { anthropic } from "@palimpsest/core/formats/anthropic"
import { gemini } from "@palimpsest/core/formats/gemini"
import { openAiChat } from "@palimpsest/core/formats/openai-chat"
import { openAiResponses } from "@palimpsest/core/formats/openai-responses"
import { describe, expect, it } from "vitest"

const SECRET = "b3BhcXVl"
const input = [
  { type: "compaction", id: "cmp_1", encrypted_content: SECRET, made_by: "grok" },
  { role: "user", content: "And now?" },
]

const conversation = () => {
  const read = openAiResponses.decode({ input })
  if (!read.ok) throw new Error(read.reason)
  return read.conversation
}

describe("what a provider made of a window", () => {
  it("OT6 accepts: it goes back to its provider's format as it came", () => {
    const stored = JSON.parse(JSON.stringify(conversation()))
    expect(openAiResponses.encode(stored)).toMatchObject({ request: { input }, losses: [] })
    expect(openAiResponses.validate({ input })).toEqual([])
  })

  it.each([anthropic, gemini, openAiChat].map((format) => [format.name, format] as const))(
    "OT6 refuses: %s is not sent it, and the loss is listed",
    (_, format) => {
      const { request, losses } = format.encode(conversation())
      const { request: repaired } = format.repair(request)
      expect(JSON.stringify([request, repaired])).not.toContain(SECRET)
      expect(losses).toContainEqual(expect.objectContaining({ kind: "dropped", message: 0 }))
    },
  )
})
