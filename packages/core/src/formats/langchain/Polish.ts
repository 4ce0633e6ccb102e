/**
 * Makes a list of LangChain's messages valid whose calls and results fit each other already.
 *
 * @since 0.1.0
 */
import type { Fields } from "../format/Fields.ts"
import type { Repaired } from "../format/Format.ts"
import type { WireRepair } from "../format/Rule.ts"
import { BY_CALL, callsIn } from "./Calls.ts"
import { ELEMENT_RULES } from "./Element.ts"
import { repeatedIds, withoutRepeatedIds } from "./Ids.ts"
import { readMessage } from "./Read.ts"
import {
  blocksOf,
  fieldsIn,
  type LangChainMessage,
  type LangChainRequest,
  textIn,
  type View,
  viewOf,
  withFields,
} from "./Wire.ts"
import { writeMessages } from "./Write.ts"

const OPENING: LangChainMessage = {
  type: "human",
  data: { content: "(earlier messages are not shown)", additional_kwargs: {}, response_metadata: {} },
}

const without = (fields: Fields, keys: ReadonlyArray<string>): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([key]) => !keys.includes(key)))

/** What the provider keeps by call, for the calls that are there. */
const stateOf = (kwargs: Fields, calls: ReadonlySet<string>): Fields =>
  Object.fromEntries(
    BY_CALL.flatMap((key) => {
      const own = Object.entries(fieldsIn(kwargs, key)).filter(([id]) => calls.has(id))
      return own.length === 0 ? [] : [[key, Object.fromEntries(own)] as const]
    }),
  )

const WRITTEN = ["content", "content_blocks", "tool_calls", "invalid_tool_calls", "tool_call_chunks"]
const WRITTEN_KWARGS = ["tool_calls", "reasoning", "reasoning_content", "refusal", ...BY_CALL]
const WRITTEN_METADATA = ["output", "output_version"]

/** A message written anew from what it says, with everything else that it held. */
const renew = (message: LangChainMessage, view: View): ReadonlyArray<LangChainMessage> =>
  writeMessages(readMessage(message)).wire.map((fresh) => {
    const written = viewOf(fresh)
    if (written === null) return fresh
    const calls = new Set(callsIn(written.fields).listed.map(({ id }) => id))
    const old = fieldsIn(view.fields, "additional_kwargs")
    const isSame = written.kind === view.kind
    const fields = {
      ...(isSame
        ? without(view.fields, WRITTEN)
        : without({ id: view.fields.id }, view.fields.id === undefined ? ["id"] : [])),
      ...written.fields,
      additional_kwargs: {
        ...without(old, WRITTEN_KWARGS),
        ...stateOf(old, calls),
        ...fieldsIn(written.fields, "additional_kwargs"),
      },
      response_metadata: {
        ...without(fieldsIn(view.fields, "response_metadata"), WRITTEN_METADATA),
        ...fieldsIn(written.fields, "response_metadata"),
      },
    }
    return withFields(isSame ? message : fresh, fields)
  })

/** A system message without blank texts; none when nothing else is in it. */
const renewSystem = (message: LangChainMessage, { fields }: View): ReadonlyArray<LangChainMessage> => {
  const content = blocksOf(fields).filter(
    (block) => textIn(block, "text").trim() !== "" || block.type !== "text",
  )
  return content.length === 0 ? [] : [withFields(message, { ...fields, content })]
}

const mended = (
  message: LangChainMessage,
  index: number,
): { readonly messages: ReadonlyArray<LangChainMessage>; readonly repairs: ReadonlyArray<WireRepair> } => {
  const view = viewOf(message)
  if (view === null) return { messages: [message], repairs: [] }
  const late = view.kind === "system" && index > 0
  const faults = [
    ...ELEMENT_RULES.flatMap(({ id, faults }) => faults(view).map((detail) => ({ rule: id, detail }))),
    ...(late ? [{ rule: "LC7", detail: "a system message after the first message" }] : []),
  ]
  if (faults.length === 0) return { messages: [message], repairs: [] }
  const messages = view.kind === "system" && !late ? renewSystem(message, view) : renew(message, view)
  const done = messages.length === 0 ? "left out" : "written anew"
  const path = `messages[${index}]`
  return {
    messages,
    repairs: faults.map(({ rule, detail }) => ({ rule, path, detail: `${done}: ${detail}` })),
  }
}

/** The user speaks first, after the system prompt. */
const opened = (messages: ReadonlyArray<LangChainMessage>) => {
  const start = viewOf(messages[0])?.kind === "system" ? 1 : 0
  return viewOf(messages[start])?.kind === "human"
    ? { messages, repairs: [] }
    : {
        messages: messages.toSpliced(start, 0, OPENING),
        repairs: [{ rule: "LC7", path: `messages[${start}]`, detail: "added a user message" }],
      }
}

/** Repairs a request. */
export const polish = (request: LangChainRequest): Repaired<LangChainRequest> => {
  const each = request.messages.map(mended)
  const { messages, repairs } = opened(each.flatMap((one) => one.messages))
  const ids = repeatedIds(messages).map((i) => ({
    rule: "LC3",
    path: `messages[${i}]`,
    detail: "gave it an id of its own: an earlier message has the same",
  }))
  return {
    request: { ...request, messages: withoutRepeatedIds(messages) },
    repairs: [...each.flatMap((one) => one.repairs), ...repairs, ...ids],
  }
}
