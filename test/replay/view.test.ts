import { assistant, type MessageRow, type Pass, type Row, toolResult, user } from "@palimpsest/core"
import { arbitraryThread } from "@palimpsest/core/testing"
import { columns, fit, oneLine, thousands } from "@palimpsest/examples/replay/Columns"
import { progress, progressLine } from "@palimpsest/examples/replay/Progress"
import { promptBar, shareCells } from "@palimpsest/examples/replay/PromptBar"
import { threadView } from "@palimpsest/examples/replay/ThreadView"
import { totals } from "@palimpsest/examples/replay/Totals"
import fc from "fast-check"
import { assert, describe, it } from "vitest"

// biome-ignore lint/complexity/useRegexLiterals: a control character is clearer as an escape in a string
const PAINT = new RegExp("\u001b\\[\\d+m", "g")

/** Lines as they stand on the page, colours taken off. */
const lines = (page: string): ReadonlyArray<string> => page.replace(PAINT, "").split("\n")

const widest = (page: string): number => Math.max(...lines(page).map(columns))

const message = (n: number, content: MessageRow["message"]): MessageRow => ({
  kind: "message",
  id: `m${n}`,
  position: n,
  message: content,
  tokens: 10 * n,
  tokenizer: "t",
})

const pass: Pass = {
  cause: "trigger",
  before: 12340,
  after: 3210,
  rows: 6,
  digest: "d",
  generation: 2,
  outcome: "extractive",
  model: "m",
  policy: "p",
  weak: 0,
  fallbacks: 0,
}

const mark = (n: number) => ({
  id: `k${n}`,
  position: n,
  anchor: `m${n}`,
  revision: 0,
  tokens: 210,
  tokenizer: "t",
})

const thread: ReadonlyArray<Row> = [
  message(1, user("Where is my order?")),
  message(2, assistant("", [{ id: "c1", name: "find", arguments: '{"id":7}' }])),
  message(3, toolResult("c1", "line one\nline two", { name: "find" })),
  { ...mark(3), kind: "prune", reductions: [], pass: { ...pass, rows: 1, generation: 0, outcome: "none" } },
  message(4, assistant("It is on its way.")),
  message(5, user("And the other one?")),
  message(6, assistant("Delivered.")),
  { ...mark(6), kind: "summary", summary: { items: [] }, text: "", head: ["m1"], carry: ["m5"], pass },
  { ...mark(6), kind: "recall", text: "", sources: ["a", "b"] },
  message(7, { ...user("Tick."), synthetic: true }),
  message(8, toolResult("c2", "no such file", { status: "error" })),
]

describe("threadView", () => {
  it("shows messages, boundaries, and what was collapsed", () => {
    assert.deepStrictEqual(lines(threadView(thread, { width: 72, covered: 2 })), [
      "user      Where is my order?                           still sent     10",
      "… 2 earlier rows, still readable",
      "┄┄┄┄ prune · 1 row sent reduced · 12,340 → 3,210 tokens ┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄",
      "… 1 earlier row, still readable",
      "user      And the other one?                           still sent     50",
      "assistant Delivered.                                                  60",
      "──── summary · 6 rows · 12,340 → 3,210 tokens · extractive · generation…",
      "┄┄┄┄ recall · 2 sources · 210 tokens ┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄",
      "(program) Tick.                                                       70",
      "  error   no such file                                                80",
    ])
  })

  it("shows calls and results of one line each, and starting over", () => {
    const rows: ReadonlyArray<Row> = [...thread.slice(0, 3), { ...mark(3), kind: "reset" }]
    assert.deepStrictEqual(lines(threadView(rows, { width: 40 })), [
      "user      Where is my order?          10",
      '  calls   find {"id":7}               20',
      "  result  find: line one line two     30",
      "──── start over ────────────────────────",
    ])
  })

  it("is the same for rows in any order, and paints only when asked", () => {
    const page = threadView(thread)
    assert.strictEqual(threadView([...thread].reverse()), page)
    assert.notInclude(page, "\u001b")
    assert.include(threadView(thread, { color: true }), "\u001b[")
    assert.deepStrictEqual(lines(threadView(thread, { color: true })), lines(page))
  })

  it("lets no text of a thread steer the terminal", () => {
    const page = threadView([message(1, user("\u001b[2J\u009b1A\u202eevil\r\nrow\u0007"))])
    assert.deepStrictEqual(lines(page), [`user      [2J1Aevil row${" ".repeat(51)}    10`])
  })

  it("never draws past the width", () => {
    const rows = arbitraryThread({ turns: 3, endless: 10 }).map((messages) =>
      messages.map((content, i) => message(i + 1, content)),
    )
    fc.assert(
      fc.property(
        rows,
        fc.integer({ min: 4, max: 120 }),
        fc.boolean(),
        fc.nat(9),
        (messages, width, color, at) => {
          const end = Math.min(at, messages.length)
          const cut: Row = {
            ...mark(end),
            kind: "summary",
            summary: { items: [] },
            text: "",
            head: [],
            carry: [],
            pass,
          }
          assert.isAtMost(widest(threadView([...messages, cut], { width, color })), width)
        },
      ),
      { numRuns: 300 },
    )
  })
})

