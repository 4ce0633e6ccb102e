/** One life of a process: it dies at one event, before it or after, with the answer lost. */
import { Deferred, Effect } from "effect"
import type { SqlConnection } from "effect/sql"
import { around } from "./Kinds.ts"

/**
 * Where a process dies. Events are the statements to the database and the requests to services outside, in order.
 *
 * - `before`, `after`: at an event; its connections break.
 * - `orphaned`: before an event, and its connections stay open, with whatever transaction they are in.
 * - `torn`: in the middle of a message to the server, counted from 1 on, of those that the process sends.
 * - `cut`: there too, but it is the connection alone that dies: the process lives on.
 * - `late`: the process stops before an operation of the store, is given up, and does the operation after all others.
 */
export interface Death {
  readonly at: number
  readonly side: "before" | "after" | "orphaned" | "torn" | "cut" | "late"
}

/** Something that a process does outside of itself. */
export interface Happened {
  readonly name: string
  readonly kind: string
  /** Whether a transaction is open. */
  readonly isWithin: boolean
  /** Whether an operation of the store begins with it. */
  readonly isFirst: boolean
}

/** What a process did until it died, or ended. */
export interface Life {
  readonly death: Death | null
  readonly events: Array<Happened>
  /** How the summariser is disposed, as part of the kind of a pass. */
  mood: string
  isDead: boolean
  /** Its one operation is done late: there is none after it. */
  isLate: boolean
  /** The process stands still. */
  readonly stopped: Deferred.Deferred<void>
  /** It is let go on. */
  readonly woken: Deferred.Deferred<void>
  isWithin: boolean
  operation: string | null
  /** Called between two operations of the store, when nothing is half done, with the connection that is at hand. */
  readonly between: Between
}

/** Looks at what is stored, through a connection where there is one that nobody else may use meanwhile. */
export type Between = (connection: SqlConnection.Connection | null) => Effect.Effect<void>

export const newLife = (death: Death | null, between: Between = () => Effect.void): Life => ({
  death,
  events: [],
  mood: "",
  isDead: false,
  isLate: false,
  stopped: Deferred.makeUnsafe(),
  woken: Deferred.makeUnsafe(),
  isWithin: false,
  operation: null,
  between,
})

/** The process is gone: nothing that still runs of it reaches anything. */
export class Killed extends Error {
  override readonly name = "Killed"
}

const die = Effect.die(new Killed("the process was killed"))

const running = (life: Life): Effect.Effect<void> => Effect.suspend(() => (life.isDead ? die : Effect.void))

/** Stops what a process that is dead, or was given up, would still do by itself. */
export const alive = (life: Life): Effect.Effect<void> =>
  Effect.suspend(() => (life.isLate ? die : running(life)))

const isWithinAfter = (name: string, isWithin: boolean): boolean =>
  /^begin\b/i.test(name) || (isWithin && !/^(commit|rollback(?! to))\b/i.test(name))

/** Notes an event, and what is around it. */
const note = Effect.fnUntraced(function* (
  life: Life,
  name: string,
  connection: SqlConnection.Connection | null,
) {
  const { kind, operation } = yield* around
  const isFirst = operation === null || operation !== life.operation
  if (isFirst && life.isLate) {
    life.isDead = true
    yield* die
  }
  if (isFirst) yield* life.between(connection)
  life.operation = operation
  life.events.push({
    name,
    kind: kind === "summary" ? `summary ${life.mood}`.trim() : kind,
    isWithin: life.isWithin,
    isFirst: isFirst && operation !== null,
  })
})

/** Whether the wire decides, and not the process. */
export const isOfWire = ({ side }: Death): boolean => side === "torn" || side === "cut"

/** Counts an event, and dies at it when it is the one. */
export const event = <A, E>(
  life: Life,
  name: string,
  run: Effect.Effect<A, E>,
  hangUp: Effect.Effect<void> = Effect.void,
  connection: SqlConnection.Connection | null = null,
): Effect.Effect<A, E> =>
  Effect.gen(function* () {
    yield* running(life)
    yield* note(life, name, connection)
    const { death } = life
    life.isWithin = isWithinAfter(name, life.isWithin)
    if (death === null || isOfWire(death) || life.events.length !== death.at) {
      const result = yield* run
      // The process may have died meanwhile, with this answer on its way.
      yield* running(life)
      return result
    }
    if (death.side === "late") {
      yield* Deferred.succeed(life.stopped, undefined)
      yield* Deferred.await(life.woken)
      life.isLate = true
      return yield* run
    }
    life.isDead = true
    if (death.side === "after") yield* Effect.ignore(run)
    if (death.side !== "orphaned") yield* hangUp
    return yield* die
  })
