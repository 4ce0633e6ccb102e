/**
 * What a step remembers of the prompt that it made last: to pair it with what the provider says of it.
 *
 * @since 0.1.0
 */
import { Result } from "effect"
import { overflowReading, type Reading } from "../count/Calibrate.ts"
import { readUsage } from "../count/Usage.ts"
import type { Settings } from "../decide/Settings.ts"
import type { Message } from "../thread/Message.ts"

/**
 * A prompt that was made and is not answered yet.
 *
 * @category models
 * @since 0.1.0
 */
export interface AskedPrompt {
  readonly estimated: number
  readonly boundary: string | null
}

/** The model that is asked, and how its prompts are counted. */
export interface AskedModel {
  readonly name: string | null
  readonly settings: Settings
}

/** What a reading is of; an unnamed model is told from every named one. */
export const readingKeyOf = ({ name, settings }: AskedModel) => ({
  model: name ?? "",
  counter: settings.counter.name,
})

/** The reading of a prompt that the provider refused. */
export const refusedReading = ({ estimated, boundary }: AskedPrompt, asked: AskedModel): Reading =>
  overflowReading({ ...readingKeyOf(asked), boundary, estimated }, asked.settings.budget.window)

/**
 * Pairs a usage object with the prompt that it is of, or says why it is no reading.
 *
 * @category combinators
 * @since 0.1.0
 */
export const readingFrom = (
  usage: unknown,
  message: Message,
  prompt: AskedPrompt | null,
  asked: AskedModel,
): Result.Result<Reading, string> => {
  if (asked.name === null) return Result.fail("no model is named in the options of the step")
  if (message.role !== "assistant") return Result.fail("it stands on a message that is no response")
  if (prompt === null) return Result.fail("no prompt of this step was made right before the response")
  const read = readUsage(usage, { window: asked.settings.budget.window })
  if (read._tag === "Unusable") return Result.fail(read.detail)
  if (read._tag === "ContextOnly") return Result.fail("it does not say how long the prompt was")
  const { estimated, boundary } = prompt
  return Result.succeed({ ...readingKeyOf(asked), boundary, estimated, real: read.input })
}
