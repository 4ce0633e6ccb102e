import { readdirSync, readFileSync } from "node:fs"
import { assistant, user } from "@palimpsest/core"
import * as core from "@palimpsest/core/formats"
import { effectPrompt } from "@palimpsest/core/formats/effect-prompt"
import { describe, expect, it } from "vitest"
import { call, hello, part, read, result, said, stored, write } from "./EffectKit.ts"

describe("what needs no other form than its messages", () => {
  it.each<[string, ReadonlyArray<object>]>([
    ["texts", [said("system", "Be brief."), said("user", "Hello"), said("assistant", "Hi")]],
    [
      "files",
      [
        said("user", [
          part("text", { text: "Look" }),
          part("file", { mediaType: "image/png", fileName: "a.png", data: new Uint8Array([1, 2, 3]) }),
          part("file", { mediaType: "image/png", data: new URL("https://example.org/a.png") }),
        ]),
      ],
    ],
    [
      "calls and results",
      [
        said("assistant", [part("text", { text: "I look" }), call("a", { params: { id: 7 } }), call("b")]),
        said("tool", [result("a", { found: true }), result("b", "gone", { isFailure: true })]),
        said("assistant", [call("c", { params: [1] })]),
        said("tool", [result("c", ["x"])]),
        said("assistant", [call("d")]),
        said("tool", [result("d", { type: "execution-denied", reason: "too dear" }, { isFailure: true })]),
      ],
    ],
    [
      "signed reasoning",
      [
        said("assistant", [
          part(
            "reasoning",
            { text: "Hm." },
            { anthropic: { info: { type: "thinking", signature: "c2ln" } } },
          ),
          part(
            "reasoning",
            { text: "" },
            { anthropic: { info: { type: "redacted_thinking", redactedData: "cmVk" } } },
          ),
          part("text", { text: "Hi" }),
        ]),
        said("assistant", [
          part("reasoning", { text: "Hm." }, { openai: { itemId: "rs_1", encryptedContent: "ZW5j" } }),
          part("text", { text: "Hi" }),
        ]),
        said("assistant", [part("reasoning", { text: "Hm." }), part("text", { text: "Hi" })]),
      ],
    ],
    [
      "what the provider ran",
      [
        said("assistant", [
          part("tool-call", { id: "s", name: "web_search", params: { q: "a" }, providerExecuted: true }),
          part("tool-result", {
            id: "s",
            name: "web_search",
            isFailure: false,
            result: [],
            providerExecuted: true,
          }),
          part("text", { text: "Found" }),
        ]),
      ],
    ],
    [
      "approvals",
      [
        said("assistant", [call("a"), part("tool-approval-request", { approvalId: "q", toolCallId: "a" })]),
        said("tool", [
          part("tool-approval-response", { approvalId: "q", approved: false, reason: "too dear" }),
        ]),
      ],
    ],
  ])("%s", (_, content) => {
    const conversation = read({ content })
    expect(conversation.items.filter(({ raw }) => raw !== undefined)).toEqual([])
    expect(effectPrompt.encode(conversation)).toEqual({ request: { content }, losses: [], ids: new Map() })
    expect(effectPrompt.encode(stored(conversation)).request).toEqual({ content })
  })
})

