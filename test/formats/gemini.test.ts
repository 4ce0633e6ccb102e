import { anthropic } from "@palimpsest/core/formats/anthropic"
import { gemini, geminiFor } from "@palimpsest/core/formats/gemini"
import { assert, describe, expect, it } from "vitest"
import { kept, model, read, response, results, SENTINEL, said } from "./GeminiKit.ts"

describe("what needs no other form than its messages", () => {
  const signed = { functionCall: { name: "find", args: { id: 7 } }, thoughtSignature: "c2ln" }
  it.each<[string, ReadonlyArray<object>]>([
    ["texts", [said("Where is it?"), model({ text: "Here" })]],
    [
      "images and files",
      [
        results(
          { text: "Look" },
          { inlineData: { mimeType: "image/png", data: "iVBORw0KGgo=" } },
          { fileData: { mimeType: "video/mp4", fileUri: "gs://bucket/a.mp4" } },
        ),
      ],
    ],
    [
      "signed calls without ids and their results",
      [
        said("Where?"),
        model({ text: "I look", thought: true }, signed, { functionCall: { name: "read", args: {} } }),
        results(response("find", { output: "lost" }), response("read", { error: "no such file" })),
      ],
    ],
    [
      "calls with ids",
      [
        said("Where?"),
        model({ functionCall: { id: "a", name: "find", args: {} }, thoughtSignature: "c2ln" }),
        results({ functionResponse: { id: "a", name: "find", response: { output: "here" } } }),
      ],
    ],
    [
      "results that are objects",
      [
        said("Where?"),
        model(signed),
        results(response("find", { temperature: 20, where: ["a"] })),
        model(signed),
        results(response("find", { error: { code: 5 }, output: "x" })),
        model(signed),
        results(response("find", {})),
      ],
    ],
    [
      "images in a result",
      [
        said("Where?"),
        model(signed),
        results(
          response(
            "find",
            { output: "seen" },
            { parts: [{ inlineData: { mimeType: "image/png", data: "aGVs" } }] },
          ),
        ),
      ],
    ],
    [
      "code that the provider ran",
      [
        said("1+1?"),
        model({ executableCode: { code: "1+1" } }, { codeExecutionResult: { output: "2" } }, { text: "2" }),
      ],
    ],
  ])("%s", (_, contents) => {
    const conversation = read(contents)
    expect(kept(conversation)).toEqual([])
    expect(gemini.encode(conversation)).toEqual({ request: { contents }, losses: [], ids: new Map() })
  })
})

describe("what is kept in the form in which it came", () => {
  it.each<[string, unknown]>([
    ["a signature on a text", [said("Hi"), model({ text: "Hello", thoughtSignature: "c2ln" })]],
    [
      "other spellings",
      [
        { role: "user", parts: [{ inline_data: { mime_type: "image/png", data: "aGVs" } }] },
        model({ function_call: { name: "find", args: {} }, thought_signature: "c2ln" }),
        results({ function_response: { name: "find", response: { result: "here" } } }),
      ],
    ],
    [
      "unknown fields, nulls and parts",
      [{ role: "user", parts: [{ text: "a", thought: null }, { somethingNew: {} }], id: "m1" }],
    ],
    ["pieces of a stream", [said("Hi"), model({ text: "Hel" }), model({ text: "lo" }), said("Ho")]],
    ["a system prompt that is a text", { systemInstruction: "Be brief.", contents: [said("Hi")] }],
    [
      "a system prompt in snake case",
      {
        model: "gemini-3",
        system_instruction: { parts: [{ text: "Be" }, { text: "brief." }] },
        contents: [said("Hi")],
      },
    ],
    [
      "a system prompt with an image",
      {
        systemInstruction: { parts: [{ text: "Be" }, { fileData: { fileUri: "gs://a" } }] },
        contents: [said("Hi")],
      },
    ],
    [
      "a system prompt among the contents",
      { contents: [{ role: "system", parts: [{ text: "Be" }] }, said("Hi")] },
    ],
  ])("%s", (_, input) => {
    const request = Array.isArray(input) ? { contents: input } : input
    const { request: written, losses } = gemini.encode(read(input))
    expect(JSON.stringify(written)).toBe(JSON.stringify(request))
    expect(losses).toEqual([])
  })

  it("the text of a system prompt is read in each of them", () => {
    const instruction = { parts: [{ text: "Be" }, { text: "brief." }] }
    expect(read({ systemInstruction: "Be brief.", contents: [] }).system).toBe("Be brief.")
    expect(read({ systemInstruction: instruction, contents: [] }).system).toBe("Be\nbrief.")
    expect(read({ system_instruction: instruction, contents: [] }).system).toBe("Be\nbrief.")
    expect(read([{ role: "system", ...instruction }]).system).toBe("Be\nbrief.")
  })

  it("a system prompt in snake case stays in its field when it changes", () => {
    const conversation = read({ system_instruction: "Be brief.", contents: [said("Hi")] })
    const { request } = gemini.encode({ ...conversation, system: "Be kind." })
    expect(request).toEqual({ system_instruction: { parts: [{ text: "Be kind." }] }, contents: [said("Hi")] })
  })
})

