/** A chat whose passes come by each path, and whose process dies at any call of a store, an extractor or a summariser. */
import { FactExtractor, factsLayer } from "@palimpsest/adapter-llm"
import { digestRows, isRealUser, textOf } from "@palimpsest/core"
import {
  Engine,
  extractiveSummariser,
  FactStore,
  Facts,
  type FlushRequest,
  type Step,
  Summariser,
  ThreadStore,
  Tokens,
} from "@palimpsest/core/engine"
import { makeMemoryState, memoryFacts, testCounter } from "@palimpsest/core/testing"
import { Effect, Exit, Layer } from "effect"
import { inputs, KEY, SYSTEM, talk } from "../cases/Kit.ts"
import { alive, type Death, event, type Life, newLife } from "../crash/Life.ts"

/** How a pass comes about. */
export const PATHS = ["threshold", "manual", "focus", "overflow"] as const
export type Path = (typeof PATHS)[number]

/** What outlives each process. */
const newWorld = () => ({
  state: makeMemoryState(),
  facts: Effect.runSync(Effect.provide(FactStore, memoryFacts)),
  flushed: [] as Array<FlushRequest>,
  asked: new Map<string, number>(),
  faults: new Set<string>(),
  /** The path of each summary, by the id of its row. */
  paths: new Map<string, Path>(),
  turn: 0,
})
type World = ReturnType<typeof newWorld>

/** Every method of a service, as an event of a life. */
const mortal = <A extends object>(service: A, life: Life): A =>
  new Proxy(service, {
    get: (target, name, receiver) => {
      const method: unknown = Reflect.get(target, name, receiver)
      return typeof method === "function"
        ? (...given: ReadonlyArray<unknown>) =>
            event(life, String(name), Reflect.apply(method, target, given))
        : method
    },
  })

/** It never answers twice alike: facts of its second answer to a boundary would show. */
const extractor = (world: World) =>
  FactExtractor.of({
    name: "moody",
    extract: ({ boundary, rows }) =>
      Effect.suspend(() => {
        const times = (world.asked.get(boundary) ?? 0) + 1
        world.asked.set(boundary, times)
        if (world.state.chat(KEY).drafts.has(`facts/${boundary}`))
          world.faults.add("a remembered answer was paid for again")
        return Effect.as(
          Effect.yieldNow,
          rows
            .filter((row) => isRealUser(row.message))
            .map((row) => {
              const quote = textOf(row.message.parts)
              return { subject: "user", attribute: `wish ${times}`, value: quote, quote, row: row.id }
            }),
        )
      }),
  })

const servicesOf = (world: World, life: Life) => {
  const threads = Effect.runSync(Effect.provide(ThreadStore, world.state.layer))
  const store = Layer.succeed(ThreadStore, mortal(threads, life))
  const parts = Layer.mergeAll(
    Layer.succeed(FactExtractor, mortal(extractor(world), life)),
    Layer.succeed(FactStore, mortal(world.facts, life)),
    store,
  )
  const recorded = Layer.effect(
    Facts,
    Effect.map(Facts, (facts) => ({
      flush: (request: FlushRequest) =>
        Effect.tap(facts.flush(request), () => Effect.sync(() => void world.flushed.push(request))),
    })),
  ).pipe(Layer.provide(factsLayer().pipe(Layer.provide(parts))))
  const summariser = Layer.succeed(Summariser, mortal(extractiveSummariser(testCounter), life))
  return Layer.fresh(Engine.layer).pipe(
    Layer.provide([store, recorded, summariser, Layer.succeed(Tokens, testCounter)]),
  )
}

const act = (step: Step, path: Path) => {
  switch (path) {
    case "threshold":
      return step.prompt
    case "manual":
      return step.compact()
    case "focus":
      return step.compact({ focus: "the questions" })
    case "overflow":
      return Effect.andThen(step.prompt, Effect.andThen(step.overflowed, step.prompt))
  }
}

/** Turns of talk before a pass by a path: over the trigger, or well below. */
const TURNS: Record<Path, number> = { threshold: 22, manual: 9, focus: 9, overflow: 12 }

