/**
 * Law 12 of the recall tool: no hint in a prompt dangles.
 *
 * @since 0.1.0
 */
import { Effect } from "effect"
import { defaultPolicy } from "../../decide/Policy.ts"
import type { StepPrompt } from "../../engine/Report.ts"
import type { Step } from "../../engine/Step.ts"
import { fullTextOf } from "../../recall/FullText.ts"
import { readAddress } from "../../thread/Address.ts"
import { textOf } from "../../thread/Message.ts"
import { isPrompt, onHistories, openIn, type Trace } from "../History.ts"
import type { Property } from "../Law.ts"
import { stretchesIn } from "./RecallPages.ts"

const HINT = /recall\(("(?:[^"\\]|\\.)*")\)/g

/** Sources as a summary names them behind its items. */
const SOURCES = /; rows? ([^\]\n]+)\]$/gm

const textsOf = ({ slots }: StepPrompt): ReadonlyArray<string> =>
  slots.flatMap(({ message, row }) => {
    const all = message.parts.map((part) => {
      if (part.type === "tool-result") return textOf(part.content)
      return part.type === "text" && (row === null || message.role === "user") ? part.text : ""
    })
    return all
  })

/** What a model would give as an id: what stands in a hint, and the rows that a summary names. */
export const hintsIn = (prompt: StepPrompt): ReadonlyArray<string> => [
  ...new Set(
    textsOf(prompt).flatMap((text) => [
      ...[...text.matchAll(HINT)].map(([, literal = ""]) => literal),
      ...(text.startsWith("<context-summary>")
        ? [...text.matchAll(SOURCES)].flatMap(([, rows = ""]) => rows.split(", "))
        : []),
    ]),
  ),
]

/** All pages of a row, as the tool gives them. */
const readAll = Effect.fnUntraced(function* (step: Step, id: string) {
  let text = ""
  for (let page = 0; ; ) {
    const answer = yield* step.handle(JSON.stringify({ ids: [id], page }))
    const [shown] = stretchesIn(answer.text)
    if (answer.isError || shown === undefined || shown.from !== page) return null
    text += shown.text
    if (shown.to === shown.total) return text
    if (shown.to <= page) return null
    page = shown.to
  }
})

const isWhole = Effect.fnUntraced(function* (step: Step, id: string) {
  const literal: unknown = id.startsWith('"') ? JSON.parse(id) : id
  const address = readAddress(String(literal))
  const row = yield* Effect.orDie(step.recall(address.row))
  return row !== null && address.chat === null && (yield* readAll(step, id)) === fullTextOf(row.message)
})

/** A process with room for answers, where nothing fails any more. */
const calmStep = Effect.fnUntraced(function* ({ world, history, step }: Trace) {
  world.failIn = null
  yield* Effect.orDie(step.checkpoint)
  const { result, target, trigger } = defaultPolicy
  const policy = { ...history.policy, target, trigger, result }
  return yield* openIn(world, { ...history, policy }, { window: 64_000 })
})

/**
 * The properties of what prompts say of the recall tool.
 *
 * @category laws
 * @since 0.1.0
 */
export const recallHints: ReadonlyArray<Property> = [
  onHistories("each hint in a prompt, given to the recall tool, gives all of a row", (trace) =>
    Effect.gen(function* () {
      // What a process had not stored is gone with it, and its prompts as well.
      const last = trace.prompts.at(-1)?.process
      const alive = trace.prompts.filter(({ process }) => process === last)
      const prompts = alive.map(({ result }) => result).filter(isPrompt)
      const hints = new Set(prompts.flatMap(hintsIn))
      const step = yield* calmStep(trace)
      const whole = yield* Effect.forEach([...hints].slice(-12), (id) => isWhole(step, id))
      return whole.every((held) => held)
    }),
  ),
]
