/**
 * Logs of OpenHands: events of a user, an agent and its tools. Two forms are read: events with `action` or
 * `observation`, and the later ones with a `kind`.
 *
 * The actions of one response are one message. An observation answers the action that caused it.
 */
import type { Message, ToolMessage } from "@palimpsest/core"
import { Result, Schema } from "effect"
import { checkedBy } from "../Checked.ts"
import { fieldOf, has, listAt, textAt } from "../Fields.ts"
import { counted, cutNote, malformed, type Reader } from "../Reader.ts"
import type { Entry, Source } from "../Source.ts"
import { type Said, transcriptOf } from "../Transcript.ts"
import type { Event } from "./OpenHandsEvent.ts"
import { isKindEvent, readKindEvent } from "./OpenHandsKinds.ts"
import { isPlainEvent, readPlainEvent } from "./OpenHandsPlain.ts"

const isEvent = (value: unknown): boolean => isPlainEvent(value) || isKindEvent(value)

/** The events of a file: a list, lines, or the history of a result. */
const eventsOf = ({ value, entries }: Source): ReadonlyArray<Entry> =>
  listAt(value, "history").length > 0
    ? listAt(value, "history").map((each, i) => ({ at: `history[${i}]`, value: each }))
    : entries

/** Joins the parts of one response, and the results that follow each other. */
const join = (events: ReadonlyArray<Event>): ReadonlyArray<Said> => {
  const said: Array<Said> = []
  let open: string | null = null
  for (const event of events) {
    if (event._tag !== "Said") continue
    const last = said.at(-1)
    const { message, origin } = event.said
    const goesOn = event.response !== "" && event.response === open
    const joined = last === undefined ? undefined : joinedOf(last.message, message, goesOn)
    if (last !== undefined && joined !== undefined)
      said[said.length - 1] = {
        message: joined,
        origin: { ...origin, ...last.origin, ids: [...last.origin.ids, ...origin.ids] },
      }
    else said.push(event.said)
    if (message.role !== "tool") open = event.response
  }
  return said
}

/** One message of two, where they are one; undefined where they are not. */
const joinedOf = (last: Message, next: Message, goesOn: boolean): Message | undefined => {
  if (last.role === "assistant" && next.role === "assistant" && goesOn)
    return { ...last, parts: [...last.parts, ...next.parts] }
  return last.role === "tool" && next.role === "tool"
    ? { ...last, parts: [...last.parts, ...next.parts] }
    : undefined
}

/** Puts calls of one response whose results came in between back together. */
const inOrder = (events: ReadonlyArray<Event>): ReadonlyArray<Event> => {
  const byResponse = new Map<string, Array<Event>>()
  const rest: Array<{ readonly key: string; readonly event: Event }> = []
  for (const event of events) {
    const key = event._tag === "Said" ? event.response : ""
    if (key !== "" && byResponse.has(key)) byResponse.get(key)?.push(event)
    else {
      if (key !== "") byResponse.set(key, [event])
      rest.push({ key, event })
    }
  }
  return rest.flatMap(({ key, event }) => byResponse.get(key) ?? [event])
}

const isAnswer = (message: Message): message is ToolMessage => message.role === "tool"

/** Results whose calls are in the log. */
const withoutStrays = (said: ReadonlyArray<Said>): ReadonlyArray<Said> => {
  const calls = new Set(
    said.flatMap(({ message }) =>
      message.parts.flatMap((part) => (part.type === "tool-call" ? [part.id] : [])),
    ),
  )
  return said.flatMap(({ message, origin }): ReadonlyArray<Said> => {
    if (!isAnswer(message)) return [{ message, origin }]
    const parts = message.parts.filter((part) => calls.has(part.call))
    return parts.length === 0 ? [] : [{ message: { ...message, parts }, origin }]
  })
}

const Called = Schema.Struct({ tool_call_id: Schema.String, tool_name: Schema.String })
const Answered = Schema.Struct({ tool_call_id: Schema.String })

const checked = checkedBy(
  {
    MessageEvent: Schema.Struct({
      llm_message: Schema.Struct({ content: Schema.Array(Schema.Struct({ type: Schema.String })) }),
    }),
    ActionEvent: Called,
    ObservationEvent: Answered,
    UserRejectObservation: Answered,
    action: Schema.Struct({ args: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown)) }),
    observation: Schema.Struct({ content: Schema.String }),
  },
  (value) =>
    textAt(value, "kind") ||
    (textAt(value, "action") !== "" ? "action" : has(value, "observation") ? "observation" : ""),
)

const read = (source: Source): ReturnType<Reader["read"]> => {
  const { entries, faults } = checked(eventsOf(source))
  const events = entries.map(
    (entry): Event =>
      isKindEvent(entry.value) ? readKindEvent(entry.value) : readPlainEvent(entry.value, entry.at),
  )
  const said = withoutStrays(join(inOrder(events)))
  if (said.length === 0) {
    const why = "none of its events is said by a user or a model"
    return Result.fail(malformed(source.name, "an OpenHands log", why, "Name another log."))
  }
  const beside = events.flatMap((event) => (event._tag === "Beside" ? [event.kind] : []))
  const system = events.flatMap((event) => (event._tag === "System" ? [event.text] : []))[0] ?? null
  const notes = [
    ...faults,
    ...(beside.length === 0 ? [] : [`beside the chat: ${counted(beside)}`]),
    ...cutNote(source),
  ]
  return Result.succeed([
    transcriptOf("openhands", source.name, said, { system, skipped: faults.length, notes }),
  ])
}

export const openHands: Reader = {
  format: "openhands",
  fits: (source) => {
    const events = eventsOf(source)
    return events.length > 0 && isEvent(events[0]?.value) && fieldOf(source.value, "messages") === undefined
  },
  read,
}
