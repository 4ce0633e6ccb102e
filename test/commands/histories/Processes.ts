import { playApart, type Script, type Story, type WorkerStory } from "@palimpsest/core/testing"
import { type Child, startChild } from "./Children.ts"
import { type Database, newTenant, settle } from "./Postgres.ts"
import type { Job } from "./WorkerProcess.ts"

/** Worker processes, as many as one history needs at most: they are used for one history after the other. */
export interface Crew {
  readonly play: (script: Script) => Promise<Story>
  readonly end: () => void
}

/** Starts the processes of the workers when they are needed first. */
export const makeCrew = (url: string, database: Database): Crew => {
  const children: Array<Child> = []
  const childOf = (number: number): Child => {
    const child = children[number] ?? startChild("WorkerProcess", [url])
    children[number] = child
    return child
  }
  return {
    play: (script) => {
      const tenant = newTenant()
      return playApart(script, { place: database.place, tenant, settle }, (known) =>
        Promise.all(
          script.workers.map((_, number) =>
            childOf(number).ask<WorkerStory>({ script, number, tenant, known } satisfies Job),
          ),
        ),
      )
    },
    end: () => {
      for (const child of children) child.end()
    },
  }
}
