/** The recall tool in a step: what it answers, what it does not give, and what it says when something fails. */
import {
  assistant,
  defaultStubs,
  documentsOf,
  isMemoryResult,
  memoryResultsIn,
  RECALL_NOTE,
  recallDeclaration,
  recallRequest,
  recallTool,
  spellingsOf,
  stub,
  toolResult,
} from "@palimpsest/core"
import { StoreError, ThreadStore } from "@palimpsest/core/engine"
import { makeMemoryState } from "@palimpsest/core/testing"
import { Effect, Layer } from "effect"
import { assert, describe, it } from "vitest"
import { answer, answers, SECRET } from "./ToolKit.ts"

describe("a row that is recalled", () => {
  it("is given in full, with who said it and when, as data", async () => {
    const { text, isError } = await answer('{"ids":["m2"],"query":"","page":""}')
    assert.isFalse(isError)
    assert.strictEqual(
      text,
      [
        "<memory-context>",
        RECALL_NOTE,
        'row "m2", assistant, 2026-10-05, characters 0 to 42 of 42:',
        "Let me look.\n[call of find]\n" + '{"order":4417}',
        "</memory-context>",
      ].join("\n"),
    )
  })

  it("is given as it stands in the prompt, with fences in it escaped", async () => {
    const { text } = await answer({ ids: "m1" })
    assert.include(text, SECRET)
    assert.include(text, "<\\memory-context>")
  })

  it("passes the host's filter, and a text on which that fails stays", async () => {
    const outbound = (text: string) => text.replaceAll("tea", "[drink]")
    assert.include((await answer({ ids: ["m1"] }, { options: { outbound } })).text, "I take [drink].")
    const refusing = (text: string) => {
      if (text.includes("tea")) throw new TypeError("no")
      return text
    }
    const { text } = await answer({ ids: ["m1"] }, { options: { outbound: refusing } })
    assert.include(text, "[withheld: the outbound filter failed on this text]")
    assert.notInclude(text, "tea")
  })

  it("of another chat is found by its address, and redacted", async () => {
    const { text } = await answer({ ids: ["chat:8/m1"] })
    assert.include(text, 'row "chat:8/m1", user')
    assert.include(text, "My key is [secret], and I take tea.")
    const broken = () => {
      throw new TypeError("no")
    }
    assert.notInclude((await answer({ ids: ["chat:8/m1"] }, { redact: broken })).text, "tea")
  })

  it("shares the answer with others, of which short ones are whole", async () => {
    const { text, tokens } = await answer({ ids: ["m3", "m4", "m2", "none"] })
    assert.isAtMost(tokens, 2_000)
    assert.isAbove(tokens, 1_700)
    assert.match(text, /row "m3", tool, 2026-10-05, characters 0 to \d{4} of \d{5}:/)
    assert.match(text, /\(there is more: call recall for this id alone, with page "\d+"\)/)
    assert.include(text, "It is in Lviv.")
    assert.include(text, '(there is no row "none")')
  })

  it.each([
    ["m1, m4"],
    ['["m1","m4"]'],
    ['"m1" "m4"'],
    ['{"id":["m1","m4"]}'],
    ['{"ids":"m1;m4"}'],
    ["rows m1, m4"],
  ])("is found in %s", async (given) => {
    const { text, isError } = await answer(given)
    assert.isFalse(isError)
    assert.include(text, 'row "m1"')
    assert.include(text, 'row "m4"')
  })

  it("is one that the answer can take, and the policy keeps whole", async () => {
    const policy = { result: { fraction: 0.25, tokens: 500 } }
    assert.isAtMost((await answer({ ids: ["m3"] }, { options: { policy } })).tokens, 500)
    const least = await answer(
      { ids: ["m3"] },
      { options: { policy: { result: { fraction: 1, tokens: 20 } } } },
    )
    assert.isAtMost(least.tokens, 20)
    assert.include(least.degraded[0]?.reason, "a result may take 20 tokens here")
  })
})

