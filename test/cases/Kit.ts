/** What the cases of windows and passes share: small threads, one look at them, and an engine with fakes. */
import {
  advance,
  assistant,
  type Circumstances,
  type Decision,
  type Delta,
  decide,
  defaultAccounting,
  defaultPolicy,
  defaultStubs,
  emptySummary,
  emptyThread,
  type Group,
  type Grouping,
  groupsOf,
  layout,
  limitsOf,
  type Message,
  type MessageRow,
  makeBudget,
  messagesOf,
  middleOf,
  openWindow,
  type Pass,
  type Policy,
  type Prompt,
  type Row,
  redact,
  renderSummaryFence,
  type Settings,
  type SummaryRow,
  type Thread,
  textOf,
  toolResult,
  user,
  type Window,
  zonesOf,
} from "@palimpsest/core"
import {
  Engine,
  type Facts,
  type LongTermMemory,
  type StepOptions,
  Summariser,
  type SummariserError,
  type SummaryRequest,
  type ThreadEditor,
  ThreadStore,
  Tokens,
} from "@palimpsest/core/engine"
import { type OpenAiFault, toOpenAiChat, validateOpenAiChat } from "@palimpsest/core/formats/openai-chat"
import { type MemoryState, makeMemoryState, rowsOf, testCounter } from "@palimpsest/core/testing"
import { Effect, Layer } from "effect"

/** A text of `n` tokens under `testCounter`. */
export const words = (n: number, word = "abc"): string => `${word} `.repeat(n).slice(0, 4 * n)

/** A response that calls tools by these ids. */
export const calls = (...ids: ReadonlyArray<string>): Message =>
  assistant(
    "",
    ids.map((id) => ({ id, name: "read", arguments: JSON.stringify({ path: `src/${id}.ts` }) })),
  )

/** A response that calls one tool whose answer the host announces. */
export const awaiting = (id: string): Message =>
  assistant("", [{ id, name: "confirm", arguments: "{}", pending: true }])

/** The result of a call, of so many tokens. */
export const result = (call: string, tokens: number): Message =>
  toolResult(call, `result of ${call} ${words(tokens)}`)

/** A call and its result. */
export const used = (call: string, tokens: number): ReadonlyArray<Message> => [
  calls(call),
  result(call, tokens),
]

/** Questions and answers of so many tokens. */
export const talk = (turns: number, tokens: number, about = "it"): ReadonlyArray<Message> =>
  Array.from({ length: turns }, (_, i) => [
    user(`Question ${i} about ${about}`),
    assistant(`Answer ${i} about ${about} ${words(tokens)}`),
  ]).flat()

export const settings = (window: number, policy: Partial<Policy> = {}): Settings => ({
  counter: testCounter,
  accounting: defaultAccounting,
  budget: makeBudget({ window }),
  policy: { ...defaultPolicy, ...policy },
  stubs: defaultStubs,
  redact,
})

export const SYSTEM = "You are a careful assistant."

/** The thread of these messages: rows `m1`, `m2`, … */
export const threadOf = (messages: ReadonlyArray<Message>, system = SYSTEM): Thread =>
  rowsOf(messages).reduce(advance, emptyThread(system))

export interface Look {
  readonly window: Window
  readonly grouping: Grouping
  readonly decision: Decision
  /** What is sent if nothing is done before. */
  readonly prompt: Prompt
}

export const look = (thread: Thread, options: Settings, circumstances: Circumstances = {}): Look => {
  const window = openWindow(thread, options)
  const grouping = groupsOf(window, options)
  const decision = decide(window, grouping, options, circumstances)
  const view = decision._tag === "Truncate" ? decision.view : null
  return { window, grouping, decision, prompt: layout(window, grouping, options, view) }
}

/** The mark of a summary of nothing much after a row, as a pass of these numbers left it. */
export const summaryRow = (anchor: MessageRow, pass: Partial<Pass> = {}): SummaryRow => {
  const text = renderSummaryFence({
    items: [{ id: "00000001", kind: "fact", text: "Something.", sources: [anchor.id] }],
  })
  return {
    kind: "summary",
    id: `summary of ${anchor.id}`,
    position: anchor.position,
    anchor: anchor.id,
    revision: 0,
    summary: emptySummary,
    text,
    tokens: testCounter.count(text),
    tokenizer: testCounter.name,
    head: [],
    carry: [],
    pass: {
      cause: "trigger",
      before: 0,
      after: 0,
      rows: 0,
      digest: "",
      generation: 1,
      outcome: "model",
      model: "fake",
      policy: "",
      weak: 0,
      fallbacks: 0,
      ...pass,
    },
  }
}

