/**
 * Makes a prompt valid whose calls and results fit each other already.
 *
 * @since 0.1.0
 */
import type { Repaired } from "../format/Format.ts"
import type { WireRepair } from "../format/Rule.ts"
import { isEmptyMessage, isWithoutResult } from "./Rules.ts"
import { hasFoldedSteps, stepsOf } from "./Steps.ts"
import { type EffectMessage, type EffectPart, type EffectPrompt, partsOf } from "./Wire.ts"

const withResult = (part: EffectPart): EffectPart =>
  isWithoutResult(part) ? { ...part, result: null } : part

const polishMessage = (
  message: EffectMessage,
  note: (rule: string, detail: string) => void,
): ReadonlyArray<EffectMessage> => {
  if (isEmptyMessage(message)) {
    note("EF5", "left out an empty message")
    return []
  }
  const isWithout = partsOf(message).some(isWithoutResult)
  if (isWithout) note("EF4", "added a result that is null")
  const whole = isWithout ? { ...message, content: partsOf(message).map(withResult) } : message
  if (!hasFoldedSteps(whole)) return [whole]
  note("EF3", "put results into messages of their own")
  return stepsOf(whole)
}

/** Repairs a prompt. */
export const polish = (request: EffectPrompt): Repaired<EffectPrompt> => {
  const repairs: Array<WireRepair> = []
  const content = request.content.flatMap((message, i) =>
    polishMessage(message, (rule, detail) => repairs.push({ rule, path: `content[${i}]`, detail })),
  )
  return { request: { ...request, content }, repairs }
}
