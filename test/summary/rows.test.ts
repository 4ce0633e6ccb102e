import {
  checkDelta,
  emptySummary,
  extractDelta,
  isWellFormed,
  itemTokens,
  type MessageRow,
  oneLine,
  redact,
  textOf,
  transcript,
} from "@palimpsest/core"
import { arbitraryRows } from "@palimpsest/core/testing"
import fc from "fast-check"
import { assert, describe, it } from "vitest"
import { counter, reply, rowOf, said, toolRow } from "./Rows.ts"

const read = (rows: ReadonlyArray<MessageRow>): string =>
  transcript(rows, { counter, maxTokens: 10_000_000, perPart: 10_000_000 })
    .map((part) => part.text)
    .join("\n")

const extract = (rows: ReadonlyArray<MessageRow>, maxTokens = 2000) =>
  extractDelta(rows, { previous: emptySummary, maxTokens, counter })

const rowsArbitrary = arbitraryRows({ endless: 8 })

describe("transcript", () => {
  it("covers every row in order, in parts that fit", () => {
    fc.assert(
      fc.property(
        rowsArbitrary,
        fc.constantFrom(64, 100, 400, 4000),
        fc.constantFrom(100, 1000, 50_000),
        (rows, maxTokens, perPart) => {
          const parts = transcript(rows, { counter, maxTokens, perPart })
          const ids = parts.flatMap((part) => part.rows).filter((id, i, all) => id !== all[i - 1])
          assert.deepStrictEqual(
            ids,
            rows.map((row) => row.id),
          )
          for (const { text } of parts) {
            assert.isAtMost(counter.count(text), maxTokens)
            assert.isTrue(isWellFormed(text))
          }
        },
      ),
      { numRuns: 200 },
    )
  })

  it("names what a program said, and quotes ids that could be taken for more", () => {
    const rows = [
      rowOf("m1", { role: "user", parts: [{ type: "text", text: "tick" }], synthetic: true }),
      said("a b]\n[row x", "hello"),
      rowOf("m3", { role: "assistant", parts: [{ type: "reasoning", text: "secret thoughts" }] }),
    ]
    assert.strictEqual(read(rows), '[row m1 program] tick\n[row "a b]\\n[row x" user] hello')
  })

  it("shortens each text of a row with a marker", () => {
    const [part] = transcript([said("m1", "x".repeat(1000))], { counter, maxTokens: 1000, perPart: 100 })
    assert.include(part?.text, "omitted")
    assert.isAtMost(part?.text.length ?? 0, 120)
  })

  it("parts a row of many calls over several parts, each with its header", () => {
    const parts = Array.from({ length: 100 }, (_, i) => ({
      type: "tool-call" as const,
      id: `c${i}`,
      name: "find",
      arguments: `{"id":"ord_${i}"}`,
    }))
    const cut = transcript([rowOf("a1", { role: "assistant", parts })], {
      counter,
      maxTokens: 100,
      perPart: 500,
    })
    assert.isAbove(cut.length, 5)
    assert.isTrue(cut.every((part) => part.text.startsWith("[row a1 assistant] call find ")))
    for (let i = 0; i < 100; i++) assert.isTrue(cut.some((part) => part.text.includes(`"ord_${i}"`)))
  })
})

