import { decide, groupsOf, openWindow } from "@palimpsest/core"
import { arbitraryScene } from "@palimpsest/core/testing"
import fc from "fast-check"
import { assert, describe, it } from "vitest"

/** What a decision is, as one word or two. */
const names = (scene: (typeof samples)[number]): ReadonlyArray<string> => {
  const window = openWindow(scene.thread, scene.settings)
  const decision = decide(window, groupsOf(window, scene.settings), scene.settings, scene.circumstances)
  const more =
    decision._tag === "Hold"
      ? [`Hold ${decision.why._tag}`]
      : decision._tag === "Prune" || decision._tag === "Summarize"
        ? [`${decision._tag} ${decision.cause}`]
        : []
  const squeezed = decision._tag === "Prune" && decision.squeezed ? ["Prune squeezed"] : []
  const by = decision._tag === "Summarize" ? [`Summarize ${decision.by}`] : []
  return [decision._tag, ...more, ...squeezed, ...by]
}

const samples = fc.sample(arbitraryScene, { numRuns: 4000, seed: 11 })

const TAGS = ["Keep", "Prune", "Summarize", "Hold", "Truncate", "CannotFit"]

const KINDS = [
  "Prune trigger",
  "Prune limit",
  "Prune manual",
  "Prune squeezed",
  "Summarize trigger",
  "Summarize limit",
  "Summarize manual",
  "Summarize model",
  "Summarize extractive",
  "Hold Weak",
  "Hold Failed",
  "Hold TooLittle",
  "Hold NoPass",
]

const counts = new Map<string, number>()
for (const name of samples.flatMap(names)) counts.set(name, (counts.get(name) ?? 0) + 1)

describe("the samples of the laws over the pure pipeline", () => {
  it.each(TAGS)("reach %s in one of two hundred at least", (name) => {
    assert.isAtLeast(counts.get(name) ?? 0, samples.length / 200, JSON.stringify([...counts]))
  })

  it.each(KINDS)("reach %s in one of four hundred at least", (name) => {
    assert.isAtLeast(counts.get(name) ?? 0, samples.length / 400, JSON.stringify([...counts]))
  })
})
