import type { Message } from "@palimpsest/core"
import { conversation, messagesIn } from "@palimpsest/core/formats"
import { aiSdk } from "@palimpsest/core/formats/ai-sdk"
import { assert, describe, it } from "vitest"
import { decoded, lossesOf, read, throughStore, write } from "./AiSdkKit.ts"

const user = (...content: ReadonlyArray<object>) => ({ role: "user", content })
const assistant = (...content: ReadonlyArray<object>) => ({ role: "assistant", content })
const tool = (...content: ReadonlyArray<object>) => ({ role: "tool", content })
const said = (text: string) => ({ type: "text", text }) as const
const call = { type: "tool-call", toolCallId: "c1", toolName: "find", input: { id: 7 } }
const request = { type: "tool-approval-request", approvalId: "a1", toolCallId: "c1" }
const resultOf = (output: object) => ({ type: "tool-result", toolCallId: "c1", toolName: "find", output })
const threadCall = { type: "tool-call", id: "c1", name: "find", arguments: '{"id":7}' } as const

describe("reading", () => {
  it("takes a text for a list of one text", () => {
    const parts = [said("Hi")]
    assert.deepStrictEqual(read({ role: "user", content: "Hi" }), [{ role: "user", parts }])
    assert.deepStrictEqual(read({ role: "assistant", content: "Hi" }), [{ role: "assistant", parts }])
  })

  it("finds the system prompt in its field, in a message, and in several", () => {
    const hello = user(said("Hi"))
    for (const system of ["Be brief.", { role: "system", content: "Be brief." }])
      assert.strictEqual(decoded({ system, messages: [hello] }).system, "Be brief.")
    assert.strictEqual(decoded([{ role: "system", content: "Be brief." }, hello]).system, "Be brief.")
    const two = ["Be", "brief."].map((content) => ({ role: "system", content }))
    assert.strictEqual(decoded({ system: two, messages: [hello] }).system, "Be\nbrief.")
  })

  it("takes files for media, whichever way their data is given", () => {
    const openai = { providerOptions: { openai: { imageDetail: "low" } } }
    const [message] = read(
      user(
        { type: "file", mediaType: "application/pdf", data: "aGVs", filename: "a.pdf" },
        { type: "image", image: new URL("https://example.org/a.png"), ...openai },
        { type: "file", mediaType: "image/png", data: new Uint8Array([1, 2, 3]) },
      ),
    )
    assert.deepStrictEqual(message?.parts, [
      { type: "media", mediaType: "application/pdf", data: "aGVs", name: "a.pdf" },
      { type: "media", mediaType: "image/*", data: "https://example.org/a.png", detail: "low" },
      { type: "media", mediaType: "image/png", data: "AQID" },
    ])
  })

  it.each<[string, object, object]>([
    ["text", { type: "text", value: "here" }, { status: "ok", content: [said("here")] }],
    ["json", { type: "json", value: { at: "home" } }, { status: "ok", content: [said('{"at":"home"}')] }],
    ["error-text", { type: "error-text", value: "no" }, { status: "error", content: [said("no")] }],
    ["error-json", { type: "error-json", value: [404] }, { status: "error", content: [said("[404]")] }],
    [
      "execution-denied",
      { type: "execution-denied", reason: "not now" },
      { status: "denied", content: [said("not now")] },
    ],
    [
      "content",
      {
        type: "content",
        value: [
          said("a"),
          { type: "image-data", data: "aGVs", mediaType: "image/png" },
          { type: "file-url", url: "https://example.org/a.pdf", mediaType: "application/pdf" },
        ],
      },
      {
        status: "ok",
        content: [
          said("a"),
          { type: "media", mediaType: "image/png", data: "aGVs" },
          { type: "media", mediaType: "application/pdf", data: "https://example.org/a.pdf" },
        ],
      },
    ],
  ])("knows an output of the type %s", (_, output, expected) => {
    const [, , message] = read(user(said("Hi")), assistant(call), tool(resultOf(output)))
    assert.deepStrictEqual(message?.parts as ReadonlyArray<object>, [
      { type: "tool-result", call: "c1", name: "find", ...expected },
    ])
  })

  it("tells a call about which a person is asked, and what the person said", () => {
    const answer = { type: "tool-approval-response", approvalId: "a1", approved: false, reason: "no" }
    const [response, decision] = read(assistant(call, request), tool(answer))
    assert.deepStrictEqual(response?.parts[0], { ...threadCall, pending: true })
    assert.deepStrictEqual(decision?.parts, [
      { type: "approval", call: "c1", id: "a1", approved: false, reason: "no" },
    ])
  })

  it("keeps calls of the provider and what it does not know as they are, and sends them again", () => {
    const messages = [
      user(said("Hi")),
      assistant(
        { ...call, providerExecuted: true },
        resultOf({ type: "json", value: [] }),
        { type: "custom", kind: "new" },
        said("Here."),
      ),
    ]
    const { items } = decoded(messages)
    assert.deepStrictEqual(
      items[1]?.message.parts.map(({ type }) => type),
      ["opaque", "opaque", "opaque", "text"],
    )
    assert.deepStrictEqual(aiSdk.encode({ system: null, items }).request as object, { messages })
  })

  it.each<[string, object, string | undefined, object]>([
    ["Claude's", { anthropic: { signature: "s" } }, "anthropic", { signature: "s" }],
    [
      "Claude's, withheld",
      { anthropic: { redactedData: "r" } },
      "anthropic",
      { signature: "r", redacted: true },
    ],
    [
      "OpenAI's",
      { openai: { itemId: "rs_1", reasoningEncryptedContent: "e" } },
      "openai-responses",
      { signature: "e", id: "rs_1" },
    ],
    ["OpenAI's, stored there", { openai: { itemId: "rs_1" } }, undefined, { id: "rs_1" }],
    ["Gemini's", { google: { thoughtSignature: "s" } }, "gemini", { signature: "s" }],
    ["Gemini's on Vertex", { vertex: { thoughtSignature: "s" } }, "gemini", { signature: "s" }],
    ["another's", { xai: { id: "r" } }, "ai-sdk", { signature: '{"xai":{"id":"r"}}' }],
  ])("knows reasoning that is %s", (_, providerOptions, format, signed) => {
    const [message] = read(assistant({ type: "reasoning", text: "Hm.", providerOptions }, said("Hi")))
    assert(message?.role === "assistant")
    assert.strictEqual(message.format, format)
    assert.deepStrictEqual(message.parts[0], { type: "reasoning", text: "Hm.", ...signed })
  })

  it.each<[string, unknown, string]>([
    ["no list", { messages: "Hi" }, ""],
    ["no role", [{ content: "Hi" }], "[0]"],
    ["a text that is none", [{ role: "user", content: [{ type: "text", text: 7 }] }], "[0]"],
    ["a result without an output", { messages: [tool({ ...resultOf({}), output: 7 })] }, "messages[0]"],
    ["a call without an id", [assistant({ type: "tool-call", toolName: "find" })], "[0]"],
    ["options that are no objects", [{ ...user(said("Hi")), providerOptions: { openai: 7 } }], "[0]"],
  ])("says where the fault is: %s", (_, input, path) => {
    const found = aiSdk.decode(input)
    assert(!found.ok)
    assert(found.path.startsWith(path), found.path)
    assert.notStrictEqual(found.reason, "")
  })
})

