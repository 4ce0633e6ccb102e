import type { Message } from "@palimpsest/core"
import { conversation, messagesIn } from "@palimpsest/core/formats"
import { aiSdkUi, uiStepIds } from "@palimpsest/core/formats/ai-sdk-ui"
import { assert, describe, it } from "vitest"
import { decodedUi, lossesOf, readUi, writeUi } from "./AiSdkKit.ts"

const said = (text: string) => ({ type: "text", text }) as const
const start = { type: "step-start" }
const turn = (...parts: ReadonlyArray<object>) => ({ id: "m2", role: "assistant", parts })
const tool = (more: object) => ({ type: "tool-find", toolCallId: "c1", input: { id: 7 }, ...more })
const threadCall = { type: "tool-call", id: "c1", name: "find", arguments: '{"id":7}' } as const
const answer = (more: object) => ({ type: "tool-result", call: "c1", name: "find", ...more })

describe("reading", () => {
  it("takes each step of a turn for a response, with its results after it", () => {
    const parts = [
      start,
      tool({ state: "output-available", output: { at: "home" } }),
      start,
      said("At home."),
    ]
    assert.deepStrictEqual(readUi(turn(...parts)) as ReadonlyArray<object>, [
      { role: "assistant", parts: [threadCall] },
      { role: "tool", parts: [answer({ status: "ok", content: [said('{"at":"home"}')] })] },
      { role: "assistant", parts: [said("At home.")] },
    ])
    assert.deepStrictEqual(uiStepIds([turn(...parts)]), ["m2/0", "m2/0/results", "m2/1"])
  })

  it("takes the system prompt from the front, and a later one for the text of a program", () => {
    const system = { id: "m0", role: "system", parts: [said("Be "), said("brief.")] }
    const { system: text, items } = decodedUi([
      system,
      { id: "m1", role: "user", parts: [said("Hi")] },
      system,
    ])
    assert.strictEqual(text, "Be brief.")
    assert.deepStrictEqual(items.at(-1)?.message, {
      role: "user",
      synthetic: true,
      parts: [said("Be "), said("brief.")],
    })
  })

  it.each<[string, object, ReadonlyArray<object>]>([
    ["output-error", { errorText: "no" }, [answer({ status: "error", content: [said("no")] })]],
    [
      "output-denied",
      { approval: { id: "a1", approved: false, reason: "not now" } },
      [
        { type: "approval", call: "c1", id: "a1", approved: false, reason: "not now" },
        answer({ status: "denied", content: [said("not now")] }),
      ],
    ],
    [
      "approval-responded",
      { approval: { id: "a1", approved: true } },
      [{ type: "approval", call: "c1", id: "a1", approved: true }],
    ],
    [
      "output-available",
      { output: "here", preliminary: true },
      [answer({ status: "ok", content: [said("here")] })],
    ],
  ])("knows a call in the state %s", (state, more, expected) => {
    const [, results] = readUi(turn(tool({ state, ...more })))
    assert.deepStrictEqual(results?.parts as ReadonlyArray<object>, expected)
  })

  it("takes a call about which a person is asked for one that waits", () => {
    const [response, ...others] = readUi(turn(tool({ state: "approval-requested", approval: { id: "a1" } })))
    assert.deepStrictEqual(response?.parts[0], { ...threadCall, pending: true })
    assert.deepStrictEqual(others, [])
  })

  it("keeps sources, data, calls still being written and those of the provider as they are", () => {
    const parts = [
      start,
      { type: "source-url", sourceId: "s1", url: "https://example.org" },
      { type: "data-city", id: "d1", data: { name: "Kyiv" } },
      tool({ state: "input-streaming", input: undefined }),
      tool({ state: "output-available", output: [1], providerExecuted: true, toolCallId: "w1" }),
      { type: "something-new" },
      { type: "text", text: "So.", state: "done" },
    ]
    const messages = [turn(...parts)]
    const { items } = decodedUi(messages)
    assert.deepStrictEqual(
      items[0]?.message.parts.map(({ type }) => type),
      ["opaque", "opaque", "opaque", "opaque", "opaque", "text"],
    )
    const again = aiSdkUi.encode(JSON.parse(JSON.stringify({ system: null, items }))).request
    assert.deepStrictEqual(again as object, { messages: JSON.parse(JSON.stringify(messages)) })
  })

  it("does not swap the metadata of a call and of its result", () => {
    const metadata = {
      callProviderMetadata: { google: { thoughtSignature: "of the call" } },
      resultProviderMetadata: { google: { thoughtSignature: "of the result" } },
    }
    const [response] = readUi(turn(tool({ state: "output-available", output: 1, ...metadata })))
    assert.deepStrictEqual(response, {
      role: "assistant",
      format: "gemini",
      parts: [{ ...threadCall, signature: "of the call" }],
    })
    const stored = [turn(start, tool({ state: "output-available", output: "here", ...metadata }))]
    assert.deepStrictEqual(aiSdkUi.validate(stored), [])
    assert.deepStrictEqual(aiSdkUi.encode(decodedUi(stored)).request as object, { messages: stored })
  })

  it.each<[string, unknown, string]>([
    ["no parts", [{ id: "m1", role: "user", content: "Hi" }], "[0]"],
    ["a role of its own", { messages: [{ id: "m1", role: "tool", parts: [] }] }, "messages[0]"],
    ["a file without an address", [turn({ type: "file", mediaType: "image/png" })], "[0]"],
    ["a call without an id", [turn({ type: "tool-find", state: "input-available" })], "[0]"],
  ])("says where the fault is: %s", (_, input, path) => {
    const found = aiSdkUi.decode(input)
    assert(!found.ok)
    assert(found.path.startsWith(path), found.path)
    assert.notStrictEqual(found.reason, "")
  })
})

