import { messagesIn, readExact, writeExact } from "@palimpsest/core/formats"
import { anthropic } from "@palimpsest/core/formats/anthropic"
import { gemini } from "@palimpsest/core/formats/gemini"
import { openAiChat } from "@palimpsest/core/formats/openai-chat"
import { describe, expect, it } from "vitest"

const DIGITS = "9007199254740993"
const INPUT = `{"id":${DIGITS},"price":1.50}`

/** One call in each of three forms: as text of a file, as it comes from a provider. */
const SENT = [
  [
    anthropic,
    `{"messages":[{"role":"user","content":"Hi"},{"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"find","input":${INPUT}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"ok"}]}]}`,
  ],
  [
    gemini,
    `{"contents":[{"role":"user","parts":[{"text":"Hi"}]},{"role":"model","parts":[{"functionCall":{"name":"find","args":${INPUT}},"thoughtSignature":"c2ln"}]},{"role":"user","parts":[{"functionResponse":{"name":"find","response":{"output":"ok"}}}]}]}`,
  ],
  [
    openAiChat,
    `{"messages":[{"role":"user","content":"Hi"},{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"find","arguments":${JSON.stringify(INPUT)}}}]},{"role":"tool","tool_call_id":"c1","content":"ok"}]}`,
  ],
] as const

const read = ([format, text]: (typeof SENT)[number]) => {
  const decoded = format.decode(readExact(text))
  if (!decoded.ok) throw new Error(decoded.reason)
  return decoded.conversation
}

/** As a store keeps it. */
const stored = <A>(value: A): A => JSON.parse(JSON.stringify(value))

const argumentsIn = (sent: (typeof SENT)[number]): ReadonlyArray<string> =>
  messagesIn(stored(read(sent))).flatMap(({ parts }) =>
    [...parts].flatMap((part) => (part.type === "tool-call" ? [part.arguments] : [])),
  )

describe("numbers in the arguments of calls", () => {
  it.each(SENT.map((sent) => [sent[0].name, sent] as const))(
    "PG4 accepts: %s gives them back with their digits, out of a store too",
    (_, sent) => {
      expect(writeExact(sent[0].encode(stored(read(sent))).request)).toBe(sent[1])
      expect(argumentsIn(sent)).toEqual([INPUT])
    },
  )

  it("PG4 accepts: from one format into each other one", () => {
    for (const sent of SENT)
      for (const [format] of SENT)
        expect(writeExact(format.encode(stored(read(sent))).request)).toContain(DIGITS)
  })

  it("PG4 refuses: parsed as plain JSON the number is another one, so it is held as text", () => {
    expect(JSON.stringify(JSON.parse(INPUT))).not.toBe(INPUT)
    expect(SENT.flatMap(argumentsIn).every((text) => typeof text === "string" && text.includes(DIGITS))).toBe(
      true,
    )
  })
})
