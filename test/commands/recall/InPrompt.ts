/** How much of the evidence of questions is before the model's eyes, after a chat was compacted many times. */
import { messagesOf, sentences, textOf, user } from "@palimpsest/core"
import {
  Engine,
  MemoryIndex,
  type StepOptions,
  searchMemory,
  ThreadEditor,
  Tokens,
} from "@palimpsest/core/engine"
import { Effect, Layer } from "effect"
import { messageOf, TENANT } from "./Evidence.ts"
import type { Dialogue, Turn } from "./Locomo.ts"

/** Tokens of the summary, of the block of memories, and of what stays verbatim. */
const SUMMARY = 2_000
const RECALL = 495
const TAIL = 1_500

/** Passes that each dialogue goes through at least. */
const PASSES = 7

/** What came of one dialogue. */
export interface Prompted {
  readonly passes: number
  readonly summaryTokens: number
  /** For each question, whether all its evidence is in the prompt: with memories, and without. */
  readonly with: ReadonlyArray<boolean>
  readonly without: ReadonlyArray<boolean>
  /** Tokens of the block of memories of each prompt. */
  readonly recall: ReadonlyArray<number>
}

/** A window in which the dialogue is compacted often enough: what is added between two passes is an eighth of it and less. */
const optionsFor = (tokens: number): StepOptions => {
  const trigger = SUMMARY + TAIL + RECALL + Math.floor(tokens / (PASSES + 3))
  return {
    // A trigger below half of the window would be raised to it.
    budget: { window: 2 * trigger, reserve: 0, margin: 0 },
    policy: {
      trigger: { fraction: 1, tokens: trigger },
      target: 1,
      tail: { fraction: 1, tokens: TAIL },
      tailGroups: 1,
      head: { fraction: 1, tokens: 1 },
      summary: { fraction: 1, tokens: SUMMARY },
      constraints: { fraction: 1, tokens: 1 },
      recall: { fraction: 1, tokens: RECALL },
    },
  }
}

const oneLine = (text: string): string => text.replace(/\s+/g, " ")

/** A turn is there when each of its sentences is, word for word. */
const isThere = (prompt: string, turn: Turn | undefined): boolean =>
  turn !== undefined && sentences(turn.text).every((sentence) => prompt.includes(oneLine(sentence)))

const textsOf = (messages: ReturnType<typeof messagesOf>): string =>
  oneLine(messages.map((message) => textOf(message.parts)).join("\n"))

/** Every so many turns a prompt is made, as a model would be asked. */
const EVERY = 4

const playThrough = Effect.fnUntraced(function* ({ name, turns }: Dialogue, options: StepOptions) {
  const engine = yield* Engine
  // An owner of its own: what was brought in for the searches is not found twice.
  const chat = `${name} played`
  const step = yield* engine.open({ tenant: TENANT, chat }, { ...options, owner: chat })
  let passes = 0
  for (const [i, turn] of turns.entries()) {
    yield* step.append([{ id: turn.id, message: messageOf(turn), at: turn.at }])
    if (i % EVERY !== 0) continue
    passes += (yield* step.prompt).passes.filter(({ kind }) => kind === "summary").length
  }
  const { tokens } = yield* step.prompt
  yield* step.end
  return { key: step.key, passes, summaryTokens: tokens.summary }
})

/** Plays a dialogue, and asks its questions, each in a fork of it. */
export const findInPrompts = Effect.fnUntraced(function* (
  dialogue: Dialogue,
  count: (text: string) => number,
) {
  const { name, turns, questions } = dialogue
  const options = optionsFor(turns.reduce((sum, { text }) => sum + count(text), 0))
  const bare = Layer.fresh(Layer.provide(Engine.layer, Tokens.layer))
  const { key, passes, summaryTokens } = yield* Effect.provide(playThrough(dialogue, options), bare)
  const index = yield* MemoryIndex
  while ((yield* index.index(TENANT)).left);
  const editor = yield* ThreadEditor
  const byId = new Map(turns.map((turn) => [turn.id, turn]))
  const asking = Layer.fresh(Layer.provide(Engine.layer, Layer.merge(Tokens.layer, searchMemory)))
  const ask = Effect.fnUntraced(function* (question: string, i: number) {
    const engine = yield* Engine
    const step = yield* engine.open(yield* editor.fork(key, `${name} question ${i}`), options)
    yield* step.append([{ message: user(question) }])
    const prompt = yield* step.prompt
    const messages = messagesOf(prompt)
    const isRecall = (text: string) => text.startsWith("<memory-context>")
    return {
      all: textsOf(messages),
      bare: textsOf(messages.filter(({ parts }) => !isRecall(textOf(parts)))),
      tokens: prompt.tokens.recall,
    }
  })
  const found = yield* Effect.provide(
    Effect.forEach(questions, ({ question }, i) => ask(question, i)),
    asking,
  )
  const holds = (prompt: string, i: number) =>
    questions[i]?.evidence.every((id) => isThere(prompt, byId.get(id))) === true
  const result: Prompted = {
    passes,
    summaryTokens,
    with: found.map(({ all }, i) => holds(all, i)),
    without: found.map(({ bare: without }, i) => holds(without, i)),
    recall: found.map(({ tokens }) => tokens),
  }
  return result
})
