/**
 * Law 8, of several workers: whatever the order in which their calls take effect.
 *
 * @since 0.1.0
 */
import fc from "fast-check"
import { type Law, property } from "../Law.ts"
import { faultsOf } from "../workers/Judge.ts"
import { arbitraryScript, type Script } from "../workers/Script.ts"
import { playInMemory } from "../workers/Watch.ts"

/** A counter-example says what is wrong with it. */
const isRight = async (script: Script): Promise<boolean> => {
  const faults = faultsOf(await playInMemory(script))
  if (faults.length > 0) throw new Error(faults.join("\n"))
  return true
}

const interleaved = property(
  "whatever the order of their calls, workers leave what some serial order leaves, in one chain of summaries, and send what is stored",
  fc.asyncProperty(arbitraryScript, isRight),
)

/**
 * Holds law 8 for workers that append, prompt, reset, rewind, edit, fork, retry and die at any call.
 *
 * @category laws
 * @since 0.1.0
 */
export const workersLaw: Law = {
  number: 8,
  title: "One row: workers in any order",
  properties: [interleaved],
}
