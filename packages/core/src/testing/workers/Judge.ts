/**
 * Tells what is wrong with a story of several workers. Each fault begins with the letter of what is asked:
 *
 * - `serial`: the calls, one after the other in the order in which they took effect, have the answers of the model.
 * - `chain`: each summary builds on the cut that was live, covers just what follows it, and rests on what is there.
 * - `agreed`: who opens when all have ended sends the same.
 * - `sent`: prompts are valid and fit, no call is parted from its results, and what is sent is what is stored.
 * - `kept`: what was acknowledged is there, once.
 * - `hidden`: nothing that a rewind hid or a reset put away is sent.
 *
 * @since 0.1.0
 */

import { validateOpenAiChat } from "../../formats/openai-chat/Check.ts"
import { toOpenAiChat } from "../../formats/openai-chat/Encode.ts"
import { messagesOf } from "../../prompt/Layout.ts"
import { canonicalJson, digestRows } from "../../thread/Id.ts"
import type { Message } from "../../thread/Message.ts"
import type { Mark, MessageRow, SummaryRow } from "../../thread/Row.ts"
import type { Thread } from "../../thread/Thread.ts"
import type { Call } from "./Calls.ts"
import { chatOf, cutIn, type Entry, type ModelChat, type ModelState, marksIn, messagesIn } from "./Model.ts"
import { type Knowledge, predict } from "./Predict.ts"
import { rowsIn } from "./Reads.ts"
import { same } from "./Same.ts"
import type { Story, Told } from "./Story.ts"

/** What a process knows, with what was in force when it read it, and what it added itself. */
interface Known extends Knowledge {
  readonly log: ReadonlyArray<Entry>
  readonly own: ReadonlySet<string>
  /** Position of the last reset that it knows. */
  readonly reset: number
}

/**
 * What the model holds after some calls, and what each process knows by then.
 *
 * @category models
 * @since 0.1.0
 */
export interface Scene {
  readonly state: ModelState
  readonly known: ReadonlyMap<number, Known>
}

const resetIn = (log: ReadonlyArray<Entry>): number => {
  const resets = marksIn({ log }).filter((mark) => mark.kind === "reset")
  return Math.max(-1, ...resets.map((mark) => mark.position))
}

const none: Known = { chat: "", epoch: 0, last: "", cut: null, log: [], own: new Set(), reset: -1 }

/** What a process knows after a call whose answer it got. */
const learn = (known: Known | undefined, state: ModelState, { asked, answer, chat }: Call): Known => {
  const now = known ?? none
  if (!("value" in answer)) return now
  if (asked.of === "load") {
    const { epoch, log } = chatOf(state, chat)
    const last = messagesIn({ log }).at(-1)?.id ?? ""
    return { ...now, chat, epoch, log, last, cut: cutIn({ log })?.id ?? null, reset: resetIn(log) }
  }
  if (asked.of === "append") {
    const ids = asked.messages.map(({ id }) => id)
    return { ...now, last: ids.at(-1) ?? now.last, own: new Set([...now.own, ...ids]) }
  }
  if (asked.of === "mark" && (asked.mark.kind === "reset" || asked.mark.kind === "summary")) {
    const { row } = answer.value as { readonly row?: Mark }
    if (row === undefined) return now
    return { ...now, cut: row.id, reset: Math.max(now.reset, row.kind === "reset" ? row.position : -1) }
  }
  return now
}

/** The rows that a summary covers newly: those between the cut that it builds on and its anchor. */
const spanOf = (chat: ModelChat, mark: SummaryRow): ReadonlyArray<MessageRow> | null => {
  const previous = mark.previous ?? null
  const from = previous === null ? 0 : marksIn(chat).find((one) => one.id === previous)?.position
  return from === undefined
    ? null
    : messagesIn(chat).filter((row) => row.position > from && row.position <= mark.position)
}

/** Each summary in force rests on the one before it and on rows that are as they were. */
const chainFaults = (chat: ModelChat): ReadonlyArray<string> =>
  marksIn(chat).flatMap((mark) => {
    if (mark.kind !== "summary") return []
    const span = spanOf(chat, mark)
    if (span === null) return [`chain: summary ${mark.id} builds on a cut that is not in force`]
    return span.length === mark.pass.rows && digestRows(span) === mark.pass.digest
      ? []
      : [`chain: summary ${mark.id} does not cover what follows the cut before it`]
  })

