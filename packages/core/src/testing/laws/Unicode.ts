/**
 * Law 16: Unicode.
 *
 * @since 0.1.0
 */
import fc from "fast-check"
import type { TokenCounter } from "../../count/TokenCounter.ts"
import { fitTokens, isWellFormed, shorten, takeEnd, takeStart, wellFormed } from "../../text/Unicode.ts"
import { hostileText } from "../arbitraries/Texts.ts"
import { type Law, property } from "../Law.ts"

const size = fc.integer({ min: -1, max: 60 })
const clean = hostileText.map(wellFormed)
const marker = fc.constantFrom(
  (omitted: number) => `[${omitted}]`,
  () => "…",
  () => "",
  (omitted: number) => "-".repeat(omitted % 7),
)

/** Text whose characters are one or two units, and nothing joins them. */
const loose = fc.array(fc.constantFrom("a", "漢", "🚀"), { maxLength: 40 }).map((all) => all.join(""))

/** Three bytes to a token, so that a longer start never counts less. */
const bytes: TokenCounter = {
  name: "bytes",
  count: (text) => Math.ceil(encodeURIComponent(wellFormed(text)).length / 3),
}

const isCleaned = fc.property(hostileText, (text) => {
  const result = wellFormed(text)
  return isWellFormed(result) && result.length === text.length && wellFormed(result) === result
})

const keepsTheRest = fc.property(hostileText, (text) => {
  const result = Array.from(wellFormed(text))
  return Array.from(text).every((char, i) =>
    /^[\ud800-\udfff]$/.test(char) ? result[i] === "\ufffd" : result[i] === char,
  )
})

const startsIt = fc.property(hostileText, size, (text, units) => {
  const start = takeStart(text, units)
  return text.startsWith(start) && start.length <= Math.max(0, units)
})

const endsIt = fc.property(hostileText, size, (text, units) => {
  const end = takeEnd(text, units)
  return text.endsWith(end) && end.length <= Math.max(0, units)
})

const staysWhole = fc.property(
  clean,
  size,
  (text, units) => isWellFormed(takeStart(text, units)) && isWellFormed(takeEnd(text, units)),
)

const isLongest = fc.property(loose, size, (text, units) => {
  const most = Math.min(text.length, Math.max(0, units))
  return takeStart(text, units).length >= most - 1 && takeEnd(text, units).length >= most - 1
})

const keepsJoined = fc.property(
  fc.array(fc.constantFrom("a", "👨‍👩‍👧", "e\u0301", "🇺🇦", "👍🏽"), { maxLength: 8 }),
  size,
  (characters, units) => {
    const text = characters.join("")
    const starts = characters.map((_, i) => characters.slice(0, i).join(""))
    const ends = characters.map((_, i) => characters.slice(i).join(""))
    return [...starts, text].includes(takeStart(text, units)) && ["", ...ends].includes(takeEnd(text, units))
  },
)

const shortens = fc.property(clean, size, marker, (text, units, mark) => {
  const result = shorten(text, units, mark)
  return isWellFormed(result) && result.length <= Math.max(units, 0)
})

const leavesShort = fc.property(
  hostileText,
  fc.nat({ max: 9 }),
  (text, more) => shorten(text, text.length + more) === text,
)

/** A marker that no text holds: it shows where the source was left out. */
const omits = fc.property(hostileText, size, (text, units) => {
  const [head = "", omitted, tail = ""] = shorten(text, units, (count) => `\u0001${count}\u0001`).split(
    "\u0001",
  )
  const source = text.replaceAll("\u0001", "")
  return (
    text !== source ||
    omitted === undefined ||
    (text.startsWith(head) &&
      text.endsWith(tail) &&
      head.length + Number(omitted) + tail.length === text.length)
  )
})

const fits = fc.property(hostileText, size, (text, max) => {
  const result = fitTokens(text, max, bytes)
  return text.startsWith(result) && bytes.count(result) <= Math.max(0, max)
})

const fitsMost = fc.property(loose, size, (text, max) => {
  const result = fitTokens(text, max, bytes)
  return result === text || bytes.count(takeStart(text, result.length + 2)) > max
})

/**
 * Law 16: every shortened text is well formed, and a piece of its source.
 *
 * @category laws
 * @since 0.1.0
 */
export const unicodeLaw: Law = {
  number: 16,
  title: "Unicode",
  properties: [
    property("a cleaned text is well formed and as long", isCleaned),
    property("cleaning changes lone halves only", keepsTheRest),
    property("a start is a start of its source, and fits", startsIt),
    property("an end is an end of its source, and fits", endsIt),
    property("a cut text stays well formed", staysWhole),
    property("a cut takes as much as it may", isLongest),
    property("a cut parts no joined character", keepsJoined),
    property("a shortened text is well formed and fits", shortens),
    property("a text that fits is left alone", leavesShort),
    property("a shortened text is head and tail of its source, and tells what is missing", omits),
    property("a text fitted to tokens is a start of its source, and fits", fits),
    property("a text fitted to tokens is the longest one", fitsMost),
  ],
}