describe("what is kept in the form in which it came", () => {
  it.each<[string, ReadonlyArray<object>]>([
    [
      "messages as people write them",
      [
        { role: "user", content: [{ type: "text", text: "Hello" }] },
        { role: "assistant", content: [{ type: "tool-call", id: "a", name: "find", params: {} }] },
        {
          role: "tool",
          content: [{ type: "tool-result", id: "a", name: "find", isFailure: false, result: 7 }],
        },
      ],
    ],
    [
      "options of any provider",
      [
        said("user", [part("text", { text: "a" }, { anthropic: { cacheControl: { type: "ephemeral" } } })]),
        { ...said("assistant", "b"), options: { other: null } },
      ],
    ],
    [
      "parts of several providers",
      [
        said("assistant", [
          part("reasoning", { text: "a" }, { anthropic: { info: { type: "thinking", signature: "c2ln" } } }),
          part("reasoning", { text: "b" }, { openai: { itemId: "rs_1", encryptedContent: "ZW5j" } }),
        ]),
      ],
    ],
    [
      "unknown fields and parts",
      [
        { ...said("user", [{ type: "hologram", data: {} }]), extra: 1 },
        said("tool", [{ type: "hologram", data: {} }]),
      ],
    ],
    [
      "several steps in one message",
      [
        said("assistant", [
          call("a"),
          result("a", "1"),
          call("b"),
          result("b", "2"),
          part("text", { text: "Done" }),
        ]),
      ],
    ],
    [
      "results that look tagged",
      [
        said("assistant", [call("a")]),
        said("tool", [result("a", { $bytes: "aGVs" })]),
        said("assistant", [call("b")]),
        said("tool", [result("b", { $value: { $undefined: true } })]),
      ],
    ],
  ])("%s", (_, content) => {
    const { request, losses } = effectPrompt.encode(stored(read(content)))
    expect(JSON.stringify(request.content)).toBe(JSON.stringify(content))
    expect(losses).toEqual([])
  })

  it("EF1: an id and a time of a message come back as they came", () => {
    const message = { ...hello, id: "m1", createdAt: "2026-12-02T00:00:00Z" }
    expect(effectPrompt.encode(stored(read([message]))).request.content).toEqual([message])
  })

  it("EF1: none is written", () => {
    const keys = write(user("a"), assistant("b")).flatMap((message) => Object.keys(message))
    expect([...new Set(keys)]).toEqual(["options", "role", "content"])
  })

  it("EF2: data of files comes back as it was", () => {
    const data = [
      "aGVs",
      new Uint8Array([1, 2, 3]),
      new URL("https://example.org/a.png"),
      "https://example.org/a.png",
    ]
    const content = [
      said(
        "user",
        data.map((one) => part("file", { mediaType: "image/png", data: one })),
      ),
    ]
    const { request } = effectPrompt.encode(stored(read(content)))
    expect(request.content).toEqual(content)
    const parts = request.content[0]?.content
    expect(Array.isArray(parts) && parts[1]?.data).toBeInstanceOf(Uint8Array)
    expect(Array.isArray(parts) && parts[2]?.data).toBeInstanceOf(URL)
    expect(effectPrompt.repair({ content }).request).toEqual({ content })
  })

  it("EF2: data that is none of them is refused", () => {
    for (const data of [7, null, {}, { $bytes: "aGVs" }, { $url: "https://example.org" }, [1]])
      expect(effectPrompt.decode([said("user", [part("file", { mediaType: "a/b", data })])])).toMatchObject({
        ok: false,
        path: expect.stringMatching(/^\[0\]\.content/),
      })
  })

  it("a result that is undefined stays one", () => {
    const content = [said("assistant", [call("a")]), said("tool", [result("a", undefined)])]
    const { request } = effectPrompt.encode(stored(read({ content })))
    const parts = request.content[1]?.content
    expect(Array.isArray(parts) && parts[0] !== undefined && "result" in parts[0]).toBe(true)
    expect(request).toEqual({ content })
  })
})

describe("EF7", () => {
  const folder = new URL("../../packages/core/src/formats/effect-prompt/", import.meta.url)
  /** Without comments: an example may show the module. */
  const codeOf = (name: string): string =>
    readFileSync(new URL(name, folder), "utf8").replace(/\/\*\*[\s\S]*?\*\//g, "")
  const sources = readdirSync(folder).map(codeOf)
  const isUnstable = (source: string): boolean => /from\s+"effect\/(?:unstable\/)?ai/.test(source)

  it("EF7: the format has an entry point of its own", () => {
    expect(sources.length).toBeGreaterThan(5)
    expect(Object.keys(core)).not.toContain("effectPrompt")
  })

  it("EF7: no source imports the unstable module", () => {
    expect(sources.filter(isUnstable)).toEqual([])
    expect(isUnstable('import * as Prompt from "effect/ai/Prompt"')).toBe(true)
  })
})