describe("between providers", () => {
  it("an Anthropic request becomes one of Gemini, and the other way", () => {
    const messages = [
      { role: "user", content: "Where?" },
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "Let me see.", signature: "c2ln" },
          { type: "tool_use", id: "toolu_1", name: "find", input: { id: 7 } },
        ],
      },
      {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: "toolu_1", content: "gone", is_error: true }],
      },
    ]
    const decoded = anthropic.decode({ system: "Be brief.", messages })
    assert(decoded.ok)
    const { request, losses } = gemini.encode(decoded.conversation)
    expect(request).toEqual({
      systemInstruction: { parts: [{ text: "Be brief." }] },
      contents: [
        said("Where?"),
        model({ functionCall: { id: "toolu_1", name: "find", args: { id: 7 } }, thoughtSignature: SENTINEL }),
        results({ functionResponse: { id: "toolu_1", name: "find", response: { error: "gone" } } }),
      ],
    })
    expect(losses.map(({ what }) => what)).toContain("reasoning")
    expect(gemini.validate(request)).toEqual([])
    const back = anthropic.encode(read(request)).request
    expect(back.system).toBe("Be brief.")
    expect(back.messages[1]?.content).toEqual([
      { type: "tool_use", id: "toolu_1", name: "find", input: { id: 7 } },
    ])
    expect(anthropic.validate(back)).toEqual([])
  })

  it("ids that were derived are ids that other providers take", () => {
    const contents = [
      said("a"),
      model({ functionCall: { name: "find", args: {} }, thoughtSignature: "c2ln" }),
      results(response("find", { output: "b" })),
    ]
    const { request, losses, ids } = anthropic.encode(read(contents))
    expect(anthropic.validate(request)).toEqual([])
    expect(ids.size).toBe(0)
    expect(losses.map(({ what }) => what)).toEqual([expect.stringContaining("signature")])
  })
})

describe("repair", () => {
  const repaired = (...contents: ReadonlyArray<object>) => gemini.repair(contents).request.contents

  it("puts results beside their calls, and closes calls that have none", () => {
    const call = (name: string) => ({ functionCall: { name, args: {} }, thoughtSignature: "c2ln" })
    expect(
      repaired(
        said("a"),
        model(call("find"), call("read")),
        said("Well?"),
        results(response("read", { output: "b" })),
      ),
    ).toEqual([
      said("a"),
      model(call("find"), call("read")),
      results(response("find", { error: "(no result was recorded)" }), response("read", { output: "b" }), {
        text: "Well?",
      }),
    ])
  })

  it("keeps all that was said when it moves a system prompt", () => {
    const { request } = gemini.repair({
      system_instruction: "Be brief.",
      contents: [{ role: "system", parts: [{ text: "And kind." }] }, said("Hi")],
    })
    expect(request).toEqual({
      system_instruction: { parts: [{ text: "Be brief." }, { text: "And kind." }] },
      contents: [said("Hi")],
    })
  })

  it("keeps fields that the host says are newer", () => {
    const contents = [{ role: "user", parts: [{ hologram: { a: 1 } }] }]
    expect(gemini.validate(contents).map(({ rule }) => rule)).toContain("GE9")
    expect(geminiFor({ fields: ["hologram"] }).validate(contents)).toEqual([])
  })
})