describe("writing", () => {
  it("puts all results of a response into one tool message, under the names of their calls", () => {
    const two = [threadCall, { ...threadCall, id: "c2", name: "look" }]
    const answer = (id: string, text: string): Message => ({
      role: "tool",
      parts: [
        { type: "tool-result", call: id, name: "other", status: "ok", content: [{ type: "text", text }] },
      ],
    })
    const [, results] = write(
      { role: "assistant", parts: two },
      answer("c1", "here"),
      answer("c2", '{"n":1}'),
    )
    assert.deepStrictEqual(results, {
      role: "tool",
      content: [
        { ...resultOf({ type: "text", value: "here" }) },
        {
          type: "tool-result",
          toolCallId: "c2",
          toolName: "look",
          output: { type: "json", value: { n: 1 } },
        },
      ],
    })
  })

  it("gives a text as JSON only where the provider gets the same bytes", () => {
    const outputs = ['{"n":1}', '{"n": 1}', "7", '{"n":9007199254740993}'].map((text) => {
      const [message] = write({
        role: "tool",
        parts: [{ type: "tool-result", call: "c1", status: "error", content: [{ type: "text", text }] }],
      })
      return JSON.stringify(message).match(/"output":(.*)}]}$/)?.[1]
    })
    assert.deepStrictEqual(outputs, [
      '{"type":"error-json","value":{"n":1}}',
      '{"type":"error-text","value":"{\\"n\\": 1}"}',
      '{"type":"error-text","value":"7"}',
      '{"type":"error-text","value":"{\\"n\\":9007199254740993}"}',
    ])
  })

  it("keeps a call open about which a person has just decided, and closes the others", () => {
    const answer = { type: "tool-approval-response", approvalId: "a1", approved: true }
    const open = [user(said("Hi")), assistant(call, request), tool(answer)]
    assert.deepStrictEqual(aiSdk.validate(open), [])
    const thread = messagesIn(decoded(open))
    assert.deepStrictEqual(write(...thread), open)
    const later = aiSdk.repair({ messages: [...open, user(said("And?"))] })
    assert.include(JSON.stringify(later.request), "(no result was recorded)")
    assert.deepStrictEqual(
      later.repairs.map(({ rule }) => rule),
      ["VA1"],
    )
  })

  it("says what it drops and what it changes", () => {
    const { losses } = aiSdk.encode(
      conversation([
        { role: "user", name: "Ann", parts: [{ type: "media", mediaType: "image/png", data: "" }] },
        {
          role: "assistant",
          format: "anthropic",
          parts: [
            { type: "tool-call", id: "c1", name: "find", arguments: "[]", kind: "custom", signature: "s" },
            { type: "opaque", format: "anthropic", json: '{"type":"server_tool_use"}' },
          ],
        },
      ]),
    )
    assert.deepStrictEqual(lossesOf(losses), [
      "dropped the name of a speaker",
      "changed image/png",
      "changed the arguments of the call c1",
      "dropped the kind of the call c1",
      "dropped the signature of the call c1",
      "dropped a part of anthropic",
    ])
  })
})