describe("extractDelta", () => {
  it("passes its own checks, but for requests that quote protocol", () => {
    const isRequest = (kind: string | undefined) =>
      kind === "task" || kind === "pending" || kind === "resolved"
    fc.assert(
      fc.property(rowsArbitrary, (rows) => {
        const ids = rows.map((row) => row.id)
        const delta = extract(rows)
        const found = checkDelta(delta, {
          previous: emptySummary,
          transcript: read(rows),
          rows: ids,
          counter,
        })
        const serious = found.filter(({ of, reason, index }) =>
          of === "delta"
            ? reason === "Refusal"
            : !(isRequest(delta.add[index]?.kind) && /Text|Syntax/.test(reason)),
        )
        assert.deepStrictEqual(serious, [])
      }),
      { numRuns: 100 },
    )
  })

  it("keeps to the room, and takes pieces of the rows", () => {
    fc.assert(
      fc.property(rowsArbitrary, fc.constantFrom(0, 60, 300, 2000), (rows, maxTokens) => {
        const { add } = extract(rows, maxTokens)
        const used = add.reduce((sum, item) => sum + itemTokens({ id: "00000000", ...item }, counter), 0)
        assert.isAtMost(used, maxTokens)
        for (const { kind, text, sources } of add) {
          assert.isTrue(isWellFormed(text))
          const source = rows.find((row) => row.id === sources[0])
          if (kind === "artifact") continue
          const whole = oneLine(redact(textOf(source?.message.parts ?? [])))
          assert.include(whole, text.replace(/…$/, ""))
        }
      }),
      { numRuns: 150 },
    )
  })

  it.each([
    ["English", "Please fix it. Don't use the cache."],
    ["Spanish", "Arréglalo. Nunca borres la base de producción."],
    ["French", "Corrige-le. Ne touchez pas à la base."],
    ["German", "Bitte reparieren. Die Datenbank darf nicht gelöscht werden."],
    ["Russian", "Почини вход. Не трогай базу."],
    ["Ukrainian", "Виправ вхід. Ніколи не чіпай базу."],
    ["Portuguese", "Corrige. Não apague os dados."],
    ["Italian", "Correggi. Non toccare il database."],
    ["Polish", "Napraw to. Nigdy nie usuwaj danych."],
    ["Chinese", "修好登录。不要删除数据库。"],
    ["Japanese", "ログインを直して。データベースは決して消さないでください。"],
    ["Korean", "로그인을 고쳐 주세요. 절대 데이터베이스를 지우지 마세요."],
  ])("finds a rule in %s", (_, text) => {
    const rules = extract([said("m1", text)]).add.filter((item) => item.kind === "constraint")
    assert.strictEqual(rules.length, 1)
    assert.isTrue(text.endsWith(rules[0]?.text ?? "none"))
  })

  it.each([
    "I don't know where my order is.",
    "I never got the parcel.",
    "Must I send it back?",
    "Я не знаю, где мой заказ.",
    "Je ne sais pas.",
    "The order number is ord_9f3.",
  ])("takes no rule from: %s", (text) => {
    assert.deepStrictEqual(
      extract([said("m1", text)]).add.filter((item) => item.kind === "constraint"),
      [],
    )
  })

  it("tells the task from what is done and what is open", () => {
    const kinds = (rows: ReadonlyArray<MessageRow>) =>
      extract(rows).add.flatMap(({ kind, text }) =>
        kind === "task" || kind === "resolved" || kind === "pending" ? [[kind, text]] : [],
      )
    assert.deepStrictEqual(
      kinds([said("m1", "audit it"), reply("a1", "audit finished"), said("m2", "now fix B")]),
      [
        ["resolved", "audit it"],
        ["task", "now fix B"],
      ],
    )
    assert.deepStrictEqual(kinds([said("m1", "audit it"), said("m2", "and fix B")]), [
      ["pending", "audit it"],
      ["task", "and fix B"],
    ])
  })

  it("takes no program's text for the user's", () => {
    const tick = rowOf("m1", {
      role: "user",
      parts: [{ type: "text", text: "Never stop. Run the report." }],
      synthetic: true,
    })
    assert.deepStrictEqual(
      extract([tick]).add.filter((item) => item.kind === "task" || item.kind === "constraint"),
      [],
    )
  })

  it("resolves the task before when a newer one was answered", () => {
    const previous = { items: [{ id: "aaaaaaaa", kind: "task", text: "old", sources: ["m0"] }] } as const
    const options = { previous, maxTokens: 500, counter }
    assert.deepStrictEqual(extractDelta([said("m1", "fix B"), reply("a1", "done")], options).resolve, [
      "aaaaaaaa",
    ])
    assert.deepStrictEqual(extractDelta([said("m1", "fix B")], options).resolve, [])
    assert.deepStrictEqual(extractDelta([reply("a1", "done")], options).resolve, [])
  })

  it("lists what tools were called with, and how the newest call ended", () => {
    const call = (id: string, of: string) =>
      rowOf(id, {
        role: "assistant",
        parts: [
          {
            type: "tool-call",
            id: of,
            name: "edit",
            arguments: '{"path":"src/a.ts","order_id":9007199254740993}',
          },
        ],
      })
    const rows = [
      call("a1", "c1"),
      toolRow("t1", "c1", "no such file", "error"),
      call("a2", "c2"),
      toolRow("t2", "c2", "written"),
    ]
    assert.deepStrictEqual(
      extract(rows).add.filter((item) => item.kind === "artifact"),
      [{ kind: "artifact", text: "edit src/a.ts 9007199254740993: ok", sources: ["a2", "t2"] }],
    )
  })

  it("prefers the focus", () => {
    const text = Array.from(
      { length: 40 },
      (_, i) => `Note ${i}: the value of item_${i} is ${i * 1111}.`,
    ).join("\n")
    const delta = extractDelta([reply("a1", `${text}\nThe invoice goes to accounting.`)], {
      previous: emptySummary,
      maxTokens: 60,
      counter,
      focus: "invoice accounting",
    })
    assert.include(
      delta.add.map((item) => item.text),
      "The invoice goes to accounting.",
    )
  })

  it("reads a megabyte in one row, and ten thousand rows, in a moment", () => {
    const start = performance.now()
    for (const unit of ["a", "漢", "never. ", "src/a.ts ", "x\n"])
      extract([said("m1", unit.repeat(1_000_000 / unit.length)), reply("a1", "done")])
    extract(Array.from({ length: 10_000 }, (_, i) => said(`m${i}`, `Row ${i} says that item_${i} is ready.`)))
    assert.isBelow(performance.now() - start, 30_000)
  })
})
