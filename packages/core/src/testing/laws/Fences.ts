/**
 * Law 11: fences.
 *
 * @since 0.1.0
 */
import fc from "fast-check"
import {
  escapeFence,
  fenceNames,
  MEMORY_NOTE,
  parseFence,
  renderFence,
  SUMMARY_NOTE,
  unescapeFence,
} from "../../text/Fence.ts"
import { longestTagLine, scrub, scrubChunk, scrubEnd, scrubStart } from "../../text/Scrub.ts"
import { withoutFences } from "../../text/WithoutFences.ts"
import { arbitraryFenceName, chunksOf, fencedLines, hostileText } from "../arbitraries/Texts.ts"
import { type Law, property } from "../Law.ts"

const linesOf = (text: string): ReadonlyArray<string> => text.split(/(?<=\n)/)

const isTag = (line: string, tag: string): boolean =>
  new RegExp(`^[ \\t]{0,8}${tag}[ \\t]{0,8}\\r?\\n?$`).test(line)

const openedBy = (line: string): string | undefined => fenceNames.find((name) => isTag(line, `<${name}>`))

/** Scrubbing said line by line, without regard to cost: what the real one is compared with. */
const plainScrub = (text: string): string => {
  const lines = linesOf(text)
  const kept: Array<string> = []
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] ?? ""
    const name = openedBy(line)
    const closer = lines.findIndex((other, j) => j > i && name !== undefined && isTag(other, `</${name}>`))
    if (closer < 0) kept.push(line)
    else i = closer
  }
  return kept.join("")
}

const stream = (chunks: ReadonlyArray<string>): string => {
  let state = scrubStart
  let out = ""
  for (const chunk of chunks) {
    const step = scrubChunk(state, chunk)
    state = step.state
    out += step.text
  }
  return out + scrubEnd(state)
}

const parsesBack = fc.property(arbitraryFenceName, hostileText, hostileText, (name, rawNote, payload) => {
  const note = rawNote.replace(/[\r\n]/g, "")
  const fence = parseFence(name, renderFence(name, note, payload))
  return fence?.note === note && fence.payload === payload
})

const hasOneFence = fc.property(arbitraryFenceName, hostileText, hostileText, (name, note, payload) => {
  const text = renderFence(name, note, payload)
  const tags = text.match(/<\/?(memory-context|context-summary)/gi) ?? []
  return tags.length === 2 && tags[0] === `<${name}` && tags[1] === `</${name}`
})

const escapesReversibly = fc.property(hostileText, (text) => unescapeFence(escapeFence(text)) === text)

const refusesOther = fc.property(arbitraryFenceName, fencedLines, (name, text) => {
  const inner = `<${name}>\n${text}\n</${name}>`
  const fence = parseFence(name, inner)
  return fence === null || renderFence(name, fence.note, fence.payload) === inner
})

const removesWhatIsRendered = fc.property(
  fc.tuple(arbitraryFenceName, hostileText, hostileText),
  fc.tuple(hostileText.map(escapeFence), hostileText.map(escapeFence)),
  ([name, note, payload], [before, after]) =>
    scrub(`${before}\n${renderFence(name, note, payload)}\n${after}`) === `${before}\n${after}`,
)

const anyOutput = fc.oneof(fencedLines, hostileText)

const removesNothingElse = fc.property(anyOutput, (text) => scrub(text) === plainScrub(text))

const isIdempotent = fc.property(anyOutput, (text) => scrub(scrub(text)) === scrub(text))

const streamsAlike = fc.property(
  anyOutput.chain((text) => fc.tuple(fc.constant(text), chunksOf(text))),
  ([text, chunks]) => stream(chunks) === scrub(text) && stream(text.split("")) === scrub(text),
)

const isPrompt = fc.property(anyOutput, (text) => {
  let state = scrubStart
  let held = 0
  for (const unit of text) {
    const step = scrubChunk(state, unit)
    state = step.state
    held += unit.length - step.text.length
    if (state.open !== null) return true
    if (held > longestTagLine) return false
  }
  return true
})

/** How a fence comes back in a message: alone, within a line, quoted, in another fence, in JSON of two kinds, cut off. */
const WAYS_BACK: ReadonlyArray<(fence: string) => string> = [
  (fence) => `\n${fence}\n`,
  (fence) => fence,
  (fence) => fence.replace(/^/gm, "> "),
  (fence) => renderFence("context-summary", SUMMARY_NOTE, fence),
  (fence) => escapeFence(escapeFence(fence)),
  (fence) => JSON.stringify(fence).slice(1, -1),
  (fence) => JSON.stringify(fence).slice(1, -1).replaceAll("/", "\\/"),
  (fence) => fence.replaceAll("<", "\uff1c").replaceAll("context", "\u0441\u200bontext"),
  (fence) => fence.replaceAll("<", "&lt;").replaceAll(">", "&gt;"),
]

const harmless = fc.constantFrom("Sure.", "Ships on Monday. ", "a < b ", "", "7 ")

const isNotRemembered = fc.property(
  fc.tuple(arbitraryFenceName, hostileText, fc.constantFrom(...WAYS_BACK)),
  fc.tuple(harmless, harmless),
  ([name, payload, back], [before, after]) => {
    const note = name === "memory-context" ? MEMORY_NOTE : SUMMARY_NOTE
    const text = `${before}${back(renderFence(name, note, `secret ${payload} secret`))}${after}`
    const left = withoutFences(text)
    return !left.includes("secret") && [before, after].every((kept) => left.includes(kept.trim()))
  },
)

const isNotRememberedInPart = fc.property(
  arbitraryFenceName,
  fc.nat({ max: 200 }),
  harmless,
  (name, cut, before) => {
    const note = name === "memory-context" ? MEMORY_NOTE : SUMMARY_NOTE
    const fence = renderFence(name, note, "secret ".repeat(30))
    const left = withoutFences(`${before}\n${fence.slice(0, fence.length - cut)}`)
    return left === before.trimEnd()
  },
)

const takesOutOnce = fc.property(
  anyOutput,
  (text) => withoutFences(withoutFences(text)) === withoutFences(text),
)

const leavesTheRest = fc.property(hostileText, (text) => {
  const free = text.replace(/context/gi, "")
  return withoutFences(free) === free
})

/**
 * Law 11: what is rendered parses back as one fence, and scrubbing removes fences and nothing else, streamed or not.
 *
 * @category laws
 * @since 0.1.0
 */
export const fencesLaw: Law = {
  number: 11,
  title: "fences",
  properties: [
    property("what is rendered parses back as one fence with that note and payload", parsesBack),
    property("a rendered fence holds one opener and one closer, whatever its payload", hasOneFence),
    property("escaping is reversible", escapesReversibly),
    property("only what the library writes parses as a fence", refusesOther),
    property("scrubbing removes a rendered fence and leaves the text around it", removesWhatIsRendered),
    property("scrubbing removes nothing but whole block fences", removesNothingElse),
    property("scrubbing twice changes nothing", isIdempotent),
    property("scrubbing a stream equals scrubbing the whole, however it is chunked", streamsAlike),
    property("nothing in a fence is remembered, however it comes back", isNotRemembered),
    property("nothing in a fence that was cut off is remembered", isNotRememberedInPart),
    property("taking out fences twice changes nothing", takesOutOnce),
    property("text without fences is remembered as it is", leavesTheRest),
    property("outside a fence a stream is held back by one tag line at most", isPrompt),
  ],
}
