import { digestRows, emptySummary, type MessageRow, type Row, type SummaryRow, user } from "@palimpsest/core"
import { assert, describe, it } from "vitest"
import { faultsOf } from "../commands/soak/Check.ts"
import type { Note } from "../commands/soak/Notes.ts"
import { batchesOf } from "../commands/soak/Script.ts"

const CHAT = "chat0"
const TURNS = ["w0l0t0", "w0l0t1", "w0l0t2", "w1l0t0", "w1l0t1"]
const batches = TURNS.flatMap(batchesOf)
const inputs = batches.flatMap((batch) => batch.inputs)

const messages = inputs.map(
  ({ id, message }, i): MessageRow => ({
    kind: "message",
    id,
    position: i + 1,
    message,
    tokens: 1,
    tokenizer: "t",
  }),
)

const summaryAt = (id: string, from: number, to: number, previous: string | null, generation: number) => {
  const covered = messages.filter(({ position }) => position > from && position <= to)
  return {
    kind: "summary",
    id,
    position: to,
    anchor: messages[to - 1]?.id ?? "",
    revision: 0,
    summary: emptySummary,
    text: "",
    tokens: 1,
    tokenizer: "t",
    head: [],
    carry: [],
    previous,
    pass: {
      cause: "trigger",
      before: 2,
      after: 1,
      rows: covered.length,
      digest: digestRows(covered),
      generation,
      outcome: "model",
      model: "m",
      policy: "p",
      weak: 0,
      fallbacks: 0,
    },
  } satisfies SummaryRow
}

const first = summaryAt("s1", 0, 4, null, 1)
const second = summaryAt("s2", 4, 8, "s1", 2)

const withMarks = (rows: ReadonlyArray<Row>, ...marks: ReadonlyArray<SummaryRow>): ReadonlyArray<Row> =>
  rows.flatMap((row) => [row, ...marks.filter((mark) => mark.anchor === row.id)])

const sound = withMarks(messages, first, second)

const notes: ReadonlyArray<Note> = [
  ...batches.map((batch): Note => ({ _tag: "Tried", chat: CHAT, batch: batch.name })),
  { _tag: "Stored", chat: CHAT, batches: batches.slice(0, -1).map((batch) => batch.name) },
  { _tag: "Marked", chat: CHAT, id: "s2", kind: "summary" },
  { _tag: "Prompted", chat: CHAT, tokens: 100, limit: 100 },
]

const kindsOf = (rows: ReadonlyArray<Row>, more: ReadonlyArray<Note> = []) => [
  ...new Set(faultsOf({ chat: CHAT, rows }, [...notes, ...more]).map(({ kind }) => kind)),
]

const last = batches.at(-1)?.inputs ?? []
const isLast = (row: Row) => last.some(({ id }) => id === row.id)
const at = (i: number): MessageRow => messages[i] ?? assert.fail("the thread is too short")

describe("the count of the soak", () => {
  it("finds nothing in a thread that is right, with and without the batch that nobody was told of", () => {
    assert.deepStrictEqual(kindsOf(sound), [])
    assert.deepStrictEqual(kindsOf(sound.filter((row) => !isLast(row))), [])
  })

  it.each<readonly [string, string, ReadonlyArray<Row>, ReadonlyArray<Note>]>([
    ["an acknowledged row is not there", "lost", sound.filter((row) => row !== at(9)), []],
    ["an acknowledgement is forged", "lost", sound, [{ _tag: "Stored", chat: CHAT, batches: ["w9l9t9.0"] }]],
    ["a mark is not there", "lost", withMarks(messages, first), []],
    ["a row is there twice", "doubled", [...sound, { ...at(0), position: 99 }], []],
    ["a text is there twice", "doubled", [...sound, { ...at(0), id: "again", position: 99 }], []],
    ["a position is there twice", "doubled", [...sound, { ...at(0), id: "again", message: user("x") }], []],
    [
      "half of a batch that nobody was told of is there",
      "torn",
      sound.filter((row) => row.id !== last[0]?.id),
      [],
    ],
    [
      "a row has another content",
      "altered",
      sound.map((row) => (row === at(9) ? { ...at(9), message: user("other") } : row)),
      [],
    ],
    [
      "nobody tried a row",
      "unknown",
      [...sound, { ...at(0), id: "whose", position: 99, message: user("x") }],
      [],
    ],
    ["rows are out of order", "order", sound.toReversed(), []],
    [
      "a summary builds on none, and another is before it",
      "chain",
      withMarks(messages, first, { ...second, previous: null }),
      [],
    ],
    [
      "a summary does not say on what it builds",
      "chain",
      withMarks(messages, first, summaryAt("s2", 4, 8, "lost", 2)),
      [],
    ],
    ["a summary leaves rows out", "cover", withMarks(messages, first, summaryAt("s2", 5, 8, "s1", 2)), []],
    ["a summary covers rows twice", "cover", withMarks(messages, first, summaryAt("s2", 3, 8, "s1", 2)), []],
    [
      "a covered row was another one",
      "cover",
      withMarks(messages, first, { ...second, pass: { ...second.pass, digest: "0" } }),
      [],
    ],
    [
      "a prompt is over its budget",
      "budget",
      sound,
      [{ _tag: "Prompted", chat: CHAT, tokens: 101, limit: 100 }],
    ],
    ["a worker met what may not be", "worker", sound, [{ _tag: "Wrong", chat: CHAT, what: "that" }]],
  ])("notices when %s", (_, kind, rows, more) => {
    assert.include(kindsOf(rows, more), kind)
  })
})
