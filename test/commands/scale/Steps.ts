import { assistant, markId, type ThreadKey, user } from "@palimpsest/core"
import { Engine, ThreadStore } from "@palimpsest/core/engine"
import { Effect } from "effect"
import { options } from "./Threads.ts"

/** A step as a host takes it: open, a question, the prompt, an answer, end. Returns the slots of its prompt. */
export const takeStep = Effect.fnUntraced(function* (key: ThreadKey) {
  const engine = yield* Engine
  const step = yield* engine.open(key, options)
  yield* step.append([{ id: "question", message: user("And the next one?") }])
  const { decisions, slots } = yield* step.prompt
  yield* step.append([{ id: "answer", message: assistant("It comes tomorrow.") }])
  yield* step.end
  const { faults } = yield* step.thread
  if (decisions[0]?._tag !== "Keep" || faults.length > 0)
    yield* Effect.die(`${key.chat}: ${decisions[0]?._tag}, ${faults.length} faults`)
  return slots.length
})

/** What a pass, a `recall` tool and a person who scrolls ask for beside a step. */
export const askTheRest = Effect.fnUntraced(function* (key: ThreadKey, window: number) {
  const store = yield* ThreadStore
  const { revision, cut } = yield* store.load(key)
  const anchor = `live${window}`
  yield* store.fail(key, { anchor, stage: "flush", reason: "no answer", tokens: 1000 })
  yield* store.row(key, "r2")
  yield* store.draft(key, "draft")
  yield* store.saveDraft(key, "draft", "text")
  yield* store.page(key, 0, 40)
  yield* store.page(key, Math.floor((cut?.position ?? 0) / 2), 40)
  yield* store.page(key, cut?.position ?? 0, 40)
  const id = markId(key, "reset", anchor, revision)
  const outcome = yield* store.mark(key, { kind: "reset", id, anchor, revision })
  if (outcome._tag !== "Written") yield* Effect.die(`a mark was not written: ${outcome._tag}`)
})
