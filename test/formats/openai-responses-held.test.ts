/** The Responses API: what no single request shows, and what repair does to requests of histories. */
import type { Conversation } from "@palimpsest/core/formats"
import { anthropic } from "@palimpsest/core/formats/anthropic"
import {
  fromCompaction,
  goOn,
  itemsOfStream,
  newItems,
  openAiResponses,
} from "@palimpsest/core/formats/openai-responses"
import { assert, describe, expect, it } from "vitest"
import {
  call,
  compaction,
  heard,
  hello,
  message,
  output,
  reads,
  reasoning,
  said,
  says,
  search,
} from "./ResponsesWire.ts"

const conversationOf = (input: unknown): Conversation => {
  const read = openAiResponses.decode(input)
  assert(read.ok)
  return read.conversation
}

describe("a stream", () => {
  const item = (sealed: string) => reasoning("rs_1", { encrypted_content: sealed })

  it("takes the items of a stream from where they are done", () => {
    const events = [
      { type: "response.output_item.added", output_index: 0, item: item("b2xk") },
      { type: "response.output_item.done", output_index: 1, item: message("msg_1") },
      { type: "response.output_item.done", output_index: 0, item: item("bmV3") },
      { type: "response.output_item.done", output_index: 2, item: 7 },
      { type: "response.completed" },
      null,
    ]
    expect(itemsOfStream(events)).toEqual([item("bmV3"), message("msg_1")])
  })

  it("sends what is encrypted to nobody else", () => {
    const conversation = conversationOf([hello, item("ZW5j"), message("msg_1")])
    const { request, losses } = anthropic.encode(conversation)
    expect(JSON.stringify(request)).not.toContain("ZW5j")
    expect(losses.map(({ what }) => what)).toContain("reasoning")
    const other = openAiResponses.encode({
      ...conversation,
      items: conversation.items.map(({ message: said }) => ({
        message: said.role === "assistant" ? { ...said, format: "anthropic" } : said,
      })),
    })
    expect(JSON.stringify(other.request)).not.toContain("ZW5j")
  })
})

describe("what the server holds", () => {
  const compacted = [hello, compaction(), hello]
  const held = [hello, said("Hi")]
  const more = { role: "user", content: "And?" }

  it("leaves a compacted window as it is", () => {
    expect(openAiResponses.validate({ input: compacted })).toEqual([])
    expect(openAiResponses.repair(compacted)).toEqual({ request: { input: compacted }, repairs: [] })
    expect(openAiResponses.encode(conversationOf(compacted)).request.input).toEqual(compacted)
    expect(fromCompaction(compacted)).toEqual(compacted)
    expect(newItems({ input: [...compacted, more] }, compacted)).toEqual([more])
  })

  it("refuses to go on from a window that was pruned", () => {
    expect(newItems({ input: compacted.slice(1) }, compacted)).toBeNull()
    expect(newItems({ input: [more, ...compacted] }, compacted)).toBeNull()
    expect(goOn({ input: [hello, more] }, { id: "resp_1", items: held })).toBeNull()
  })

  it("leaves out what a compaction stands for, but no call that is yet to be answered", () => {
    const items = [hello, reasoning("rs_1"), message("msg_1"), call("c1"), compaction(), output("c1"), more]
    expect(fromCompaction(items)).toEqual([hello, call("c1"), compaction(), output("c1"), more])
    expect(openAiResponses.validate(fromCompaction(items))).toEqual([])
    expect(fromCompaction(held)).toEqual(held)
  })

  it("goes on with what is new", () => {
    const next = goOn({ model: "gpt-5.2", input: [...held, more] }, { id: "resp_1", items: held })
    expect(next).toEqual({ model: "gpt-5.2", input: [more], previous_response_id: "resp_1" })
    expect(goOn({ input: [...held, more] }, { id: "resp_1", items: [] })?.input).toHaveLength(3)
  })

  it("does not go on with nothing new", () => {
    expect(goOn({ input: held }, { id: "resp_1", items: held })).toBeNull()
    expect(goOn({ input: "Hello" }, { id: "resp_1", items: [hello] })).toBeNull()
  })

  it("puts outputs for earlier calls first, and leaves out those that no server can ask for", () => {
    const going = { input: [hello, call("c2"), output("c1"), output("a|b")], previous_response_id: "resp_1" }
    const { request, repairs } = openAiResponses.repair(going)
    expect(request.input).toEqual([output("c1"), hello, call("c2"), output("c2", "(no result was recorded)")])
    expect(repairs.map(({ rule }) => rule)).toEqual(expect.arrayContaining(["OR1", "OR2", "OR11"]))
  })
})

describe("repair", () => {
  it("sends what followed left out reasoning without its id, and leaves out what is nothing without one", () => {
    const bare = reasoning("rs_1", { encrypted_content: null })
    const { request } = openAiResponses.repair({
      store: false,
      input: [hello, bare, search, message("msg_1"), call("c1", { id: "fc_1" }), output("c1")],
    })
    const { id: _, ...nameless } = message("msg_1")
    expect(request.input).toEqual([hello, nameless, call("c1"), output("c1")])
  })

  it("takes an id from encrypted reasoning and all that it led to, when the first of it has none", () => {
    const { request } = openAiResponses.repair([hello, reasoning("rs_1"), said("Hi"), message("msg_1")])
    const { id: _, ...sealed } = reasoning("rs_1")
    const { id: __, ...second } = message("msg_1")
    expect(request.input).toEqual([hello, sealed, said("Hi"), second])
  })

  it("turns texts to their side", () => {
    const { request } = openAiResponses.repair([heard([says("Hello")]), said([reads("Hi")])])
    expect(request.input).toEqual([heard([reads("Hello")]), said([says("Hi")])])
  })
})