const callsIn = (messages: ReadonlyArray<Message>, type: "tool-call" | "tool-result") =>
  messages.flatMap(({ parts }) =>
    parts.flatMap((part) =>
      part.type !== type
        ? []
        : [part.type === "tool-call" ? part.id : part.type === "tool-result" ? part.call : ""],
    ),
  )

/** A call whose result the process has is sent with that result, and a result with its call. */
const pairFaults = (told: Told, sent: ReadonlyArray<Message>, thread: Thread): ReadonlyArray<string> => {
  if (!("slots" in told.prompt)) return []
  const rows = [...thread.kept, ...thread.rows.filter((row) => row.kind === "message")]
  const has = new Set(
    callsIn(
      rows.map((row) => row.message),
      "tool-result",
    ),
  )
  const calls = new Set(callsIn(sent, "tool-call"))
  const stored = told.prompt.slots.filter((slot) => slot.row !== null).map((slot) => slot.message)
  const results = new Set(callsIn(stored, "tool-result"))
  return [
    ...[...calls]
      .filter((id) => has.has(id) && !results.has(id))
      .map((id) => `sent: ${id} without its result`),
    ...[...results].filter((id) => !calls.has(id)).map((id) => `sent: the result of ${id} without its call`),
  ]
}

/** What the process holds for stored is stored, byte for byte; and the summary that it sends is the stored one. */
const textFaults = ({ state }: Scene, told: Told): ReadonlyArray<string> => {
  const { thread, chat, prompt } = told
  const log = chatOf(state, chat)
  const marks = [thread.cut, ...thread.rows.filter((row) => row.kind !== "message")].filter(
    (row) => row !== null,
  )
  const foreign = marks.filter(
    (row) => !state.written.some((one) => one.row.id === row.id && same(one.row, row)),
  )
  const sent = "slots" in prompt ? prompt.slots.find((slot) => slot.part === "summary") : undefined
  const text = sent?.message.parts.map((part) => (part.type === "text" ? part.text : "")).join("")
  const decision = "slots" in prompt ? prompt.decisions.at(-1) : undefined
  // The last resort, a view that leaves out what does not fit, may leave out the summary.
  const isLeftOut = decision?._tag === "Truncate" && !decision.view.summary
  const cut = thread.cut?.kind === "summary" && !isLeftOut ? thread.cut.text : undefined
  return [
    ...foreign.map((row) => `sent: ${row.kind} ${row.id} is not what is stored`),
    ...("slots" in prompt && text !== cut ? ["sent: the summary is not that of the cut"] : []),
    ...(log.system === null ? ["sent: the chat was never opened"] : []),
  ]
}

/** What is sent was in force when the process read the thread, or is its own. */
const hiddenFaults = ({ known, state }: Scene, { life, prompt, pending }: Told): ReadonlyArray<string> => {
  const knows = known.get(life)
  if (knows === undefined || !("slots" in prompt)) return []
  const there = new Map(messagesIn(knows).map((row) => [row.id, row.position]))
  const isForeign = (id: string) =>
    !knows.own.has(id) && !pending.includes(id) && state.written.some(({ row }) => row.id === id)
  return prompt.slots.flatMap(({ row, part }) => {
    if (row === null || part === "summary" || part === "recall") return []
    const position = there.get(row)
    if (position === undefined) return isForeign(row) ? [`hidden: ${row} was not in force`] : []
    // What a process says itself, and of which it does not hear that it is stored, is its own for all it knows.
    return position <= knows.reset && !pending.includes(row) ? [`hidden: ${row} stands before a reset`] : []
  })
}

const promptFaults = (scene: Scene, told: Told): ReadonlyArray<string> => {
  const { prompt, thread } = told
  const hidden = hiddenFaults(scene, told)
  if (!("slots" in prompt)) return [...textFaults(scene, told), ...hidden]
  const sent = messagesOf(prompt)
  const limit = prompt.decisions.at(-1)?.limits.limit ?? 0
  return [
    ...(prompt.tokens.total > limit ? ["sent: it does not fit"] : []),
    ...validateOpenAiChat(toOpenAiChat(sent, { system: prompt.system })).map(
      (fault) => `sent: ${JSON.stringify(fault)}`,
    ),
    ...pairFaults(told, sent, thread),
    ...textFaults(scene, told),
    ...hidden,
  ]
}

