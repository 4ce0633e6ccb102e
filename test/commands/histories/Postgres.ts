import { randomUUID } from "node:crypto"
import { layerUrl } from "@palimpsest/adapter-pg"
import { Leases, ThreadEditor, ThreadStore } from "@palimpsest/core/engine"
import { type Place, playScript, type Script, type Settle, type Story } from "@palimpsest/core/testing"
import { Clock, Effect, Layer, ManagedRuntime } from "effect"

/** A database as a place for threads. What it does takes real time, whatever clock its caller has. */
export interface Database {
  readonly place: Place
  readonly close: () => Promise<void>
}

type Method = (...given: ReadonlyArray<never>) => Effect.Effect<unknown, unknown>

/** A service of which each method sees the real clock. */
const inRealTime = <S extends object>(service: S, clock: Clock.Clock): S => {
  const methods = Object.entries(service as Readonly<Record<string, Method>>).map(([name, run]) => [
    name,
    (...given: ReadonlyArray<never>) => Effect.provideService(run(...given), Clock.Clock, clock),
  ])
  return Object.fromEntries(methods) as S
}

export const openDatabase = async (url: string, maxConnections: number): Promise<Database> => {
  const runtime = ManagedRuntime.make(Layer.fresh(layerUrl({ url, maxConnections })))
  const { clock, store, editor, leases } = await runtime.runPromise(
    Effect.all({ clock: Clock.Clock, store: ThreadStore, editor: ThreadEditor, leases: Leases }),
  )
  const place = {
    store: inRealTime(store, clock),
    editor: inRealTime(editor, clock),
    leases: inRealTime(leases, clock),
  }
  return { place, close: () => runtime.dispose() }
}

export const newTenant = (): string => `histories ${randomUUID()}`

const turnOfLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Turns of the loop in which nothing may happen. */
const QUIET = 3

export const settle: Settle = async (mark, isIdle) => {
  let last = ""
  for (let quiet = 0; quiet < QUIET; ) {
    await turnOfLoop()
    const now = mark()
    quiet = isIdle() && now === last ? quiet + 1 : 0
    last = now
  }
}

/** Plays a script in lock step: one call at a time, in the script's own order, over several connections. */
export const playInLockStep = ({ place }: Database, script: Script): Promise<Story> =>
  playScript(script, { place, tenant: newTenant(), settle })
