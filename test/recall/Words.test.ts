import {
  documentsOf,
  isWellFormed,
  type MemoryDocument,
  MOST_PIECES,
  PIECE_UNITS,
  piecesOf,
  rankByWords,
  redact,
  termsOf,
  toolResult,
  user,
  weigh,
} from "@palimpsest/core"
import fc from "fast-check"
import { describe, expect, it } from "vitest"

const HOUR = 3_600_000

const said = (text: string, i: number, more: Partial<MemoryDocument> = {}): MemoryDocument => ({
  owner: "",
  chat: "7",
  row: `m${i}`,
  position: i,
  piece: 0,
  role: "user",
  text,
  at: 1 + i,
  ...more,
})

const ranked = (texts: ReadonlyArray<string | MemoryDocument>, query: string) => {
  const all = weigh(
    texts.map((one, i) => (typeof one === "string" ? said(one, i, { at: 1 + i * 2 * HOUR }) : one)),
  )
  const length = all.reduce((sum, one) => sum + one.length, 0)
  return rankByWords(all, termsOf(query), { documents: all.length, length }).map(
    ({ document }) => document.row,
  )
}

describe("words that are searched for", () => {
  it.each([
    ["The parcels ARRIVED, didn't they?", ["parcel", "arriv"]],
    ["order 4417 of src/Main.ts", ["order", "4417", "src", "main", "ts"]],
    ["Ｃａｆé", ["cafe"]],
    ["東京に住んでいる", ["東京", "京に", "に住", "住ん", "んで", "でい", "いる"]],
    ["", []],
    ["who are you?", []],
  ])("of %j", (text, terms) => expect(termsOf(text)).toEqual(terms))

  it.each([
    ["книга", "книгою"],
    ["зустріч", "зустріччю"],
    ["running", "runs"],
  ])("are shared by forms of one word: %s, %s", (a, b) => {
    const other = new Set(termsOf(b))
    expect(termsOf(a).some((term) => other.has(term))).toBe(true)
  })

  it("are found in any text, in time that follows its length", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => termsOf(text).every((term) => term !== "")),
    )
    const before = process.cpuUsage()
    for (const text of ["a".repeat(1e6), "я ".repeat(5e5), "中".repeat(1e6), "\u0301".repeat(1e6)])
      termsOf(text)
    expect(process.cpuUsage(before).user / 1e6).toBeLessThan(20)
  })
})

describe("pieces", () => {
  it("together hold every word of a text, in order, each whole and short", () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 }), { maxLength: 300 }),
        (words) => {
          const text = words.join(" ")
          const pieces = piecesOf(text)
          expect(
            pieces.every((piece) => piece.length <= PIECE_UNITS && piece.trim() === piece && piece !== ""),
          ).toBe(true)
          expect(pieces.every(isWellFormed)).toBe(isWellFormed(text))
          if (pieces.length < MOST_PIECES)
            expect(pieces.join("").replace(/\s/g, "")).toBe(text.replace(/\s/g, ""))
        },
      ),
    )
  })

  it("end at a paragraph before a line, at a line before a sentence, at a sentence before a word", () => {
    const a = "One two. ".repeat(80).trim()
    expect(piecesOf(`${a}\n\n${a}`)).toEqual([a, a])
    expect(piecesOf(`${a}\n${a}`)).toEqual([a, a])
    expect(piecesOf("word ".repeat(600)).every((piece) => piece.endsWith("word"))).toBe(true)
    expect(piecesOf("x".repeat(3000)).map((piece) => piece.length)).toEqual([1200, 1200, 600])
  })
})

describe("documents", () => {
  const row = (i: number, message: Parameters<typeof rowOf>[1]) => rowOf(i, message)
  const rowOf = (i: number, message: ReturnType<typeof user> | ReturnType<typeof toolResult> | Said) =>
    ({ kind: "message", id: `m${i}`, position: i, message, tokens: 1, tokenizer: "x", at: 5 }) as const
  type Said = Parameters<typeof documentsOf>[0][number]["message"]
  const textsOf = (...messages: ReadonlyArray<Said>) =>
    documentsOf(
      messages.map((message, i) => row(i + 1, message)),
      { owner: "ana", chat: "7", clean: redact },
    ).map(({ role, text }) => `${role}: ${text}`)

  it("are of what users, models and tools say, and of nothing that was injected, secret, or recalled before", () => {
    const asks = (name: string): Said => ({
      role: "assistant",
      parts: [
        { type: "reasoning", text: "hidden thought" },
        { type: "tool-call", id: name, name, arguments: '{"q":"tea"}' },
      ],
    })
    expect(
      textsOf(
        user("Look:\n<memory-context>\nold\nYou like milk.\n</memory-context>\nWhy?"),
        { ...user("I like tea. password=hunter2hunter2"), name: "Ana" },
        { ...user("[program] retry"), synthetic: true },
        asks("search"),
        toolResult("search", "green tea"),
        asks("recall"),
        toolResult("recall", "I like tea."),
      ),
    ).toEqual([
      "user: Look:\nWhy?",
      "user: Ana: I like tea. password=[redacted value]",
      "tool: [program] retry",
      'tool: search {"q":"tea"}',
      "tool: green tea",
    ])
  })

  it("are numbered within their row, and dated", () => {
    const long = "word ".repeat(600)
    const all = documentsOf([row(3, user(long))], { owner: "ana", chat: "7", clean: redact })
    expect(all.map(({ piece }) => piece)).toEqual([0, 1, 2])
    expect(all[2]).toMatchObject({ owner: "ana", chat: "7", row: "m3", position: 3, at: 5, role: "user" })
  })
})

describe("the order by words", () => {
  it("prefers rare words, and of equal documents the newest", () => {
    expect(ranked(["tea and cake", "coffee and cake", "cake and cake"], "coffee cake")).toEqual([
      "m1",
      "m2",
      "m0",
    ])
    expect(ranked(["tea", "tea", "milk"], "tea")).toEqual(["m1", "m0"])
  })

  it("finds an answer by its question, within one conversation", () => {
    const talk = (at: number) => [
      said("Where did you go for the marathon?", 1),
      said("Lisbon, it was great.", 2, { at }),
    ]
    expect(ranked([...talk(3), said("nothing here", 9, { at: 9 * HOUR })], "marathon")).toEqual(["m1", "m2"])
    expect(ranked(talk(5 * HOUR), "marathon")).toEqual(["m1"])
  })

  it("finds nothing by words that say nothing", () => {
    expect(ranked(["who are you", "tea"], "who are you")).toEqual([])
  })
})