const bytesOf = ({ prompt }: Told): string =>
  "slots" in prompt
    ? JSON.stringify(toOpenAiChat(messagesOf(prompt), { system: prompt.system }))
    : prompt.refused

/** The last prompts of a chat are the same, whoever asked; and they hold nothing that is not in force. */
const lastFaults = (story: Story, state: ModelState): ReadonlyArray<string> =>
  [...story.shown.keys()].flatMap((chat) => {
    const last = story.prompts.filter((told) => told.isLast && told.chat === chat)
    const log = chatOf(state, chat)
    const inForce = new Set(
      messagesIn(log)
        .filter((row) => row.position > resetIn(log.log))
        .map((row) => row.id),
    )
    const sent = last.flatMap(({ prompt }) => ("slots" in prompt ? prompt.slots : []))
    const foreign = sent.filter(
      ({ row, part }) => row !== null && part !== "summary" && part !== "recall" && !inForce.has(row),
    )
    return [
      ...(new Set(last.map(bytesOf)).size > 1 ? [`agreed: prompts of ${chat} differ`] : []),
      ...foreign.map(({ row }) => `hidden: ${row} is sent in the end, and is not in force`),
    ]
  })

const keptFaults = (story: Story, state: ModelState): ReadonlyArray<string> => {
  const lost = story.acknowledged.filter(
    ({ id, message }) =>
      !state.written.some(({ row }) => row.kind === "message" && row.id === id && same(row.message, message)),
  )
  return [
    ...lost.map(({ id }) => `kept: ${id} was acknowledged and is not there`),
    ...[...story.shown].flatMap(([chat, rows]) => {
      const ids = rows.map((row) => row.id)
      return [
        ...(new Set(ids).size === ids.length ? [] : [`kept: a row of ${chat} is there twice`]),
        ...(same(rows, rowsIn(chatOf(state, chat)))
          ? []
          : [`serial: the rows of ${chat} are not those of the model`]),
      ]
    }),
  ]
}

/**
 * The scene before anything was asked.
 *
 * @category constructors
 * @since 0.1.0
 */
export const firstScene: Scene = { state: { chats: new Map(), written: [] }, known: new Map() }

/**
 * Judges one call: what is wrong with its answer, and the scene after it.
 *
 * @category combinators
 * @since 0.1.0
 */
export const judge = (scene: Scene, call: Call): Scene & { readonly faults: ReadonlyArray<string> } => {
  const { life, asked, answer, chat } = call
  const knows = scene.known.get(life)
  const { state, answer: right, rules = [] } = predict(scene.state, call, knows?.chat === chat ? knows : null)
  const isRight =
    "error" in right
      ? "error" in answer && answer.error === right.error
      : "value" in answer && same(answer.value, right.value)
  const known = call.isHeard ? new Map(scene.known).set(life, learn(knows, state, call)) : scene.known
  const faults = [
    ...(isRight
      ? []
      : [
          `serial: ${asked.of} in ${chat} was answered ${canonicalJson(answer)} and not ${canonicalJson(right)}`,
        ]),
    ...rules.filter(([, holds]) => !holds).map(([name]) => `serial: ${name}`),
    ...(asked.of === "mark" || asked.of === "load" ? chainFaults(chatOf(state, chat)) : []),
  ]
  return { state, known, faults }
}

/**
 * Finds what is wrong with a story; nothing, when it is right.
 *
 * @category getters
 * @since 0.1.0
 */
export const faultsOf = (story: Story): ReadonlyArray<string> => {
  let scene: Scene = firstScene
  const faults: Array<string> = []
  const done = new Map<number, number>()
  for (const call of story.calls) {
    const after = judge(scene, call)
    const count = (done.get(call.life) ?? 0) + 1
    scene = after
    done.set(call.life, count)
    const told = story.prompts.filter((one) => one.life === call.life && one.after === count)
    faults.push(...after.faults, ...told.flatMap((one) => promptFaults(after, one)))
    // What follows from a fault is no other fault.
    if (faults.length > 0) return faults
  }
  return [...lastFaults(story, scene.state), ...keptFaults(story, scene.state)]
}