/** Ids of the rows that a prompt sends, in order. */
export const sentRows = (prompt: Prompt): ReadonlyArray<string> =>
  prompt.slots.flatMap((slot) => slot.row ?? [])

/** The texts that a prompt sends, in order, without the system prompt. */
export const sentTexts = (prompt: Prompt): ReadonlyArray<string> =>
  messagesOf(prompt).map((message) => textOf(message.parts))

/** What a strict provider would refuse of a prompt. */
export const faultsOf = (prompt: Prompt): ReadonlyArray<OpenAiFault> =>
  validateOpenAiChat(toOpenAiChat(messagesOf(prompt), { system: prompt.system }))

/** The cuts that a thread can get, over tails of every size: the rows covered, and those that stay verbatim. */
export const everyCut = (
  messages: ReadonlyArray<Message>,
): ReadonlyArray<{ readonly covered: ReadonlyArray<string>; readonly stays: ReadonlyArray<string> }> => {
  const options = settings(100_000)
  const window = openWindow(threadOf(messages), options)
  const { groups } = groupsOf(window, options)
  const idsOf = (all: ReadonlyArray<Group>) =>
    all.flatMap((group) => group.entries.map((entry) => entry.row.id))
  const sizes = groups.map((_, i) => groups.slice(i).reduce((sum, group) => sum + group.tokens, 0))
  const cuts = new Map<string, { covered: ReadonlyArray<string>; stays: ReadonlyArray<string> }>()
  for (const tail of sizes.flatMap((size) => [size - 1, size]))
    for (const tailGroups of [0, 1, 3]) {
      const policy = { ...options.policy, tailGroups }
      const limits = { ...limitsOf(policy, options.budget, 0), tail, tailMax: tail, head: 0 }
      const zones = zonesOf(window, groups, limits, policy, "whole")
      const kept = [...zones.head, ...zones.carry]
      const covered = idsOf(middleOf(groups, zones).filter((group) => !kept.includes(group)))
      cuts.set(covered.join(), { covered, stays: idsOf([...kept, ...zones.tail]) })
    }
  return [...cuts.values()]
}

type Answer = Effect.Effect<Delta, SummariserError>

/** A summariser that answers as told and keeps what it was asked. */
export const summariserOf = (
  answer: (request: SummaryRequest, call: number) => Answer,
  window = 100_000,
): { readonly asked: Array<SummaryRequest>; readonly layer: Layer.Layer<Summariser> } => {
  const asked: Array<SummaryRequest> = []
  const summarise = (request: SummaryRequest) =>
    Effect.suspend(() => {
      asked.push(request)
      return answer(request, asked.length)
    })
  return { asked, layer: Layer.succeed(Summariser, Summariser.of({ name: "fake", window, summarise })) }
}

/** An honest summariser: one fact of each request, naming its first row. */
export const honest = (request: SummaryRequest): Answer =>
  Effect.succeed({
    add: [{ kind: "fact", text: `Covered from ${request.rows[0]}.`, sources: request.rows.slice(0, 1) }],
    resolve: [],
    drop: [],
  })

export interface Plugs {
  readonly state?: MemoryState
  readonly summariser?: Layer.Layer<Summariser>
  readonly facts?: Layer.Layer<Facts>
  readonly memory?: Layer.Layer<LongTermMemory>
}

/** Runs a program over an engine and a store in memory. */
export const run = <A, E>(
  program: Effect.Effect<A, E, Engine | ThreadEditor | ThreadStore>,
  plugs: Plugs = {},
): Promise<A> => {
  const store = (plugs.state ?? makeMemoryState()).layer
  const services = Layer.mergeAll(
    store,
    Layer.succeed(Tokens, testCounter),
    plugs.summariser ?? Layer.empty,
    plugs.facts ?? Layer.empty,
    plugs.memory ?? Layer.empty,
  )
  return Effect.runPromise(Effect.provide(program, Layer.provideMerge(Engine.layer, services)))
}

export const KEY = { tenant: "t", chat: "c" }

/** Opens a step as a new process would. */
export const open = Effect.fnUntraced(function* (
  window: number,
  options: Partial<StepOptions> = {},
  key = KEY,
) {
  const engine = yield* Engine
  return yield* engine.open(key, { budget: { window }, system: SYSTEM, ...options })
})

/** Messages as a step takes them, with ids from `m` and a number on. */
export const inputs = (messages: ReadonlyArray<Message>, from = 1) =>
  messages.map((message, i) => ({ id: `m${from + i}`, message }))

/** Every row of a thread, as stored. */
export const allRows = Effect.fnUntraced(function* (key = KEY) {
  const store = yield* ThreadStore
  const page = yield* store.page(key, 0, 10_000)
  return page.rows as ReadonlyArray<Row>
})
