/**
 * The AI SDK's UI messages as a format.
 *
 * @since 0.1.0
 */
import { UI } from "../ai-sdk/FromUi.ts"
import { CALL_IDS } from "../ai-sdk/Pairs.ts"
import { stringIn } from "../ai-sdk/Wire.ts"
import type { Format } from "../format/Format.ts"
import { makeFormat } from "../format/MakeFormat.ts"
import { polish } from "./Polish.ts"
import { readMessage } from "./Read.ts"
import { RULES } from "./Rules.ts"
import { checkMessage } from "./Shape.ts"
import type { UiMessage, UiRequest } from "./Wire.ts"
import { writeMessages, writeSystem } from "./Write.ts"

const isMessage = (value: unknown): value is UiMessage => checkMessage(value, "") === null

/** The texts of a system message, joined as the SDK joins them. */
const readSystem = (value: unknown): string | null =>
  isMessage(value) && value.role === "system"
    ? value.parts
        .filter(({ type }) => type === "text")
        .map((part) => stringIn(part, "text"))
        .join("")
    : null

/**
 * The AI SDK's `UIMessage`s of versions 5 and 6, as clients send them and stores hold them. Each step of a turn is a
 * response of the thread with its results; what was shortened in one is written into the message that it came from.
 *
 * **Example** (A stored chat, sent to Claude)
 *
 * ```ts
 * import { aiSdkUi } from "@palimpsest/core/formats/ai-sdk-ui"
 * import { anthropic } from "@palimpsest/core/formats/anthropic"
 *
 * const call = { type: "tool-find", toolCallId: "c1", state: "output-available", input: { id: 7 }, output: "here" }
 * const stored = [
 *   { id: "m1", role: "user", parts: [{ type: "text", text: "Where is it?" }] },
 *   { id: "m2", role: "assistant", parts: [{ type: "step-start" }, call] },
 * ]
 * const read = aiSdkUi.decode(stored)
 * read.ok ? anthropic.encode(read.conversation).request.messages.length : 0 // => 3
 * ```
 *
 * @category formats
 * @since 0.1.0
 */
export const aiSdkUi: Format<UiRequest> = makeFormat<UiRequest, UiMessage>({
  codec: {
    name: UI,
    span: () => 1,
    read: (unit) => unit.flatMap(readMessage),
    write: writeMessages,
    joins: ({ role }) => role === "tool",
    isUnit: (unit): unit is ReadonlyArray<UiMessage> =>
      Array.isArray(unit) && unit.length === 1 && unit.every(isMessage),
  },
  frame: {
    list: "messages",
    system: null,
    readSystem,
    isSystemMessage: (element) => readSystem(element) !== null,
    writeSystem,
  },
  ids: CALL_IDS,
  check: checkMessage,
  rules: RULES,
  wellFormed: "PG2",
  pairs: { closed: "VA1", moved: "VA2", "left-out": "VA2", id: "VA2" },
  settle: polish,
  polish,
})
