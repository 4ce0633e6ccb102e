/**
 * Histories of several workers as properties.
 *
 * @since 0.1.0
 */
import { Effect } from "effect"
import { Leases } from "../../engine/Leases.ts"
import { ThreadEditor } from "../../engine/ThreadEditor.ts"
import { ThreadStore } from "../../engine/ThreadStore.ts"
import { makeMemoryState } from "../MemoryStore.ts"
import { playScript } from "./Play.ts"
import type { Place } from "./Ports.ts"
import type { Script } from "./Script.ts"
import type { Story } from "./Story.ts"

/**
 * A place in memory where nothing is.
 *
 * @category constructors
 * @since 0.1.0
 */
export const memoryPlace = (): Place =>
  Effect.runSync(
    Effect.provide(
      Effect.all({ store: ThreadStore, editor: ThreadEditor, leases: Leases }),
      makeMemoryState().layer,
    ),
  )

/**
 * Plays a script in memory.
 *
 * @category combinators
 * @since 0.1.0
 */
export const playInMemory = (script: Script): Promise<Story> =>
  playScript(script, { place: memoryPlace(), tenant: "acme" })
