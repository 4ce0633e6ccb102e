/**
 * What the pure pipeline makes of a scene, for the laws to look at.
 *
 * @since 0.1.0
 */
import fc from "fast-check"
import { decide } from "../../decide/Decide.ts"
import type { Decision } from "../../decide/Decision.ts"
import { layout, type Prompt } from "../../prompt/Layout.ts"
import { type Grouping, groupsOf } from "../../thread/Group.ts"
import { mediaOf } from "../../thread/Media.ts"
import type { Message } from "../../thread/Message.ts"
import { withReferences } from "../../thread/References.ts"
import { openWindow, type Window } from "../../thread/Window.ts"
import { arbitraryScene, type Case } from "../arbitraries/Scenes.ts"
import { type Property, property } from "../Law.ts"

/** A scene, decided upon and laid out; there is no prompt when nothing fits. */
export interface Look extends Case {
  readonly window: Window
  readonly grouping: Grouping
  readonly decision: Decision
  readonly prompt: Prompt | null
}

/** Runs the pipeline. A prompt that awaits a pass is laid out as it would be without. */
export const look = (scene: Case): Look => {
  const { thread, settings, circumstances } = scene
  const window = openWindow(thread, settings)
  const grouping = groupsOf(window, settings)
  const decision = decide(window, grouping, settings, circumstances)
  const view = decision._tag === "Truncate" ? decision.view : null
  const prompt = decision._tag === "CannotFit" ? null : layout(window, grouping, settings, view)
  return { ...scene, window, grouping, decision, prompt }
}

export const onScenes = (name: string, holds: (seen: Look) => boolean): Property =>
  property(
    name,
    fc.property(arbitraryScene, (scene) => holds(look(scene))),
  )

export const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/**
 * A message with references to all its images and files: what a row and what is sent of it have in common.
 *
 * @category getters
 * @since 0.1.0
 */
export const referred = (message: Message): Message =>
  mediaOf(message).length === 0 ? message : withReferences(message, 0).message
