/**
 * Law 14, through the engine: what a provider reports is paired with the prompt that it measured, and with no other.
 *
 * @since 0.1.0
 */
import { Effect, Result } from "effect"
import fc from "fast-check"
import { calibrate, overflowReading, type Reading } from "../../count/Calibrate.ts"
import { readUsage } from "../../count/Usage.ts"
import { makeBudget } from "../../decide/Budget.ts"
import { Engine } from "../../engine/Engine.ts"
import type { StepPrompt } from "../../engine/Report.ts"
import type { Step } from "../../engine/Step.ts"
import { assistant, user } from "../../thread/Message.ts"
import { type AnswerAction, type Answers, arbitraryAnswers } from "../arbitraries/Answers.ts"
import { testCounter } from "../arbitraries/Rows.ts"
import { CHAT, copyOf } from "../History.ts"
import { type Law, type Property, property } from "../Law.ts"
import { engineIn, makeWorld, type World } from "../World.ts"
import { same } from "./Look.ts"

/** Above the least estimate that is learnt from. */
const SYSTEM = "Answer in the user's language. ".repeat(80)

/** A prompt that waits for its answer, as the law remembers it. */
interface Waiting {
  readonly estimated: number
  readonly boundary: string | null
}

interface Run {
  readonly answers: Answers
  readonly world: World
  step: Step
  model: string | null
  waiting: Waiting | null
  said: number
  /** Prompts that this process knows to be refused. */
  refused: ReadonlyArray<Reading>
  /** Usage that was reported and is no reading, since the last prompt. */
  unpaired: number
  holds: boolean
}

type Holds = (run: Run, prompt: StepPrompt) => boolean | Effect.Effect<boolean>

const open = Effect.fnUntraced(function* ({ window, tools }: Answers, model: string | null) {
  const engine = yield* Engine
  const budget = { window, tools, reserve: 200, margin: 0 }
  return yield* engine.open(CHAT, { system: SYSTEM, budget, ...(model === null ? {} : { model }) })
})

const openIn = (world: World, answers: Answers, model: string | null): Effect.Effect<Step> =>
  open(answers, model).pipe(Effect.orDie, Effect.provide(engineIn(world)))

const start = Effect.fnUntraced(function* (run: Run, model: string | null) {
  run.step = yield* openIn(run.world, run.answers, model)
  Object.assign(run, { model, waiting: null, refused: [], unpaired: 0 })
})

const text = (run: Run, size: number): string => {
  run.said += 1
  return `${run.said}: ${"word ".repeat(size)}`
}

const ask = Effect.fnUntraced(function* (run: Run, kind: "prompt" | "compact", holds: Holds) {
  const made = yield* Effect.result(kind === "prompt" ? run.step.prompt : run.step.compact())
  if (Result.isFailure(made)) return
  const held = holds(run, made.success)
  run.holds &&= typeof held === "boolean" ? held : yield* held
  const thread = yield* run.step.thread
  run.unpaired = 0
  run.waiting = {
    estimated: made.success.tokens.total + run.answers.tools,
    boundary: thread.cut?.id ?? null,
  }
})

const targetOf = ({ model }: Run) => ({ model: model ?? "", counter: testCounter.name })

const refusal = (run: Run): ReadonlyArray<Reading> =>
  run.waiting === null ? [] : [overflowReading({ ...targetOf(run), ...run.waiting }, run.answers.window)]

/** The reading that must stand on a response. */
const expected = (run: Run, usage: unknown): Reading | undefined => {
  const read = readUsage(usage, { window: run.answers.window })
  const { model, waiting } = run
  if (waiting === null || model === null || read._tag !== "Measured") return undefined
  const { boundary, estimated } = waiting
  return { ...targetOf(run), boundary, estimated, real: read.input }
}

const respond = Effect.fnUntraced(function* (run: Run, size: number, usage: unknown, after: boolean) {
  const between = after ? [{ message: user(text(run, 3)) }] : []
  if (after) run.waiting = null
  const reading = expected(run, usage)
  const response = { message: assistant(text(run, size)), usage }
  const ids = yield* Effect.orDie(run.step.append([...between, response]))
  const { rows } = yield* run.step.thread
  const row = rows.find((one) => one.id === ids.at(-1))
  run.holds &&= row?.kind === "message" && same(row.usage, reading)
  if (reading === undefined && usage !== undefined && usage !== null) run.unpaired += 1
  run.waiting = null
})

