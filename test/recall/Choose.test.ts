import { chooseMemories, dayOf, type MemoryDocument, type ShownFact } from "@palimpsest/core"
import fc from "fast-check"
import { describe, expect, it } from "vitest"

const MAY = 1_683_554_160_000

const document = (text: string, more: Partial<MemoryDocument> = {}): MemoryDocument => ({
  owner: "",
  chat: "7",
  row: "m1",
  position: 1,
  piece: 0,
  role: "user",
  text,
  at: MAY,
  ...more,
})

const fact = (attribute: string, value: string, more: Partial<ShownFact> = {}): ShownFact => ({
  id: `${attribute}=${value}`,
  chat: "3",
  row: "m9",
  subject: "user",
  attribute,
  value,
  quote: `my ${attribute} is ${value}`,
  at: MAY,
  ...more,
})

const choose = (more: Partial<Parameters<typeof chooseMemories>[0]>) =>
  chooseMemories({
    chat: "7",
    query: "what is my email?",
    visible: new Set(),
    found: [],
    facts: [],
    superseded: [],
    ...more,
  })

describe("the day of a time", () => {
  it("is that of the calendar, in UTC, from the year 1 to 9999", () => {
    const first = Date.parse("0001-01-01T00:00:00Z")
    const last = Date.parse("9999-12-31T23:59:59Z")
    const isRight = (at: number) => dayOf(at) === new Date(at).toISOString().slice(0, 10)
    fc.assert(fc.property(fc.integer({ min: first, max: last }), isRight), { numRuns: 5000 })
    for (const at of [first, last, 0, -1, Date.parse("2000-02-29"), Date.parse("1900-03-01")])
      expect(isRight(at)).toBe(true)
  })

  it("is none for what is no time", () => {
    for (const at of [Number.NaN, Number.POSITIVE_INFINITY, -1e15, 1e15]) expect(dayOf(at)).toBeNull()
  })
})

describe("what is shown", () => {
  it("is labelled with its day and where it was said", () => {
    const found = [document("I like tea."), document("I like milk.", { chat: "3", row: "m4", at: 0 })]
    expect(choose({ found })).toEqual([
      { id: "7/m1/0", text: "I like tea.", origin: "m1", date: "2023-05-08" },
      { id: "3/m4/0", text: "I like milk.", origin: "chat:3/m4" },
    ])
  })

  it("is nothing visible, and nothing that a tool gave", () => {
    const found = [
      document("seen"),
      document("tool", { row: "m2", role: "tool" }),
      document("other", { chat: "3" }),
    ]
    expect(choose({ found, visible: new Set(["m1"]) }).map(({ text }) => text)).toEqual(["other"])
    const facts = [fact("email", "a@b.c", { chat: "7", row: "m1" })]
    expect(choose({ facts, visible: new Set(["m1"]) })).toEqual([])
  })

  it("begins with the facts that the query names", () => {
    const facts = [fact("home", "Kyiv"), fact("email", "new@b.c")]
    expect(choose({ facts, found: [document("I like tea.")] }).map(({ text }) => text)).toEqual([
      "user: email: new@b.c",
      "I like tea.",
    ])
  })

  it("holds no word of a fact that a later one took the place of", () => {
    const superseded = [fact("email", "old@b.c", { quote: "my email is old@b.c" })]
    const found = [
      document("By the way, my email is old@b.c, and I like tea.", { chat: "3", row: "m9" }),
      document("my email is old@b.c.", { chat: "3", row: "m9", piece: 1 }),
    ]
    expect(choose({ found, superseded }).map(({ text }) => text)).toEqual([
      "By the way, […], and I like tea.",
    ])
  })
})
