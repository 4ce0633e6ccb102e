/**
 * Law 19: nothing that the redactor hides leaves a thread for a summariser, a summary or a record of a failure. Facts are
 * redacted by what extracts them, documents by what indexes them.
 *
 * @since 0.1.0
 */
import { Effect, Layer } from "effect"
import fc from "fast-check"
import { Engine } from "../../engine/Engine.ts"
import { SummariserError } from "../../engine/Errors.ts"
import { Redactor } from "../../engine/Redactor.ts"
import type { StepPrompt } from "../../engine/Report.ts"
import { Summariser, type SummaryRequest } from "../../engine/Summariser.ts"
import { Tokens } from "../../engine/Tokens.ts"
import { extractDelta } from "../../summary/Extract.ts"
import type { Delta } from "../../summary/Item.ts"
import type { Redact } from "../../summary/SafeRedact.ts"
import { assistant, type Message, toolResult, user } from "../../thread/Message.ts"
import { testCounter } from "../arbitraries/Rows.ts"
import { type Law, property } from "../Law.ts"
import { makeMemoryState } from "../MemoryStore.ts"

const SECRET = "swordfish-7719"

/** The secret, and either half of it: a text that is cut before it is redacted keeps one. */
const TRACE = /swordfi|sh-7719/

const hide: Redact = (text) => text.replaceAll(SECRET, "[hidden]")

const refuse: Redact = (text) => {
  if (text.includes(SECRET)) throw new TypeError("blocked")
  return text
}

interface Scene {
  readonly redact: Redact
  readonly answers: "copies" | "extracts" | "fails"
  readonly onFailure: "extractive" | "hold"
  /** Tokens: small ones are passed by a single turn. */
  readonly window: number
  /** Words before and after the secret, in each turn. */
  readonly turns: ReadonlyArray<readonly [number, number]>
}

const arbitraryScene: fc.Arbitrary<Scene> = fc.record({
  redact: fc.constantFrom(hide, refuse),
  answers: fc.constantFrom("copies", "extracts", "fails"),
  onFailure: fc.constantFrom("extractive", "hold"),
  window: fc.constantFrom(1_500, 4_000, 16_000),
  turns: fc.array(fc.tuple(fc.nat(150), fc.nat(150)), { minLength: 4, maxLength: 8 }),
})

const words = (count: number, from: number): string =>
  Array.from({ length: count }, (_, i) => `word${from + i}`).join(" ")

/** A turn in which every text tells the secret. */
const turnOf = ([before, after]: readonly [number, number], i: number): ReadonlyArray<Message> => {
  const told = `${words(before, i)} ${SECRET} ${words(after, i)}`
  const call = {
    type: "tool-call",
    id: `c${i}`,
    name: "find",
    arguments: JSON.stringify({ told, i }),
  } as const
  return [
    user(`Never tell ${SECRET}. ${told}`),
    { role: "assistant", parts: [{ type: "reasoning", text: told }, { type: "text", text: told }, call] },
    toolResult(`c${i}`, `error ${i}: ${told}`),
    assistant(`We decided to use ${SECRET}. ${told}`),
  ]
}

/** A summariser that gives back what it was sent. */
const copied = ({ transcript, rows, focus = "" }: SummaryRequest): Delta => ({
  add: [{ kind: "fact", text: `${focus} ${transcript}`, sources: rows.slice(0, 1) }],
  resolve: [],
  drop: [],
})

const extracted = ({ messages, previous, maxTokens }: SummaryRequest): Delta =>
  extractDelta(messages, { previous, maxTokens, counter: testCounter, redact: (text) => text })

const down = Effect.fail(
  new SummariserError({ summariser: "test", reason: "Unreachable", isRetryable: false, detail: "down" }),
)

const CHAT = { tenant: "t", chat: "c" }

/** Plays a scene, and returns everything that left the thread, the prompts, and whether one told a failed redaction. */
const playOut = Effect.fnUntraced(function* ({ redact, answers, onFailure, window, turns }: Scene) {
  const left: Array<unknown> = []
  const state = makeMemoryState()
  const summariser = Summariser.of({
    name: "test",
    window: 100_000,
    summarise: (request) =>
      Effect.suspend(() => {
        left.push(request)
        return answers === "fails"
          ? down
          : Effect.succeed(answers === "copies" ? copied(request) : extracted(request))
      }),
  })
  const layer = Engine.layer.pipe(
    Layer.provide([
      state.layer,
      Layer.succeed(Summariser, summariser),
      Layer.succeed(Redactor, redact),
      Layer.succeed(Tokens, testCounter),
    ]),
  )
  const prompts: Array<StepPrompt> = []
  const play = Effect.gen(function* () {
    const engine = yield* Engine
    for (const [i, turn] of turns.entries()) {
      const step = yield* engine.open(CHAT, { budget: { window }, policy: { onFailure, tailGroups: 1 } })
      const [question, ...rest] = turnOf(turn, i).map((message, at) => ({ id: `m${i}.${at}`, message }))
      yield* step.append(question === undefined ? [] : [question])
      const asked = yield* Effect.result(step.prompt)
      if (asked._tag === "Success") prompts.push(asked.success)
      yield* step.append(rest)
      const isLast = i === turns.length - 1
      const made = isLast ? yield* Effect.result(step.compact({ focus: `what ${SECRET} is` })) : asked
      if (isLast && made._tag === "Success") prompts.push(made.success)
      yield* step.end
    }
  })
  yield* Effect.provide(play, layer)
  const { marks, failures, drafts } = state.chat(CHAT)
  const summaries = marks.filter(({ payload }) => payload.includes('"summary"'))
  return { left: [left, summaries, failures, [...drafts]], prompts }
})

const nothing = property(
  "what it hides is in no request, no summary and no record, on every path of a pass",
  fc.asyncProperty(arbitraryScene, async (scene) => {
    const { left } = await Effect.runPromise(playOut(scene))
    return !TRACE.test(JSON.stringify(left))
  }),
)

const told = property(
  "a text on which it fails is withheld, and the prompt before which that was tells it",
  fc.asyncProperty(arbitraryScene, async (scene) => {
    const { prompts } = await Effect.runPromise(playOut({ ...scene, redact: refuse }))
    return prompts.every(
      ({ passes, degraded }) =>
        passes.every(({ mark }) => mark.kind !== "summary") ||
        degraded.some(({ stage }) => stage === "redact"),
    )
  }),
)

/**
 * Holds law 19: what the redactor hides does not leave a thread, by whatever path; where it fails, nothing leaves, and it
 * is told.
 *
 * @category laws
 * @since 0.1.0
 */
export const redactionsLaw: Law = { number: 19, title: "Redaction", properties: [nothing, told] }
