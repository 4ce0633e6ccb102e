/**
 * The ports of one process of a history: each call waits for its turn, is written down, and may be lost or deadly.
 *
 * @since 0.1.0
 */
import { Effect, Layer, Result } from "effect"
import { Engine } from "../../engine/Engine.ts"
import { FlushError, MemoryError, type RowError, StoreError, SummariserError } from "../../engine/Errors.ts"
import { Facts } from "../../engine/Facts.ts"
import { Leases } from "../../engine/Leases.ts"
import { LongTermMemory } from "../../engine/Memory.ts"
import { Summariser } from "../../engine/Summariser.ts"
import { ThreadEditor } from "../../engine/ThreadEditor.ts"
import { ThreadStore } from "../../engine/ThreadStore.ts"
import { Tokens } from "../../engine/Tokens.ts"
import { extractDelta } from "../../summary/Extract.ts"
import { testCounter } from "../arbitraries/Rows.ts"
import type { Asked, Call } from "./Calls.ts"
import type { Mishap } from "./Script.ts"
import type { Turns } from "./Turns.ts"

/**
 * Where threads live: the services behind the ports that are watched.
 *
 * @category models
 * @since 0.1.0
 */
export interface Place {
  readonly store: (typeof ThreadStore)["Service"]
  readonly editor: (typeof ThreadEditor)["Service"]
  readonly leases: (typeof Leases)["Service"]
}

/**
 * One process of a worker.
 *
 * @category models
 * @since 0.1.0
 */
export interface Life {
  readonly worker: number
  readonly number: number
  isDead: boolean
  /** Calls since the deed began. */
  calls: number
  trouble: Mishap | null
}

/**
 * What the processes of a history share.
 *
 * @category models
 * @since 0.1.0
 */
export interface Stage {
  readonly place: Place
  readonly turns: Pick<Turns, "wait">
  readonly calls: Array<Call>
  /** Calls that were begun and are not answered. */
  inFlight: number
  readonly now: () => number
}

type Failing = (of: string) => StoreError

const lost: Failing = (operation) =>
  new StoreError({ operation, reason: "the connection broke", isRetryable: true })

/** One call: in its turn, with what befalls it. Nothing that still runs of a dead process reaches anything. */
const inTurn = <A, E, F>(
  stage: Stage,
  life: Life,
  of: "work" | "lease",
  run: Effect.Effect<A, E>,
  failure: () => F,
  note: (result: Result.Result<A, E>, isHeard: boolean) => void = () => undefined,
): Effect.Effect<A, E | F> =>
  Effect.suspend((): Effect.Effect<A, E | F> => {
    if (life.isDead) return Effect.interrupt
    return Effect.andThen(
      stage.turns.wait(life.worker),
      Effect.suspend((): Effect.Effect<A, E | F> => {
        if (life.isDead) return Effect.interrupt
        life.calls += 1
        const trouble = life.trouble?.at === life.calls ? life.trouble.kind : null
        // A lease is prolonged beside the work: to die there would cut calls of which nobody knows whether they were done.
        const kind = trouble === "dies" && of === "lease" ? "lost" : trouble
        if (kind === "refused") return Effect.fail(failure())
        stage.inFlight += 1
        const ends = Effect.sync(() => {
          stage.inFlight -= 1
        })
        return Effect.flatMap(
          Effect.result(Effect.onExit(run, () => ends)),
          (result): Effect.Effect<A, E | F> => {
            note(result, kind === null)
            if (kind === "lost") return Effect.fail(failure())
            if (kind === null) return Effect.fromResult(result)
            life.isDead = true
            return Effect.interrupt
          },
        )
      }),
    )
  })

/** The store and the editor of one process: each call is written down. */
const writing =
  (stage: Stage, life: Life) =>
  <A, E extends StoreError | RowError>(chat: string, asked: Asked, run: Effect.Effect<A, E>) => {
    let began = 0
    return inTurn(
      stage,
      life,
      "work",
      Effect.suspend(() => {
        began = stage.now()
        return run
      }),
      () => lost(asked.of),
      (result, isHeard) => {
        const answer = Result.isSuccess(result) ? { value: result.success } : { error: result.failure._tag }
        const ended = stage.now()
        stage.calls.push({
          worker: life.worker,
          life: life.number,
          chat,
          asked,
          answer,
          isHeard,
          began,
          ended,
        })
      },
    )
  }

