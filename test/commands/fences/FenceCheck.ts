/** One payload against all that fences promise; the first thing that does not hold is told. */
import {
  estimateCounter,
  MEMORY_NOTE,
  parseFence,
  renderFence,
  renderRecall,
  scrub,
  scrubChunk,
  scrubChunks,
  scrubEnd,
  scrubStart,
  unescapeFence,
  withoutFences,
} from "@palimpsest/core"
import { type Rng, rngOf } from "../fuzz/Rng.ts"
import type { Failure, Verdict } from "../fuzz/Target.ts"
import { cutsOf, isWithBackslashes, namesRead, plainScrub, tagsRead } from "./FenceOracle.ts"

const NAME = "memory-context"
const MOST_CUTS = 40
const RECALL_TOKENS = 400

const failed = (kind: string, detail: string): Failure => ({
  kind,
  detail: JSON.stringify(detail).slice(0, 400),
})

const checkRendered = (payload: string): Failure | null => {
  const text = renderFence(NAME, MEMORY_NOTE, payload)
  if (parseFence(NAME, text)?.payload !== payload) return failed("does not parse back", text)
  const body = text.slice(`<${NAME}>\n${MEMORY_NOTE}\n`.length, -`\n</${NAME}>`.length)
  if (tagsRead(text).join() !== `<${NAME},</${NAME}`) return failed("reads as more than one fence", body)
  if (!isWithBackslashes(body, payload)) return failed("changes other text", body)
  if (!namesRead(payload) && body !== payload) return failed("changes ordinary text", body)
  return unescapeFence(body) === payload ? null : failed("does not unescape", body)
}

const checkRecall = (payload: string): Failure | null => {
  const memories = [
    { id: "1", text: payload, origin: payload, date: payload },
    { id: "2", text: "Likes tea.", origin: payload },
  ]
  const block = renderRecall(memories, RECALL_TOKENS, estimateCounter)
  if (block === null) return null
  if (estimateCounter.count(block.text) > RECALL_TOKENS) return failed("recalls too much", block.text)
  if (tagsRead(block.text).length !== 2) return failed("a memory reads as a fence", block.text)
  const lines = block.text.split(/[\n\r\v\f\u0085\u2028\u2029]/).length - 3
  return lines === block.sources.length ? null : failed("a memory has more than a line", block.text)
}

const inTwo = (text: string, at: number): string => {
  const first = scrubChunk(scrubStart, text.slice(0, at))
  const second = scrubChunk(first.state, text.slice(at))
  return first.text + second.text + scrubEnd(second.state)
}

const inPieces = (text: string, rng: Rng): ReadonlyArray<string> => {
  const cuts = Array.from({ length: 1 + rng.int(12) }, () => rng.int(text.length + 1)).toSorted(
    (a, b) => a - b,
  )
  return [...cuts, text.length].map((end, i) => text.slice(cuts[i - 1] ?? 0, end))
}

const streamed = (chunks: ReadonlyArray<string>): string => [...scrubChunks(chunks)].join("")

const checkScrubbed = (text: string): Failure | null => {
  const whole = scrub(text)
  if (whole !== plainScrub(text)) return failed("removes something else", whole)
  if (streamed(text.split("")) !== whole) return failed("streams otherwise, unit by unit", text)
  if (cutsOf(text, MOST_CUTS).some((at) => inTwo(text, at) !== whole))
    return failed("streams otherwise in two", text)
  const rng = rngOf(text.length)
  return [1, 2, 3, 4].some(() => streamed(inPieces(text, rng)) !== whole)
    ? failed("streams otherwise in pieces", text)
    : null
}

const SECRET = "kept-from-memory"

const checkCaptured = (payload: string): Failure | null => {
  const fence = renderFence(NAME, MEMORY_NOTE, `${SECRET} ${payload} ${SECRET}`)
  for (const text of [`Sure.\n${fence}\nDone.`, `Sure. ${JSON.stringify(fence)} Done.`]) {
    const left = withoutFences(text)
    if (left.includes(SECRET)) return failed("is remembered", left)
    if (!left.startsWith("Sure.") || !left.endsWith("Done.")) return failed("is not remembered", left)
  }
  const once = withoutFences(payload)
  if (withoutFences(once) !== once) return failed("is taken out twice", once)
  return namesRead(payload) || once === payload ? null : failed("forgets ordinary text", once)
}

/** Checks a payload: what is rendered of it, a memory of it, an answer of it, and what is remembered of it. */
export const checkPayload = (payload: string): Verdict =>
  checkRendered(payload) ??
  checkRecall(payload) ??
  checkScrubbed(payload) ??
  checkScrubbed(`${payload}\n${renderFence(NAME, MEMORY_NOTE, payload)}\n${payload}`.slice(0, 4000)) ??
  checkCaptured(payload) ??
  "read"
