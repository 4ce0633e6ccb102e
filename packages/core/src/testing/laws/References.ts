/**
 * Law 15, for large values: out of a message and back, it is the same, and weighs the same without them.
 *
 * @since 0.1.0
 */
import { Effect } from "effect"
import fc from "fast-check"
import { defaultAccounting, type ImageRule } from "../../count/Accounting.ts"
import { countMessage } from "../../count/Count.ts"
import { describeMedia } from "../../prepass/Images.ts"
import { messagesOf } from "../../prompt/Layout.ts"
import { isWellFormed } from "../../text/Unicode.ts"
import { LONGEST_REFERENCE, readReference } from "../../text/ValueReference.ts"
import { mediaOf } from "../../thread/Media.ts"
import type { MediaPart, Message } from "../../thread/Message.ts"
import { rawWithReferences, rawWithValues } from "../../thread/RawReferences.ts"
import { referencesIn, sameContent, withReferences, withValues } from "../../thread/References.ts"
import { rowReferences } from "../../thread/RowValues.ts"
import { arbitraryMedia, arbitraryText } from "../arbitraries/Contents.ts"
import {
  type Action,
  arbitraryCalmHistory,
  arbitraryHistory,
  type History,
} from "../arbitraries/Histories.ts"
import { arbitraryThread } from "../arbitraries/Messages.ts"
import type { Move } from "../arbitraries/Moves.ts"
import { testCounter } from "../arbitraries/Rows.ts"
import { CHAT, isPrompt, onHistories, runHistory, storedIn } from "../History.ts"
import { type Law, property } from "../Law.ts"
import { makeMemoryState } from "../MemoryStore.ts"
import { makeWorld } from "../World.ts"
import { same } from "./Look.ts"

/** Data of every kind: base64, data URLs, addresses, texts that are none, and what looks like a reference. */
const data: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: arbitraryMedia.map((media) => media.data) },
  { weight: 2, arbitrary: arbitraryMedia.map((media) => `data:image/png;base64,${media.data}`) },
  { weight: 2, arbitrary: arbitraryText },
  { weight: 1, arbitrary: arbitraryText.map((text) => `https://example.com/${text}`) },
  { weight: 1, arbitrary: arbitraryText.map((text) => `data:${text}`) },
  {
    weight: 1,
    arbitrary: fc
      .nat(300)
      .map((times) => `palimpsest-value:${"ab".repeat(32)}:${times}:${times}${"0".repeat(times)}a`),
  },
)

const media: fc.Arbitrary<MediaPart> = fc
  .tuple(arbitraryMedia, data)
  .map(([one, text]) => ({ ...one, data: text }))

/** Messages in which images and files stand wherever they may. */
const message: fc.Arbitrary<Message> = fc.oneof(
  arbitraryThread({ turns: 1, groups: 1, endless: 0 }).map(
    (all): Message => all[0] ?? { role: "user", parts: [] },
  ),
  fc
    .tuple(
      fc.array(media, { maxLength: 3 }),
      fc.constantFrom("user" as const, "assistant" as const, "tool" as const),
    )
    .map(([all, role]): Message => {
      const parts = [{ type: "text" as const, text: "See:" }, ...all]
      return role === "tool"
        ? { role, parts: [{ type: "tool-result", call: "c1", status: "ok", content: parts }] }
        : { role, parts }
    }),
)

const threshold = fc.constantFrom(LONGEST_REFERENCE, 300, 1_000, 8_192)

const RULES: ReadonlyArray<ImageRule> = [
  defaultAccounting.image,
  { kind: "anthropic-area", unknown: 1_600 },
  { kind: "anthropic-patches", most: 1_568, unknown: 1_568 },
  { kind: "flat", unknown: 258 },
  { kind: "encoding", perThousand: 300, unknown: 700 },
]

const comesBack = fc.property(message, threshold, (one, above) => {
  const put = withReferences(one, above)
  return (
    same(withValues(put.message, put.values), one) &&
    [...put.values.keys()].every((id) => referencesIn(put.message).includes(id)) &&
    referencesIn(put.message).length === put.values.size &&
    sameContent(put.message, one)
  )
})

const staysPut = fc.property(message, threshold, (one, above) => {
  const put = withReferences(one, above)
  const again = withReferences(put.message, above)
  return again.message === put.message && again.values.size === 0
})

