/**
 * Ids for the messages that a UI message is read to.
 *
 * @since 0.1.0
 */
import { isFields } from "../format/Fields.ts"
import { readMessage } from "./Read.ts"
import { checkMessage } from "./Shape.ts"
import type { UiMessage } from "./Wire.ts"

const isMessage = (value: unknown): value is UiMessage => checkMessage(value, "") === null

const idsOf = (message: UiMessage): ReadonlyArray<string> => {
  const { id = "", role } = message
  let step = -1
  return readMessage(message).map((read) => {
    if (role !== "assistant") return id
    if (read.role === "tool") return `${id}/${step}/results`
    step += 1
    return `${id}/${step}`
  })
}

/**
 * Names each message that `aiSdkUi.decode` reads, in their order, by the id of the UI message and the number of the
 * step. A turn that grows by a step keeps the names that it had, so that rows are found again. The system prompt at the
 * start is no message, and has none.
 *
 * **Example** (A turn of two steps)
 *
 * ```ts
 * import { uiStepIds } from "@palimpsest/core/formats/ai-sdk-ui"
 *
 * const call = { type: "tool-find", toolCallId: "c1", state: "output-available", input: {}, output: "here" }
 * const parts = [{ type: "step-start" }, call, { type: "step-start" }, { type: "text", text: "It is here." }]
 * uiStepIds([{ id: "m1", role: "assistant", parts }]) // => ["m1/0", "m1/0/results", "m1/1"]
 * ```
 *
 * @category getters
 * @since 0.1.0
 */
export const uiStepIds = (input: unknown): ReadonlyArray<string> => {
  const list: ReadonlyArray<unknown> = Array.isArray(input)
    ? input
    : isFields(input) && Array.isArray(input.messages)
      ? input.messages
      : []
  const messages = list.filter(isMessage)
  return (messages[0]?.role === "system" ? messages.slice(1) : messages).flatMap(idsOf)
}
