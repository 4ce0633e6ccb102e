/**
 * Law 14: counting.
 *
 * @since 0.1.0
 */
import fc from "fast-check"
import { defaultAccounting } from "../../count/Accounting.ts"
import { countMessage } from "../../count/Count.ts"
import { estimateCounter } from "../../count/Estimate.ts"
import { safeCounter } from "../../count/SafeCounter.ts"
import { guarded, sliceForCounting } from "../../count/Slices.ts"
import type { TokenCounter } from "../../count/TokenCounter.ts"
import { isWellFormed, wellFormed } from "../../text/Unicode.ts"
import type { MediaPart, Message, Part } from "../../thread/Message.ts"
import { arbitraryMedia } from "../arbitraries/Contents.ts"
import { arbitraryThread } from "../arbitraries/Messages.ts"
import { hostileText, longRuns } from "../arbitraries/Texts.ts"
import { type Law, property } from "../Law.ts"

const anyText = fc.oneof(hostileText, longRuns)
const thread = arbitraryThread()

/** Counts units: with it the count of a message shows which texts it took in. */
const units: TokenCounter = { name: "units", count: (text) => text.length }

/** Fields of parts that are not sent as text. */
const UNSENT = new Set(["type", "status", "mediaType", "data", "detail", "signature", "format"])

/** Length of every text in a value, found without knowing what parts there are. */
const textLength = (value: unknown): number => {
  if (typeof value === "string") return value.length
  if (typeof value !== "object" || value === null) return 0
  return Object.entries(value).reduce(
    (sum, [key, field]) => sum + (UNSENT.has(key) ? 0 : textLength(field)),
    0,
  )
}

const countUnits = (message: Message): number => countMessage(message, units, defaultAccounting)

const isTotal = (counter: TokenCounter): fc.IProperty<[string]> =>
  fc.property(anyText, (text) => {
    const count = counter.count(text)
    return Number.isInteger(count) && count >= 0 && counter.count(text) === count
  })

const missesNothing = fc.property(thread, (messages) =>
  messages.every((message) => countUnits(message) >= textLength(message)),
)

const withParts = (message: Message, parts: ReadonlyArray<Part>): Message =>
  ({ ...message, parts }) as Message

const isAdditive = fc.property(thread, fc.nat(), (messages, at) =>
  messages.every((message) => {
    const split = at % (message.parts.length + 1)
    const halves = [message.parts.slice(0, split), message.parts.slice(split)]
    const [a = 0, b = 0] = halves.map((parts) => countUnits(withParts(message, parts)))
    return countUnits(message) === a + b - countUnits(withParts(message, []))
  }),
)

const countMedia = (media: MediaPart): number => countUnits({ role: "user", parts: [media] })

const pricesMedia = fc.property(
  arbitraryMedia,
  hostileText,
  (media, data) => countMedia(media) === countMedia({ ...media, data: media.data + data }),
)

const slicesJoin = fc.property(anyText, (text) => sliceForCounting(text).join("") === text)

const RUNS = /\s+|[\p{L}\p{M}]+|[^\s\p{L}\p{N}]+/gu

/** Marks belong to letters and to symbols, so that a run of both kinds may be twice as long. */
const slicesAreShort = fc.property(anyText, (text) =>
  sliceForCounting(text).every((slice) =>
    (slice.match(RUNS) ?? []).every((run) => run.length <= 512 || Array.from(run).length <= 512),
  ),
)

const slicesAreWhole = fc.property(anyText, (text) => sliceForCounting(wellFormed(text)).every(isWellFormed))

const isExactOnShortRuns = fc.property(anyText, (text) => {
  let calls = 0
  const count = (slice: string): number => {
    calls += 1
    return slice.length
  }
  return guarded(count)(text) === text.length && (calls === 1 || /[^\p{N}]{256}/u.test(text))
})

const brokenCount: fc.Arbitrary<() => number> = fc.constantFrom(
  () => Number.NaN,
  () => -1,
  () => Number.POSITIVE_INFINITY,
  (): number => JSON.parse("not a number"),
)

const survivesBroken = fc.property(
  anyText,
  brokenCount,
  (text, count) => safeCounter({ name: "broken", count }).count(text) === estimateCounter.count(text),
)

/**
 * Law 14 for a counter: it is total, and messages are counted whole, additively, and in slices that keep it linear.
 *
 * @category laws
 * @since 0.1.0
 */
export const countingLaw = (counter: TokenCounter): Law => ({
  number: 14,
  title: "counting",
  properties: [
    property(`${counter.name}: any text gives a number, the same each time`, isTotal(counter)),
    property("every text that is sent is counted", missesNothing),
    property("a message counts as the sum of its parts", isAdditive),
    property("the length of an encoding does not count", pricesMedia),
    property("slices join to their text", slicesJoin),
    property("no slice holds a run that is too long", slicesAreShort),
    property("slices part no character", slicesAreWhole),
    property("a text without long runs is one slice", isExactOnShortRuns),
    property("a counter that fails is replaced by the estimate", survivesBroken),
  ],
})
