import { checkDelta, emptyDelta, extractDelta, salvage, transcript } from "@palimpsest/core"
import { assert, describe, it } from "vitest"
import { counter, reply, rowOf, said, toolRow } from "../summary/Rows.ts"
import { add, fact, reasons, request, rich, span, times } from "./SummaryKit.ts"

describe("SUMFAIL", () => {
  it("SUMFAIL-01: nothing from a real span is no summary", () => {
    assert.deepStrictEqual(reasons(emptyDelta), ["Empty"])
    for (const text of ["", "   \n", "\u0000"]) {
      const found = checkDelta(add(fact(text, "m1")), request(span))
      assert.include(
        found.map(({ reason }) => reason),
        "Empty",
      )
      assert.isNull(salvage(add(fact(text, "m1")), found))
    }
  })

  it.each([
    "I'm sorry, but I can't write a summary of this conversation.",
    "I cannot help with that. As a language model I have rules.",
    "Lo siento, no puedo resumir esto.",
    "Je suis désolé, je ne peux pas résumer.",
    "Es tut mir leid, das kann ich nicht zusammenfassen.",
    "Извините, я не могу это сделать.",
    "抱歉，我无法总结这段对话。",
    "申し訳ありませんが、要約できません。",
  ])("SUMFAIL-03: a refusal is no summary: %s", (text) => {
    const delta = add(fact(text, "m1"))
    assert.include(reasons(delta), "Refusal")
    assert.isNull(salvage(delta, checkDelta(delta, request(span))))
  })

  it("SUMFAIL-03: the user's own 'I can't' is none", () => {
    const rows = [said("m1", `I can't log in since Monday. ${"The page stays white. ".repeat(20)}`)]
    assert.deepStrictEqual(
      reasons(add({ kind: "pending", text: "I can't log in since Monday.", sources: ["m1"] }), rows),
      [],
    )
  })

  it.each([
    '<tool_call>{"name":"search","arguments":{}}</tool_call>',
    'Next: {"name": "search", "arguments": {"q": "x"}}',
    "<|im_start|>assistant",
    "</context-summary> and then",
  ])("SUMFAIL-04: tool protocol is no item: %s", (text) => {
    const delta = add(fact(text, "m1"), fact("Order ord_9f3 went to Oslo.", "m1"))
    const found = checkDelta(delta, request(span))
    assert.isAbove(found.length, 0)
    assert.deepStrictEqual(
      salvage(delta, found)?.add.map((item) => item.text),
      ["Order ord_9f3 went to Oslo."],
    )
  })

  it("SUMFAIL-05: half a text names what never was", () => {
    assert.include(reasons(add(fact("## Goal\nThe user wan ord_9f", "m7"))), "UnknownSource")
    assert.include(reasons(add(fact("The order is ord_9f4.", "m1"))), "UnknownIdentifier")
  })

  it("SUMFAIL-06: an answer is no summary, and the transcript is data in marked rows", () => {
    const rows = [said("m1", `What is 2+2? Answer only with the number. ${"Really only that. ".repeat(20)}`)]
    assert.isNull(salvage(add(fact("4", "m1")), checkDelta(add(fact("4", "m1")), request(rows))))
    assert.match(request(rows).transcript, /^\[row m1 user\] What is 2\+2/)
  })

  it("SUMFAIL-07, SUMFAIL-08: a span of 300,000 tokens becomes bounded parts that cover every row", () => {
    const rows = Array.from({ length: 400 }, (_, i) =>
      said(`m${i}`, `row ${i} ${"words and words ".repeat(187)}`),
    )
    const parts = transcript(rows, { counter, maxTokens: 32_000, perPart: 100_000 })
    assert.isAtLeast(parts.length, 10)
    for (const part of parts) assert.isAtMost(counter.count(part.text), 32_000)
    assert.deepStrictEqual(
      parts.flatMap((part) => part.rows),
      rows.map((row) => row.id),
    )
    for (const [i, row] of rows.entries())
      assert.isTrue(parts.some((part) => part.text.includes(`[row ${row.id} user] row ${i} `)))
  })

  it("SUMFAIL-15: nothing to read gives nothing to ask", () => {
    assert.deepStrictEqual(transcript([], { counter, maxTokens: 1000, perPart: 500 }), [])
    assert.deepStrictEqual(extractDelta([], { previous: rich, maxTokens: 500, counter }), emptyDelta)
    assert.include(reasons(add(fact("Please provide the events of the conversation.", "m1"))), "Refusal")
  })

  it("SUMFAIL-16: images become placeholders and the text beside them stays", () => {
    const rows = Array.from({ length: 30 }, (_, i) =>
      rowOf(`t${i}`, {
        role: "tool",
        parts: [
          {
            type: "tool-result",
            call: `c${i}`,
            name: "chart",
            status: "ok",
            content: [
              { type: "text", text: '{"chart_id":"c-77"}' },
              { type: "media", mediaType: "image/png", data: "iVBOR".repeat(200_000), name: "sales.png" },
              { type: "text", text: `data:image/png;base64,${"iVBOR".repeat(2000)}` },
            ],
          },
        ],
      }),
    )
    const parts = transcript(rows, { counter, maxTokens: 32_000, perPart: 4000 })
    assert.strictEqual(parts.length, 1)
    assert.isBelow(counter.count(parts[0]?.text ?? ""), 10_000)
    assert.strictEqual(times(parts[0]?.text ?? "", "c-77"), 30)
    assert.strictEqual(times(parts[0]?.text ?? "", "[image sales.png]"), 30)
  })

  it("SUMFAIL-17: calls and results are text", () => {
    const rows = [
      rowOf("a1", {
        role: "assistant",
        parts: [{ type: "tool-call", id: "c1", name: "find", arguments: '{"id":"ord_9f3"}' }],
      }),
      toolRow("t1", "c1", "shipped"),
    ]
    assert.strictEqual(
      transcript(rows, { counter, maxTokens: 1000, perPart: 500 })[0]?.text,
      '[row a1 assistant] call find {"id":"ord_9f3"}\n[row t1 tool] result c1 ok: shipped',
    )
  })

  it("PROV-12: blank parts are left out, and a span of nothing is blank", () => {
    const blank = [toolRow("t1", "c1", ""), reply("a1", "\n")]
    assert.deepStrictEqual(transcript(blank, { counter, maxTokens: 1000, perPart: 500 }), [
      { text: "", rows: ["t1", "a1"] },
    ])
    const parts = transcript([...blank, said("m1", "Go on.")], { counter, maxTokens: 1000, perPart: 500 })
    assert.deepStrictEqual(parts, [{ text: "[row m1 user] Go on.", rows: ["t1", "a1", "m1"] }])
  })
})
