/** A host that gives out the turns of a chat: a turn whose process died is given out again. */
import { messagesOf } from "@palimpsest/core"
import { Engine, type Step, ThreadStore } from "@palimpsest/core/engine"
import { Effect, Layer } from "effect"
import { alive, type Life } from "./Life.ts"
import { KEY, messagesUntil, OPTIONS, type Turn } from "./Script.ts"
import { servicesOf, type World } from "./World.ts"

/** Rows of the chat, of all kinds, as the store has them. */
export const everything = Effect.gen(function* () {
  const store = yield* ThreadStore
  return (yield* store.page(KEY, 0, 1_000)).rows
})

/** The response to a turn is stored already: its process died between that and telling the host. */
const isOver = (turns: ReadonlyArray<Turn>, turn: number) =>
  Effect.map(everything, (rows) => {
    const messages = rows.filter((row) => row.kind === "message")
    return turns[turn]?._tag === "Say" && messages.length >= messagesUntil(turns, turn + 1)
  })

/** One turn in three stores what was said before the model is asked, as a careful host does. */
const take = Effect.fnUntraced(function* (step: Step, turn: number, one: Turn, world: World, life: Life) {
  if (one._tag === "StartOver") return yield* step.reset
  const said = yield* step.append(one.input)
  if (turn % 3 === 1) {
    yield* step.checkpoint
    world.acknowledged.push(...said)
  }
  const prompt = yield* step.prompt
  yield* alive(life)
  world.prompts.push([turn, JSON.stringify([prompt.system, messagesOf(prompt)])])
  const answered = yield* step.append([{ message: one.response }])
  yield* step.end
  world.acknowledged.push(...said, ...answered)
})

/** One life of a process: from the turn that the host gives out, until it dies or the chat ends. */
export const playOn = (turns: ReadonlyArray<Turn>, world: World, life: Life) =>
  Effect.gen(function* () {
    const engine = yield* Engine
    if (world.turn > 0 || world.prompts.length > 0) {
      if (yield* isOver(turns, world.turn)) world.turn += 1
    }
    for (; world.turn < turns.length; world.turn++) {
      const one = turns[world.turn]
      if (one === undefined) return
      const step = yield* engine.open(KEY, OPTIONS)
      yield* take(step, world.turn, one, world, life)
    }
  }).pipe(Effect.provide(Layer.fresh(Engine.layer).pipe(Layer.provide(servicesOf(world, life)))))