describe("promptBar", () => {
  const parts = [
    { name: "system", tokens: 1000 },
    { name: "tools", tokens: 0 },
    { name: "summary", tokens: 500 },
    { name: "tail", tokens: 2500 },
  ]

  it("shows each part in proportion, and what is free", () => {
    assert.deepStrictEqual(lines(promptBar(parts, 8000, { width: 42 })), [
      "prompt: 4,000 of 8,000 tokens (50%)",
      "[█████▒▒▒░░░░░░░░░░░░····················]",
      "█ system 1,000 (13%)  ▒ summary 500 (6%)",
      "░ tail 2,500 (31%)  · free 4,000 (50%)",
    ])
  })

  it("says when the budget is exceeded", () => {
    const [first, bar] = lines(promptBar(parts, 3000, { width: 62 }))
    assert.strictEqual(first, "prompt: 4,000 tokens, 1,000 over the budget of 3,000")
    assert.notInclude(bar, "·")
  })

  it("shares out all cells, and leaves no part out", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(100000), { minLength: 1, maxLength: 9 }), fc.nat(100), (tokens, cells) => {
        const shares = shareCells(tokens, cells)
        const filled = tokens.filter((n) => n > 0).length
        assert.strictEqual(
          shares.reduce((sum, n) => sum + n, 0),
          filled === 0 ? 0 : cells,
        )
        if (filled <= cells) assert.isTrue(tokens.every((n, i) => (shares[i] ?? 0) > 0 === n > 0))
        assert.isTrue(shares.every((n) => n >= 0))
      }),
    )
  })

  it("never draws past the width", () => {
    const part = fc.record({ name: fc.string({ unit: "binary" }), tokens: fc.nat(1e6) })
    const bar = fc.array(part, { maxLength: 12 })
    fc.assert(
      fc.property(
        bar,
        fc.nat(1e6),
        fc.integer({ min: 4, max: 120 }),
        fc.boolean(),
        (all, budget, width, color) => {
          assert.isAtMost(widest(promptBar(all, budget, { width, color })), width)
        },
      ),
    )
  })
})

describe("totals", () => {
  it("sets figures under each other", () => {
    const table = [
      { name: "steps", value: 1234 },
      { name: "tokens sent", value: "5.1M", note: "of 9.8M" },
    ]
    assert.deepStrictEqual(lines(totals(table)), ["steps        1,234", "tokens sent   5.1M  of 9.8M"])
    assert.strictEqual(totals([]), "")
  })

  it("never draws past the width", () => {
    const total = fc.record({
      name: fc.string({ unit: "binary" }),
      value: fc.oneof(fc.nat(), fc.string()),
      note: fc.string(),
    })
    fc.assert(
      fc.property(fc.array(total), fc.integer({ min: 1, max: 100 }), fc.boolean(), (table, width, color) => {
        assert.isAtMost(widest(totals(table, { width, color })), width)
      }),
    )
  })
})

describe("columns", () => {
  it.each<[string, number]>([
    ["abc", 3],
    ["e\u0301", 1],
    ["汉字", 4],
    ["한글", 4],
    ["ｱ", 1],
    ["🚀", 2],
    ["─…·█", 4],
    ["", 0],
  ])("%s takes %d", (text, expected) => {
    assert.strictEqual(columns(text), expected)
  })

  it("fits whole letters, and keeps what fits", () => {
    assert.strictEqual(fit("汉字汉字", 6), "汉字…")
    assert.strictEqual(fit("cafe\u0301s", 5), "cafe\u0301s")
    assert.strictEqual(fit("cafe\u0301s!", 5), "cafe\u0301…")
    assert.strictEqual(fit("abc", 0), "")
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.nat(20), (text, width) => {
        const line = oneLine(text)
        const short = fit(line, width)
        assert.isAtMost(columns(short), width)
        if (columns(line) <= width) assert.strictEqual(short, line)
        else assert.isTrue(line.startsWith(short.replace(/…$/, "")))
      }),
    )
  })

  it.each<[number, string]>([
    [0, "0"],
    [999, "999"],
    [1000, "1,000"],
    [-1234567, "-1,234,567"],
  ])("%d is %s", (n, expected) => {
    assert.strictEqual(thousands(n), expected)
  })
})

describe("progress", () => {
  it("draws on a terminal, clears at the end, and is silent in a pipe", () => {
    const written: Array<string> = []
    const write = (text: string) => written.push(text)
    progress({ write })(1, 2, "steps")
    assert.deepStrictEqual(written, [])
    const show = progress({ isTTY: true, columns: 60, write })
    show(1, 2, "steps")
    show(2, 2, "steps")
    assert.deepStrictEqual(written, ["\r\u001b[K[██████████··········] 1/2 steps", "\r\u001b[K"])
    assert.isAtMost(columns(progressLine(1, 2, "a long label", 12)), 12)
  })
})
