import {
  assistant,
  emptySummary,
  type Message,
  markId,
  type ThreadKey,
  toolResult,
  user,
} from "@palimpsest/core"
import { Engine, type NewMark, type StepOptions, ThreadEditor, ThreadStore } from "@palimpsest/core/engine"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { fill, fillRewound, TEMPLATE, TENANT } from "./Tables.ts"

/** What a thread has been through before its window. */
export type Shape = "plain" | "hidden" | "rewound" | "forked"

/** A thread to measure. */
export interface Spec {
  readonly shape: Shape
  /** All its rows. */
  readonly rows: number
  /** Rows after its newest cut. */
  readonly window: number
}

/** No pass: what is measured is the reading of a window. */
export const options: StepOptions = {
  system: "Be brief.",
  budget: { window: 4_000_000 },
  policy: { trigger: { fraction: 1, tokens: 4_000_000 } },
}

export const keyOf = ({ shape, rows, window }: Spec): ThreadKey => ({
  tenant: TENANT,
  chat: `${shape} ${rows} ${window}`,
})

/** One turn of four short rows. */
const turn = (n: number): ReadonlyArray<Message> => [
  user(`Question ${n}: where is order ${1000 + n}, and when does it come?`),
  assistant("Let me look.", [
    { id: `call-${n}`, name: "find_order", arguments: JSON.stringify({ order: 1000 + n }) },
  ]),
  toolResult(`call-${n}`, JSON.stringify({ order: 1000 + n, state: "on its way", days: n % 7 }), {
    name: "find_order",
  }),
  assistant(`Order ${1000 + n} is on its way; it comes in ${n % 7} days.`),
]

/** Appends turns through the engine. */
const say = Effect.fnUntraced(function* (key: ThreadKey, prefix: string, from: number, to: number) {
  const engine = yield* Engine
  const step = yield* engine.open(key, options)
  const messages = Array.from({ length: to / 4 }, (_, n) => turn(n + 1)).flat()
  yield* step.append(
    messages.slice(from, to).map((message, i) => ({ id: `${prefix}${from + i + 1}`, message })),
  )
  yield* step.end
})

const pass = {
  cause: "trigger",
  before: 100_000,
  after: 5_000,
  rows: 100,
  digest: "",
  generation: 1,
  outcome: "extractive",
  model: "",
  policy: "",
  weak: 0,
  fallbacks: 0,
} as const

const tokenizer = "estimate"

const fence =
  "<context-summary>\nOrders 1001 to 1100 were asked for, and are on their way.\n</context-summary>"

const put = Effect.fnUntraced(function* (
  key: ThreadKey,
  kind: "summary" | "prune" | "recall",
  anchor: string,
) {
  const store = yield* ThreadStore
  const { revision } = yield* store.load(key)
  const base = { id: markId(key, kind, anchor, revision), anchor, revision }
  const reduction = { row: "r3", patches: [{ part: 0, text: "find_order: found" }], tokens: 9 }
  const marks: Record<typeof kind, NewMark> = {
    summary: {
      ...{ ...base, kind: "summary", summary: emptySummary, text: fence, tokens: 25, tokenizer },
      ...{ head: ["r1", "r2"], carry: [], pass },
    },
    prune: { ...base, kind: "prune", reductions: [reduction], tokenizer, pass },
    recall: {
      ...base,
      kind: "recall",
      text: "<memory-context>\n</memory-context>",
      tokens: 9,
      tokenizer,
      sources: [],
    },
  }
  const outcome = yield* store.mark(key, marks[kind])
  if (outcome._tag !== "Written") yield* Effect.die(`a mark was not written: ${outcome._tag}`)
})

const fail = Effect.fnUntraced(function* (key: ThreadKey, anchor: string) {
  const store = yield* ThreadStore
  yield* store.fail(key, { anchor, stage: "summarise", reason: "time-out", tokens: 100_000 })
})

/** Makes the turn that all loaded rows are copies of. */
export const makeTemplate = Effect.gen(function* () {
  yield* say(TEMPLATE, "r", 0, 4)
  yield* put(TEMPLATE, "prune", "r4")
  yield* put(TEMPLATE, "summary", "r4")
  yield* put(TEMPLATE, "recall", "r4")
  yield* fail(TEMPLATE, "r4")
})

/** Rows that are hidden in the middle of a window, and stretches of a thread that was rewound again and again. */
export const HIDDEN = 5_000
export const REWINDS = 1_000

/** The rows before a window, the newest of which is cut; returns the chat in which the window begins. */
const past = Effect.fnUntraced(function* (spec: Spec) {
  const sql = yield* SqlClient
  const engine = yield* Engine
  const key = keyOf(spec)
  const first = spec.shape === "forked" ? { ...key, chat: `${key.chat}, root` } : key
  yield* engine.open(first, options)
  const covered = spec.shape === "rewound" ? REWINDS : spec.rows - spec.window
  if (spec.shape === "rewound") yield* fillRewound(sql, first, covered)
  else yield* fill(sql, first, 1, covered)
  yield* put(first, "summary", `r${covered}`)
  return { first, anchor: `r${covered}` }
})

/** Makes a thread. In the middle of its window it is rewound or forked, if it is of that shape. */
export const makeThread = Effect.fnUntraced(function* (spec: Spec) {
  const sql = yield* SqlClient
  const editor = yield* ThreadEditor
  const { first, anchor } = yield* past(spec)
  const key = keyOf(spec)
  const half = Math.floor(spec.window / 8) * 4
  const middle = spec.shape === "forked" ? { ...key, chat: `${key.chat}, fork` } : key
  if (spec.shape === "forked") yield* editor.fork(first, middle.chat, anchor)
  yield* say(middle, "live", 0, half)
  if (spec.shape === "hidden") {
    const end = spec.rows - spec.window + half
    yield* fill(sql, key, end + 1, end + HIDDEN)
    yield* editor.rewind(key, `live${half}`)
  }
  if (spec.shape === "forked") yield* editor.fork(middle, key.chat, `live${half}`)
  yield* say(key, "live", half, spec.window)
  yield* put(key, "recall", `live${spec.window - 3}`)
  yield* fail(key, `live${spec.window}`)
})
