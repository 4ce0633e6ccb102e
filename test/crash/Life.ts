/** One life of a process: it dies at one event, before it or after, with the answer lost. */
import { Effect } from "effect"

/** Where a process dies. Events are the statements to the database and the requests to services outside, in order. */
export interface Death {
  readonly at: number
  readonly side: "before" | "after"
}

/** What a process did until it died, or ended. */
export interface Life {
  readonly death: Death | null
  /** Names of the events so far. */
  readonly events: Array<string>
  isDead: boolean
}

export const newLife = (death: Death | null): Life => ({ death, events: [], isDead: false })

/** The process is gone: nothing that still runs of it reaches anything. */
export class Killed extends Error {
  override readonly name = "Killed"
}

const die = Effect.die(new Killed("the process was killed"))

/** Stops what a dead process would still do by itself. */
export const alive = (life: Life): Effect.Effect<void> =>
  Effect.suspend(() => (life.isDead ? die : Effect.void))

/** Counts an event, and dies at it when it is the one. */
export const event = <A, E>(
  life: Life,
  name: string,
  run: Effect.Effect<A, E>,
  hangUp: Effect.Effect<void> = Effect.void,
): Effect.Effect<A, E> =>
  Effect.suspend(() => {
    if (life.isDead) return die
    life.events.push(name)
    if (life.events.length !== life.death?.at) return run
    life.isDead = true
    const until = life.death.side === "before" ? Effect.void : Effect.ignore(run)
    return until.pipe(Effect.andThen(hangUp), Effect.andThen(die))
  })