const takeTurn = Effect.fnUntraced(function* (
  world: World,
  life: Life,
  paths: ReadonlyArray<Path>,
  turn: number,
) {
  const engine = yield* Engine
  const path = paths[turn] ?? "manual"
  const step = yield* engine.open(KEY, {
    budget: { window: 8_000 },
    system: SYSTEM,
    model: "m",
    flush: { pause: 1 },
  })
  const from = 1 + 2 * paths.slice(0, turn).reduce((sum, one) => sum + TURNS[one], 0)
  yield* step.append(inputs(talk(TURNS[path], 200, `turn ${turn}`), from))
  const prompt = yield* act(step, path)
  yield* alive(life)
  for (const { kind, mark } of prompt.passes) if (kind === "summary") world.paths.set(mark.id, path)
  yield* step.end
})

const playOn = (world: World, life: Life, paths: ReadonlyArray<Path>, workers: number) =>
  Effect.gen(function* () {
    for (; world.turn < paths.length; world.turn++) {
      const { turn } = world
      const worker = Effect.provide(takeTurn(world, life, paths, turn), servicesOf(world, life))
      yield* Effect.all(
        Array.from({ length: workers }, () => worker),
        { concurrency: "unbounded" },
      )
    }
  })

/** What a chat left behind, and what is wrong with it. */
export interface Left {
  readonly events: ReadonlyArray<string>
  readonly faults: ReadonlyArray<string>
  readonly reached: ReadonlySet<Path>
  readonly asked: ReadonlyArray<number>
}

const check = Effect.fnUntraced(function* (world: World) {
  const store = yield* Effect.provide(ThreadStore, world.state.layer)
  const { rows } = yield* store.page(KEY, 0, 10_000)
  const summaries = rows.flatMap((row) => (row.kind === "summary" ? [row] : []))
  const faults = new Set(world.faults)
  const spans: Array<string> = []
  for (const { id, pass } of summaries) {
    const flush = world.flushed.find(({ boundary }) => boundary === id)
    if (flush === undefined) faults.add("a summary whose span was not flushed")
    else if (digestRows(flush.rows) !== pass.digest) faults.add("another span was flushed than was covered")
    spans.push(...(flush?.rows ?? []).map((row) => row.id))
  }
  const covered = summaries.at(-1)?.position ?? 0
  const messages = rows.flatMap((row) => (row.kind === "message" && row.position <= covered ? [row] : []))
  if (new Set(spans).size !== spans.length) faults.add("a row was flushed with two summaries")
  if (
    spans.toSorted().join() !==
    messages
      .map(({ id }) => id)
      .toSorted()
      .join()
  )
    faults.add("what was flushed is not what is covered")
  const stored = yield* world.facts.list(KEY)
  const users = messages.filter(({ message }) => isRealUser(message)).map(({ id }) => id)
  if (new Set(stored.map(({ row }) => row)).size !== stored.length) faults.add("a fact was stored twice")
  const known = new Set(stored.map(({ row }) => row))
  if (users.some((id) => !known.has(id))) faults.add("the fact of a covered row is missing")
  return { faults: [...faults], reached: new Set(summaries.flatMap(({ id }) => world.paths.get(id) ?? [])) }
})

/** Plays passes by these paths to the end, one process after the other, each of which but the last dies. */
export const play = (
  paths: ReadonlyArray<Path>,
  deaths: ReadonlyArray<Death>,
  workers = 1,
): Effect.Effect<Left, unknown> =>
  Effect.gen(function* () {
    const world = newWorld()
    const events: Array<string> = []
    for (const death of [...deaths, null]) {
      const life = newLife(death)
      const exit = yield* Effect.exit(playOn(world, life, paths, workers))
      if (Exit.isFailure(exit) && !life.isDead) return yield* Effect.failCause(exit.cause)
      if (events.length === 0) events.push(...life.events.map(({ name }) => name))
    }
    return { ...(yield* check(world)), events, asked: [...world.asked.values()] }
  })