const act = Effect.fnUntraced(function* (run: Run, action: AnswerAction, holds: Holds) {
  switch (action.tag) {
    case "say":
      run.waiting = null
      return yield* Effect.orDie(run.step.append([{ message: user(text(run, action.size)) }]))
    case "prompt":
    case "compact":
      return yield* ask(run, action.tag, holds)
    case "answer": {
      const real = Math.round((run.waiting?.estimated ?? 800) * action.times)
      return yield* respond(run, action.size, { prompt_tokens: real, completion_tokens: 5 }, action.after)
    }
    case "odd":
      return yield* respond(run, 5, action.usage, false)
    case "overflowed":
      run.refused = [...run.refused, ...refusal(run)]
      run.waiting = null
      return yield* run.step.overflowed
    case "reset":
      return yield* Effect.orDie(run.step.reset)
    case "kill":
      return yield* start(run, run.model)
    case "reopen":
      yield* Effect.orDie(run.step.checkpoint)
      return yield* start(run, action.model)
  }
})

const onAnswers = (name: string, holds: Holds): Property =>
  property(
    name,
    fc.asyncProperty(arbitraryAnswers, (answers) =>
      Effect.runPromise(
        Effect.gen(function* () {
          const world = makeWorld()
          const { model } = answers
          const step = yield* openIn(world, answers, model)
          const clean = { waiting: null, said: 0, refused: [], unpaired: 0, holds: true }
          const run: Run = { answers, world, step, model, ...clean }
          for (const action of answers.actions) yield* act(run, action, holds)
          return run.holds
        }),
      ),
    ),
  )

const isPaired = onAnswers(
  "a reading stands on the answer of the prompt that it measured, or it is told why there is none",
  ({ unpaired }, { degraded }) => degraded.filter(({ stage }) => stage === "usage").length === unpaired,
)

const fits = onAnswers(
  "each prompt fits by the provider's own counts, as far as they are known",
  ({ answers, refused }, { calibration: { factor, ceiling }, tokens }) => {
    const { window, reserve, margin, tools } = makeBudget({ ...answers, reserve: 200, margin: 0 })
    const estimated = tokens.total + tools
    const isBelow = ceiling === null ? true : estimated < ceiling && refused.length > 0
    return estimated * factor <= window - reserve - margin + 1e-6 && isBelow
  },
)

/** After a cut nothing on the rows is of its boundary; until the next one, everything that was read since is. */
const isLearnt = onAnswers(
  "a prompt is corrected by what the rows since the cut say of its model",
  (run, prompt) =>
    Effect.map(run.step.thread, ({ cut, rows }) => {
      const read = rows.flatMap((row) =>
        row.kind === "message" && row.usage !== undefined ? [row.usage] : [],
      )
      const target = { ...targetOf(run), boundary: cut?.id ?? null }
      return same(prompt.calibration, calibrate([...read, ...run.refused], target))
    }),
)

/** The next process opens the thread, and knows what this one knows; not what was refused, which no row holds. */
const survives = onAnswers("a process that opens the thread counts as the one before it", (run, prompt) =>
  Effect.gen(function* () {
    if (run.refused.length > 0) return true
    yield* Effect.orDie(run.step.checkpoint)
    const other = yield* openIn(makeWorld(copyOf(run.world.memory)), run.answers, run.model)
    const made = yield* Effect.result(other.prompt)
    return Result.isSuccess(made) && same(made.success.calibration, prompt.calibration)
  }),
)

/**
 * Holds law 14 for the engine: readings are of the prompt, the model and the boundary that they name, they are kept
 * with the thread, and the next prompt obeys them.
 *
 * @category laws
 * @since 0.1.0
 */
export const readingsLaw: Law = {
  number: 14,
  title: "readings",
  properties: [isPaired, isLearnt, fits, survives],
}