describe("writing", () => {
  it("makes one message of the responses of a turn", () => {
    const thread: ReadonlyArray<Message> = [
      { role: "user", parts: [said("Where?")] },
      { role: "assistant", parts: [said("Let me look."), threadCall] },
      { role: "tool", parts: [{ type: "tool-result", call: "c1", status: "ok", content: [said("here")] }] },
      { role: "assistant", parts: [said("Here.")] },
    ]
    assert.deepStrictEqual(writeUi(...thread) as ReadonlyArray<object>, [
      [said("Where?")],
      [
        start,
        said("Let me look."),
        tool({ state: "output-available", output: "here" }),
        start,
        said("Here."),
      ],
    ])
  })

  it("gives a denied call a question of its own, where none was asked", () => {
    const denied = (id: string): Message["parts"][number] => ({
      type: "tool-result",
      call: id,
      status: "denied",
      content: [],
    })
    const [, parts] = writeUi(
      { role: "user", parts: [said("Hi")] },
      { role: "assistant", parts: [threadCall, { ...threadCall, id: "c2" }] },
      { role: "tool", parts: [denied("c1"), denied("c2")] } as Message,
    )
    assert.deepStrictEqual(
      parts?.slice(1).map(({ approval }) => approval),
      [
        { id: "approval-of-c1", approved: false },
        { id: "approval-of-c2", approved: false },
      ],
    )
  })

  it("says what it drops and what it changes", () => {
    const { request, losses } = aiSdkUi.encode(
      conversation([
        { role: "user", parts: [said("Hi"), { type: "media", mediaType: "image/png", data: "blob:1" }] },
        {
          role: "assistant",
          format: "langchain",
          parts: [{ type: "reasoning", text: "Hm.", signature: "s" }, threadCall],
        },
        {
          role: "tool",
          parts: [
            {
              type: "tool-result",
              call: "c1",
              status: "ok",
              content: [said("See:"), { type: "media", mediaType: "image/png", data: "aGVs" }],
            },
            { type: "tool-result", call: "c2", status: "ok", content: [said("late")] },
          ],
        },
      ]),
    )
    assert.deepStrictEqual(lossesOf(losses), [
      "changed image/png",
      "dropped a part for the call c2",
      "dropped reasoning",
      "changed image/png",
    ])
    assert.include(JSON.stringify(request), "See:\\n[image/png: it cannot be sent in a result here]")
  })

  it("lists results that come after no response, each loss at its message", () => {
    const picture = { type: "media", mediaType: "image/png", data: "aGVs" } as const
    const result = (...content: ReadonlyArray<typeof picture>): Message => ({
      role: "tool",
      parts: [{ type: "tool-result", call: "c1", status: "ok", content }],
    })
    const asked: Message = { role: "user", parts: [said("Hi")] }
    const called: Message = { role: "assistant", parts: [threadCall] }
    const { losses } = aiSdkUi.encode(
      conversation([asked, result(), called, result(picture), asked, result()]),
    )
    assert.deepStrictEqual(
      losses.map(({ kind, message }) => [kind, message]),
      [
        ["dropped", 1],
        ["changed", 3],
        ["dropped", 5],
      ],
    )
  })
})

describe("repairing", () => {
  it("leaves ids and metadata of a message as they were", () => {
    const open = { ...turn(start, tool({ state: "input-available" })), metadata: { cost: 1 } }
    const { request, repairs } = aiSdkUi.repair([{ id: "m1", role: "user", parts: [said("Hi")] }, open])
    assert.deepStrictEqual(
      repairs.map(({ rule, path }) => [rule, path]),
      [["VA1", "messages[1]"]],
    )
    assert.deepStrictEqual(request.messages[1] as object, {
      ...open,
      parts: [start, tool({ state: "output-error", errorText: "(no result was recorded)" })],
    })
  })

  it("keeps what a message says when another one is shortened", () => {
    const stored = [
      { id: "m1", role: "user", metadata: { at: 1 }, parts: [said("Hi")] },
      turn(start, said("A long answer.")),
    ]
    const [first, second] = messagesIn(decodedUi(stored))
    assert(first !== undefined && second?.role === "assistant")
    const { items } = decodedUi(stored)
    const shorter = items.map((item, i) => (i === 1 ? { message: { ...second, parts: [said("A.")] } } : item))
    const { request } = aiSdkUi.encode({ system: null, items: shorter })
    assert.deepStrictEqual(request.messages[0] as object, stored[0])
    assert.deepStrictEqual(request.messages[1]?.parts as ReadonlyArray<object>, [start, said("A.")])
  })
})
