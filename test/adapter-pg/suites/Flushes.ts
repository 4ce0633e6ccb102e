/** The flush with all its real parts: extractor, checks, and the facts in tables, on each path of a pass. */
import { factsLayer, offlineFacts } from "@palimpsest/adapter-llm"
import { assistant, user } from "@palimpsest/core"
import { Engine, FactStore, Facts, FlushError, type Step, Tokens } from "@palimpsest/core/engine"
import { Effect, Layer } from "effect"
import { assert, describe, it } from "vitest"
import { type Bench, freshKey } from "./Damage.ts"

const TURNS = 20

/** Those of the first process. */
const FIRST = 14

const words = (count: number): string => Array.from({ length: count }, (_, i) => `word${i}`).join(" ")

/** Facts in the first turns, one of them changed later, and much else. */
const said = (turn: number): string => {
  if (turn === 0) return "My name is Anna. I live in Lviv."
  if (turn === 1) return "I prefer tea with milk."
  return turn === 3 ? "I live in Kyiv." : `Go on with part ${turn}, please.`
}

const messages = Array.from({ length: TURNS }, (_, i) => [
  { id: `u${i}`, message: user(said(i)), at: 1000 + 2 * i },
  { id: `a${i}`, message: assistant(`Part ${i}: ${words(60)}`), at: 1001 + 2 * i },
])

/** What goes wrong when a flush is asked for the first time. */
type Trouble = "nothing" | "before" | "after"

/** The first flush of a chat fails before anything is stored, or after everything is. */
const troubled = (trouble: Trouble) =>
  Layer.effect(
    Facts,
    Effect.map(Facts, (facts) => {
      let left = trouble === "nothing" ? 0 : 1
      return Facts.of({
        flush: (request) =>
          Effect.suspend(() => {
            if (left-- <= 0) return facts.flush(request)
            const lost = new FlushError({ boundary: request.boundary, reason: "lost", isRetryable: false })
            return trouble === "before"
              ? Effect.fail(lost)
              : Effect.andThen(facts.flush(request), Effect.fail(lost))
          }),
      })
    }),
  )

/** How the pass comes about. */
const PATHS = {
  threshold: (step: Step) => step.prompt,
  manual: (step: Step) => step.compact(),
  overflow: (step: Step) => step.prompt,
} as const

type Path = keyof typeof PATHS

const playPath = Effect.fnUntraced(function* (path: Path, trouble: Trouble) {
  const key = freshKey()
  const owner = `anna of ${key.chat}`
  const window = { threshold: 3_000, manual: 5_000, overflow: 1_600 }[path]
  const facts = troubled(trouble).pipe(Layer.provide(factsLayer()), Layer.provide(offlineFacts))
  const engine = Layer.fresh(Engine.layer.pipe(Layer.provide([facts, Tokens.layer])))
  const play = Effect.gen(function* () {
    let passes = 0
    // Two processes: the second one begins with the last turn of the first one again, and grows until a pass is due.
    for (const half of [messages.slice(0, FIRST), messages.slice(FIRST - 1)]) {
      const step = yield* (yield* Engine).open(key, {
        budget: { window },
        owner,
        policy: { tailGroups: 1 },
      })
      if (path === "overflow") yield* step.append(half.flat())
      for (const turn of half) {
        if (path !== "overflow") yield* step.append(turn)
        if (path === "threshold") passes += (yield* step.prompt).passes.length
      }
      const last = yield* PATHS[path](step)
      passes += last.passes.length
      yield* step.end
    }
    return passes
  })
  const passes = yield* Effect.provide(play, engine)
  const store = yield* FactStore
  return {
    passes,
    history: yield* store.history({ tenant: key.tenant, owner }),
    current: yield* store.current({ tenant: key.tenant, owner }),
  }
})

export const flushesSuite = (bench: Bench) =>
  describe("a flush into tables", () => {
    for (const path of ["threshold", "manual", "overflow"] as const)
      for (const trouble of ["nothing", "before", "after"] as const)
        it(`stores each fact once: ${path}, ${trouble === "nothing" ? "undisturbed" : `lost ${trouble} it was done`}`, () =>
          bench.runPromise(
            Effect.gen(function* () {
              const { passes, history, current } = yield* playPath(path, trouble)
              assert.isAbove(passes, 0)
              const values = (facts: typeof history) => facts.map(({ value }) => value).sort()
              assert.deepStrictEqual(values(history), ["Anna", "Kyiv", "Lviv", "tea with milk"])
              assert.deepStrictEqual(values(current), ["Anna", "Kyiv", "tea with milk"])
            }),
          ))
  })
