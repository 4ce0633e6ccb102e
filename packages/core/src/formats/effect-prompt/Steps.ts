/**
 * The steps of a message: a response and the results of its calls, several times over when a host folded them.
 *
 * @since 0.1.0
 */
import { type EffectMessage, type EffectPart, isClientResult, partsOf } from "./Wire.ts"

interface Step {
  readonly said: ReadonlyArray<EffectPart>
  readonly results: ReadonlyArray<EffectPart>
}

/** Whether results of the host's calls stand in the message of a response, where none belong. */
export const hasFoldedSteps = (message: EffectMessage): boolean =>
  message.role === "assistant" && partsOf(message).some(isClientResult)

/** Takes a message apart, so that results of the host's calls stand in messages of their own. Others are one step. */
export const stepsOf = (message: EffectMessage): ReadonlyArray<EffectMessage> => {
  if (!hasFoldedSteps(message)) return [message]
  const steps: Array<Step> = []
  for (const part of partsOf(message)) {
    const last = steps.at(-1)
    if (isClientResult(part)) {
      if (last === undefined) steps.push({ said: [], results: [part] })
      else steps[steps.length - 1] = { ...last, results: [...last.results, part] }
    } else if (last === undefined || last.results.length > 0) steps.push({ said: [part], results: [] })
    else steps[steps.length - 1] = { ...last, said: [...last.said, part] }
  }
  return steps.flatMap(
    ({ said, results }): ReadonlyArray<EffectMessage> => [
      ...(said.length === 0 ? [] : [{ ...message, content: said }]),
      ...(results.length === 0 ? [] : [{ options: {}, role: "tool" as const, content: results }]),
    ],
  )
}
