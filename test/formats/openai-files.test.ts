/** The messages and items in recorded files: what came goes out byte for byte, and what is repaired is valid. */
import { type Format, messagesIn } from "@palimpsest/core/formats"
import { anthropic } from "@palimpsest/core/formats/anthropic"
import { openAiChat } from "@palimpsest/core/formats/openai-chat"
import { openAiResponses } from "@palimpsest/core/formats/openai-responses"
import { assert, describe, expect, it } from "vitest"
import { type Recorded, recordedChats, recordedItems } from "./OpenAiRecords.ts"

const conversationOf = <R>(format: Format<R>, list: unknown) => {
  const read = format.decode(list)
  assert(read.ok)
  return read.conversation
}

/** What comes out of a list that is read and written. */
const throughOut = <R>(format: Format<R>, { list }: Recorded): unknown => {
  const { request, losses } = format.encode(conversationOf(format, list))
  expect(losses).toEqual([])
  return request
}

const bytes = (value: unknown): string => JSON.stringify(value)

/** A repaired list is valid here, and as a request of the other formats. */
const check = <R>(format: Format<R>, { list }: Recorded): void => {
  const { request } = format.repair(list)
  expect(format.validate(request)).toEqual([])
  const thread = conversationOf(format, request)
  for (const other of [openAiChat, openAiResponses, anthropic] as const) {
    const written = other.repair(other.encode(thread).request).request
    expect(other.validate(written)).toEqual([])
  }
}

describe.skipIf(recordedChats.length === 0)("recorded chats", () => {
  it("are many, of every file", () => {
    expect(recordedChats.length).toBeGreaterThan(100)
    expect(recordedItems.length).toBeGreaterThan(10)
    expect(recordedItems.map(({ list }) => list.length)).toContain(119)
    const calls = recordedItems.flatMap(({ list }) =>
      messagesIn(conversationOf(openAiResponses, list)).flatMap(({ parts }) =>
        parts.filter(({ type }) => type === "tool-call"),
      ),
    )
    expect(calls.length).toBeGreaterThan(40)
  })

  it("of Chat Completions come back byte for byte", () => {
    for (const chat of recordedChats)
      expect(bytes(throughOut(openAiChat, chat)), chat.name).toBe(bytes({ messages: chat.list }))
  })

  it("of Responses come back byte for byte", () => {
    for (const items of recordedItems)
      expect(bytes(throughOut(openAiResponses, items)), items.name).toBe(bytes({ input: items.list }))
  })

  it("are valid once they are repaired, for each provider", () => {
    for (const items of recordedItems) check(openAiResponses, items)
    for (const chat of recordedChats.filter((_, i) => i % 10 === 0)) check(openAiChat, chat)
  })
})