const storeOf = (stage: Stage, life: Life) => {
  const write = writing(stage, life)
  const { store } = stage.place
  return ThreadStore.of({
    open: (key, system, options) => write(key.chat, { of: "open", system }, store.open(key, system, options)),
    load: (key) => write(key.chat, { of: "load" }, store.load(key)),
    append: (key, messages, options) =>
      write(
        key.chat,
        { of: "append", messages, after: options?.after ?? "" },
        store.append(key, messages, options),
      ),
    mark: (key, mark) => write(key.chat, { of: "mark", mark }, store.mark(key, mark)),
    fail: (key, failure) => write(key.chat, { of: "fail", failure }, store.fail(key, failure)),
    row: (key, id) => write(key.chat, { of: "row", id }, store.row(key, id)),
    page: (key, from, limit) => write(key.chat, { of: "page", from, limit }, store.page(key, from, limit)),
    draft: (key, name) => write(key.chat, { of: "draft", name }, store.draft(key, name)),
    saveDraft: (key, name, text) =>
      write(key.chat, { of: "saveDraft", name, text }, store.saveDraft(key, name, text)),
  })
}

/**
 * The editor of one process.
 *
 * @category constructors
 * @since 0.1.0
 */
export const editorOf = (stage: Stage, life: Life): Place["editor"] => {
  const write = writing(stage, life)
  const { editor } = stage.place
  return ThreadEditor.of({
    ...editor,
    rewind: (key, to) => write(key.chat, { of: "rewind", to }, editor.rewind(key, to)),
    edit: (key, message) => write(key.chat, { of: "edit", message }, editor.edit(key, message)),
    fork: (key, chat, at) =>
      Effect.map(
        write(
          key.chat,
          { of: "fork", chat, at },
          Effect.map(editor.fork(key, chat, at), (made) => made.chat),
        ),
        () => ({ ...key, chat }),
      ),
  })
}

const leasesOf = (stage: Stage, life: Life) => {
  const { leases } = stage.place
  const over = <A>(of: string, run: Effect.Effect<A, StoreError>) =>
    inTurn(stage, life, "lease", run, () => lost(of))
  return Leases.of({
    claim: (key, lease, millis) => over("claim", leases.claim(key, lease, millis)),
    release: (key, lease) => over("release", leases.release(key, lease)),
  })
}

/** A summariser that no two workers have alike: whose text is sent shows. */
const summariserOf = (stage: Stage, life: Life) =>
  Summariser.of({
    name: `worker ${life.worker}`,
    window: 100_000,
    summarise: (request) =>
      inTurn(
        stage,
        life,
        "work",
        Effect.sync(() => {
          const options = { previous: request.previous, maxTokens: request.maxTokens, counter: testCounter }
          const delta = extractDelta(request.messages, options)
          const seen = {
            kind: "decision" as const,
            text: `Seen by worker ${life.worker}`,
            sources: request.rows.slice(0, 1),
          }
          return { ...delta, add: [...delta.add, seen] }
        }),
        () =>
          new SummariserError({
            summariser: "test",
            reason: "Unreachable",
            isRetryable: false,
            detail: "down",
          }),
      ),
  })

const factsOf = (stage: Stage, life: Life) =>
  Facts.of({
    flush: ({ boundary, rows }) =>
      inTurn(
        stage,
        life,
        "work",
        Effect.succeed(rows.length),
        () => new FlushError({ boundary, reason: "down", isRetryable: true }),
      ),
  })

const memoryOf = (stage: Stage, life: Life) =>
  LongTermMemory.of({
    retrieve: ({ query, tokens }) =>
      inTurn(
        stage,
        life,
        "work",
        Effect.succeed(
          query.length % 3 === 0 || tokens === 0
            ? { memories: [] }
            : {
                memories: [
                  {
                    id: "old",
                    text: `Seen by worker ${life.worker}: ${query.slice(0, 20)}`,
                    origin: "chat 3",
                  },
                ],
              },
        ),
        () => new MemoryError({ reason: "down", isRetryable: true }),
      ),
  })

/**
 * The engine of one process.
 *
 * @category layers
 * @since 0.1.0
 */
export const engineOf = (stage: Stage, life: Life): Layer.Layer<Engine> =>
  Layer.fresh(Engine.layer).pipe(
    Layer.provide([
      Layer.succeed(ThreadStore, storeOf(stage, life)),
      Layer.succeed(ThreadEditor, editorOf(stage, life)),
      Layer.succeed(Leases, leasesOf(stage, life)),
      Layer.succeed(Summariser, summariserOf(stage, life)),
      Layer.succeed(Facts, factsOf(stage, life)),
      Layer.succeed(LongTermMemory, memoryOf(stage, life)),
      Layer.succeed(Tokens, testCounter),
    ]),
  )
