/**
 * Values that were undefined: JSON loses them, and the AI SDK then misses them. VA8.
 *
 * @since 0.1.0
 */
import { type AiSdkMessage, type AiSdkPart, fieldsIn, partsOf } from "./Wire.ts"

const isJson = ({ type }: { readonly type?: unknown }): boolean => type === "json" || type === "error-json"

const lacksInput = (part: AiSdkPart): boolean => part.type === "tool-call" && !("input" in part)

const lacksOutput = (part: AiSdkPart): boolean => {
  const output = fieldsIn(part, "output")
  return part.type === "tool-result" && isJson(output) && output.value === undefined
}

/** Whether a call of a message lacks its input, or a result its value. */
export const lacksValue = (message: AiSdkMessage): boolean =>
  partsOf(message).some((part) => lacksInput(part) || lacksOutput(part))

/** The message with what stands for an undefined value: no arguments, and null. */
export const withValues = (message: AiSdkMessage): AiSdkMessage => ({
  ...message,
  content: partsOf(message).map((part) => {
    if (lacksInput(part)) return { ...part, input: {} }
    return lacksOutput(part) ? { ...part, output: { ...fieldsIn(part, "output"), value: null } } : part
  }),
})
