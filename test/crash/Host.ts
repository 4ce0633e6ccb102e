/** A host that gives out the turns of a chat: a turn whose process died is given out again. */
import { messagesOf, type ThreadKey } from "@palimpsest/core"
import { Engine, type Step, type StepPrompt, ThreadEditor, ThreadStore } from "@palimpsest/core/engine"
import { Effect, Layer } from "effect"
import { alive, type Life } from "./Life.ts"
import { keyAt, messagesUntil, OPTIONS, type Turn } from "./Script.ts"
import { servicesOf, type World } from "./World.ts"

/** When all of a chat is said: a turn that is given out again says the same, at the same time. */
const SAID = 1_700_000_000_000

const dated = <M extends object>(input: M) => ({ ...input, at: SAID })

/** Rows of a chat, of all kinds, as the store shows them. */
export const everything = Effect.fnUntraced(function* (key: ThreadKey) {
  const store = yield* ThreadStore
  return (yield* store.page(key, 0, 1_000)).rows
})

/** The response to a turn is stored already: its process died between that and telling the host. */
const isOver = Effect.fnUntraced(function* (turns: ReadonlyArray<Turn>, turn: number) {
  if (turns[turn]?._tag !== "Say") return false
  const rows = yield* everything(keyAt(turns, turn))
  return rows.filter((row) => row.kind === "message").length >= messagesUntil(turns, turn + 1)
})

const keep = (world: World, turn: number, prompt: StepPrompt) =>
  world.prompts.push([turn, JSON.stringify([prompt.system, messagesOf(prompt)])])

type Say = Extract<Turn, { readonly _tag: "Say" }>

/** One turn in three stores what was said before the model is asked, as a careful host does. */
const say = Effect.fnUntraced(function* (step: Step, turn: number, one: Say, world: World, life: Life) {
  const said = yield* step.append(one.input.map(dated))
  if (turn % 3 === 1) {
    yield* step.checkpoint
    world.acknowledged.push(...said)
  }
  const prompt = yield* step.prompt
  yield* alive(life)
  keep(world, turn, prompt)
  const answered = yield* step.append([dated({ message: one.response })])
  yield* step.end
  world.acknowledged.push(...said, ...answered)
})

/** What was acknowledged may be hidden or removed from here on. */
const forget = (world: World) => Effect.sync(() => void world.acknowledged.splice(0))

const take = Effect.fnUntraced(function* (step: Step, turn: number, one: Turn, world: World, life: Life) {
  const editor = yield* ThreadEditor
  world.rejects = one._tag === "Say" && one.rejects === true
  life.mood = world.rejects ? "in vain" : one._tag === "Compact" ? "by hand" : "by the model"
  switch (one._tag) {
    case "Say":
      return yield* say(step, turn, one, world, life)
    case "StartOver":
      return yield* step.reset
    case "Compact": {
      const prompt = yield* step.compact({ focus: one.focus })
      yield* alive(life)
      return keep(world, turn, prompt)
    }
    case "Rewind":
      yield* forget(world)
      return yield* step.rewind(one.to)
    case "Edit":
      return yield* step.edit({ id: one.id, message: one.message })
    case "Fork":
      return yield* editor.fork(step.key, one.chat)
    case "Remove":
      yield* forget(world)
      return yield* editor.remove({ ...step.key, chat: one.chat })
  }
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
      const step = yield* engine.open(keyAt(turns, world.turn), OPTIONS)
      yield* take(step, world.turn, one, world, life)
    }
  }).pipe(Effect.provide(Layer.fresh(Engine.layer).pipe(Layer.provide(servicesOf(world, life)))))