describe("options of providers", () => {
  const cached = { providerOptions: { anthropic: { cacheControl: { type: "ephemeral" } } } }
  const odd = { providerOptions: { acme: { big: 1e300, nothing: null, deep: { list: [{ "": [] }] } } } }

  it("gives options back at each of their places", () => {
    const messages = [
      { ...user({ ...said("Hi"), ...odd }), ...cached },
      { ...assistant({ ...said("Let me look."), ...cached }, { ...call, ...odd }), ...odd },
      { ...tool({ ...resultOf({ type: "text", value: "here", ...cached }), ...odd }), ...cached },
    ]
    const request = { system: { role: "system", content: "Be brief.", ...cached }, messages }
    assert.deepStrictEqual(aiSdk.validate(request), [])
    assert.deepStrictEqual(throughStore(request) as object, request)
  })

  it("gives the options of a signature back when other parts of the response were changed", () => {
    const thought = { type: "reasoning", text: "Hm.", providerOptions: { anthropic: { signature: "s" } } }
    const [message] = read(assistant(thought, said("A long answer.")))
    assert(message?.role === "assistant")
    const shorter = message.parts.map((part) => (part.type === "text" ? { ...part, text: "A." } : part))
    assert.deepStrictEqual(write({ ...message, parts: shorter }), [assistant(thought, said("A."))])
  })

  it("sends no signature in the name of another provider", () => {
    const signed = { type: "reasoning", text: "Hm.", signature: "s" } as const
    const parts = [signed, { ...threadCall, signature: "t" }]
    const optionsBy = (format: string) => {
      const { request, losses } = aiSdk.encode(conversation([{ role: "assistant", format, parts }]))
      return { options: JSON.stringify(request).match(/"providerOptions":.*?}}/g), losses: lossesOf(losses) }
    }
    assert.deepStrictEqual(optionsBy("gemini"), {
      options: [
        '"providerOptions":{"google":{"thoughtSignature":"s"}}',
        '"providerOptions":{"google":{"thoughtSignature":"t"}}',
      ],
      losses: [],
    })
    assert.deepStrictEqual(optionsBy("anthropic"), {
      options: ['"providerOptions":{"anthropic":{"signature":"s"}}'],
      losses: ["dropped the signature of the call c1"],
    })
    assert.deepStrictEqual(optionsBy("langchain"), {
      options: null,
      losses: ["dropped reasoning", "dropped the signature of the call c1"],
    })
  })
})