describe("a call that cannot be answered", () => {
  it.each([[""], ["{}"], [null], [7], ["{"], [{ ids: [] }], [{ ids: [{}], query: "" }], [undefined], ["[]"]])(
    "as %j is told what to give",
    async (given) => {
      const { text, isError } = await answer(given)
      assert.isTrue(isError)
      assert.match(text, given === "{" ? /no row "\{"/ : /Give ids.*or a query/)
    },
  )

  it("is told of the page", () => {
    for (const page of [-1, 1.5, "next", {}, true])
      assert.deepInclude(recallRequest({ ids: ["m1"], page }), { _tag: "Unclear" })
    assert.deepInclude(recallRequest({ ids: ["m1", "m2"], page: 8 }), { _tag: "Unclear" })
  })

  it("never fails the step: the store's error is told in one line", async () => {
    const failing = new StoreError({ operation: "row", reason: "the connection broke", isRetryable: true })
    const store = Layer.effect(
      ThreadStore,
      Effect.map(ThreadStore, (one) =>
        ThreadStore.of({ ...one, row: () => Effect.fail(failing), page: () => Effect.die("no") }),
      ),
    ).pipe(Layer.provide(makeMemoryState().layer))
    const [row, search] = await answers([{ ids: ["gone"] }, { query: "tea" }], { store })
    assert.strictEqual(row?.text, '(row "gone" could not be read)')
    assert.include(row?.degraded[0]?.reason, "the connection broke")
    assert.match(search?.text ?? "", /^The record could not be read now\./)
    assert.isTrue(row?.isError && search?.isError)
  })
})

describe("an answer of the recall tool", () => {
  const rows = [
    assistant("", [{ id: "c1", name: "recall", arguments: '{"ids":["m1"]}' }]),
    toolResult("c1", "I take tea."),
    toolResult("c2", "I take milk.", { name: "recall" }),
    toolResult("c3", "Lviv", { name: "find" }),
  ].map((message, i) => ({
    kind: "message" as const,
    id: `m${i}`,
    position: i,
    message,
    tokens: 1,
    tokenizer: "x",
  }))

  it("is no source of memories, and can be told from others", () => {
    assert.deepStrictEqual(
      documentsOf(rows, { owner: "", chat: "7", clean: (text) => text }).map(({ text }) => text),
      ["Lviv"],
    )
    assert.strictEqual(memoryResultsIn(rows).size, 2)
    assert.isFalse(isMemoryResult({ type: "text", text: "recall" }))
  })
})

describe("the line for an old answer", () => {
  it.each([
    [
      '{"ids":["m2"],"query":"","page":"800"}',
      '[recall ["m2"] page 800: 1 line, 400 characters; ok; recall("m9")]',
    ],
    ['{"ids":[],"query":"tea","page":""}', '[recall "tea": 1 line, 400 characters; ok; recall("m9")]'],
    ["m2", "[recall m2: 1 line, 400 characters; ok"],
  ])("of %s says what was recalled", (args, line) => {
    const text = "x".repeat(400)
    const call = { type: "tool-call", id: "c1", name: "recall", arguments: args } as const
    const result = {
      type: "tool-result",
      call: "c1",
      status: "ok",
      content: [{ type: "text", text }],
    } as const
    assert.include(stub({ row: "m9", call, result, text }, defaultStubs), line)
  })
})

describe("the definition", () => {
  it("is a schema for strict mode, and without what Gemini does not know", () => {
    assert.deepStrictEqual(recallTool.parameters.required, ["ids", "query", "page"])
    assert.isFalse(recallTool.parameters.additionalProperties)
    const { additionalProperties: _, ...rest } = recallTool.parameters
    assert.deepStrictEqual(recallDeclaration, { ...recallTool, parameters: rest })
  })

  it("explains the hints that texts end with", () => {
    assert.include(recallTool.description, 'recall("ID")')
    assert.deepStrictEqual(spellingsOf('recall("m2")').slice(0, 2), [['recall("m2")'], ["m2"]])
  })
})