/** An address, and text that no encoding makes, stay where they are. */
const isValue = (text: string): boolean =>
  isWellFormed(text) && !/^(?:https?:|[a-z][a-z0-9+.-]*:\/\/)/i.test(text)

const isBounded = fc.property(message, threshold, (one, above) => {
  const after = mediaOf(withReferences(one, above).message)
  return mediaOf(one).every((before, i) => {
    const now = after[i]?.data ?? ""
    return before.data.length > above && isValue(before.data)
      ? readReference(now)?.length === before.data.length
      : now === before.data
  })
})

const weighsTheSame = fc.property(message, threshold, fc.constantFrom(...RULES), (one, above, image) => {
  const { message: put } = withReferences(one, above)
  const accounting = { ...defaultAccounting, image }
  return (
    countMessage(put, testCounter, accounting) === countMessage(one, testCounter, accounting) &&
    same(mediaOf(put).map(describeMedia), mediaOf(one).map(describeMedia))
  )
})

const tellsApart = fc.property(message, message, (one, other) => sameContent(one, other) === same(one, other))

const formComesBack = fc.property(message, fc.boolean(), threshold, (one, quotes, above) => {
  const { message: put, values } = withReferences(one, above)
  // A form that speaks of the very references that stand for its own images.
  const said = quotes ? JSON.stringify(mediaOf(put).map((part) => part.data)) : ""
  const raw = { format: "anthropic", text: `${JSON.stringify([one.parts, "x"])}${said}` }
  const form = rawWithReferences(raw, values, above)
  const own = new Map([...values, ...form.values])
  const isSmall = form.raw.text.length <= above || !isWellFormed(raw.text)
  return isSmall && same(rawWithValues(form.raw, own), raw)
})

const withImages = (move: Move): Move => {
  if (move.tag === "say") return { ...move, image: true }
  return move.tag === "work"
    ? { ...move, calls: move.calls.map((call, i) => ({ ...call, image: i % 2 === 0 })) }
    : move
}

/** A history full of images, in which every other prompt is made by a process that has just read the thread. */
const pictured = (history: History): History => ({
  ...history,
  policy: { ...history.policy, valuesAbove: 200 },
  actions: history.actions.flatMap((action, i): ReadonlyArray<Action> => {
    if (action.tag === "move") return [{ ...action, move: withImages(action.move) }]
    return action.tag === "prompt" && i % 2 === 0 ? [{ tag: "reopen", budget: null }, action] : [action]
  }),
})

/** What a history's prompts say; the messages of one that is refused, as nothing. */
const saidIn = async (history: History, hasBlobs: boolean): Promise<ReadonlyArray<unknown>> => {
  const { prompts } = await Effect.runPromise(runHistory(history, makeWorld(makeMemoryState(), hasBlobs)))
  return prompts.map(({ result }) =>
    isPrompt(result) ? [messagesOf(result), result.tokens] : result.message,
  )
}

const nobodySees = fc.asyncProperty(arbitraryCalmHistory.map(pictured), async (history) =>
  same(await saidIn(history, true), await saidIn(history, false)),
)

const noRowAlone = onHistories(
  "no row is stored without its values, whatever fails",
  ({ world, step }) =>
    Effect.gen(function* () {
      yield* Effect.ignore(step.checkpoint)
      const { blobs } = world.memory.chat(CHAT)
      const rows = storedIn(world.memory).rows.filter((row) => row.kind === "message")
      return rows.flatMap(rowReferences).every((id) => blobs.has(id))
    }),
  arbitraryHistory.map(pictured),
)

/**
 * Holds law 15 for large values: a message, and what it weighs, is the same wherever they are kept.
 *
 * @category laws
 * @since 0.1.0
 */
export const referencesLaw: Law = {
  number: 15,
  title: "Large values",
  properties: [
    property("values come back to where they were", comesBack),
    property("a message with references stays as it is", staysPut),
    property("nothing larger than the threshold stays, and nothing else moves", isBounded),
    property("a message with references weighs the same, by every rule for images", weighsTheSame),
    property("messages are the same wherever their values are, and no others are", tellsApart),
    property("the form in which a message came comes back, whatever it says", formComesBack),
  ],
}

/**
 * Holds law 15 for large values, through the engine.
 *
 * @category laws
 * @since 0.1.0
 */
export const valuesLaw: Law = {
  number: 15,
  title: "Large values in histories",
  properties: [
    property("a history's prompts do not depend on where values are kept", nobodySees),
    noRowAlone,
  ],
}
