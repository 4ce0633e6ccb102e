/**
 * Law 8, of several workers: whatever the order in which their calls take effect.
 *
 * @since 0.1.0
 */
import fc from "fast-check"
import { type Law, type Property, property } from "../Law.ts"
import { faultsOf } from "../workers/Judge.ts"
import { arbitraryScript, type Script } from "../workers/Script.ts"
import { playInMemory } from "../workers/Watch.ts"

/** A counter-example is made smaller by so many further histories: more are not worth the wait. */
const SHRINKS = 150

/** A counter-example says what is wrong with it. */
const isRight = () => {
  let failed = 0
  return async (script: Script): Promise<boolean> => {
    if (failed > 0 && ++failed > SHRINKS) return true
    const faults = faultsOf(await playInMemory(script))
    if (faults.length === 0) return true
    failed += 1
    throw new Error(faults.join("\n"))
  }
}

const name =
  "whatever the order of their calls, workers leave what some serial order leaves, in one chain of summaries, and send what is stored"

const interleaved: Property = {
  name,
  run: (trial) => property(name, fc.asyncProperty(arbitraryScript, isRight())).run(trial),
}

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
