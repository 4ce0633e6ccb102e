/**
 * Removes fences from what a model wrote, whole or as it streams.
 *
 * @since 0.1.0
 */
import { type FenceName, fenceNames } from "./Fence.ts"

/** A fence whose closer has not come: its text so far is held back. */
interface OpenFence {
  readonly name: FenceName
  /** The line of the opener, with its line break. */
  readonly opener: string
  /** What came after it. */
  readonly body: string
}

/**
 * Where the scrubbing of a stream stands. Plain data; made by `scrubStart` and `scrubChunk`.
 *
 * @category models
 * @since 0.1.0
 */
export interface ScrubState {
  /** Names of the fences that are looked for. */
  readonly names: ReadonlyArray<FenceName>
  /** The current line, while it may still become a tag line; null once it cannot. */
  readonly line: string | null
  readonly open: OpenFence | null
}

/** Spaces and tabs that may stand on each side of a tag. */
const MOST_SPACES = 8

/**
 * The most UTF-16 units that a stream holds back outside a fence: the longest line that is a tag.
 *
 * @category constants
 * @since 0.1.0
 */
export const longestTagLine = "</context-summary>".length + 2 * MOST_SPACES + "\r\n".length

/**
 * The state before the first chunk of a stream.
 *
 * @category constructors
 * @since 0.1.0
 */
export const scrubStart: ScrubState = { names: fenceNames, line: "", open: null }

const LINE = /^([ \t]{0,8})(\S*)([ \t]{0,8})\r?\n?$/

/** True when the line is the tag, alone. */
const isTagLine = (line: string, tag: string): boolean =>
  line.length <= longestTagLine && LINE.exec(line)?.[2] === tag

/** True when the line, not ended yet, may become a line of the tag. */
const mayBecome = (line: string, tag: string): boolean => {
  if (line.length > longestTagLine) return false
  const [, , word = null, after = ""] = LINE.exec(line) ?? []
  if (word === null) return false
  return word === tag || (tag.startsWith(word) && after === "" && !line.endsWith("\r"))
}

/** The tags that the current line is compared with. */
const tagsOf = (state: ScrubState): ReadonlyArray<string> =>
  state.open === null ? state.names.map((name) => `<${name}>`) : [`</${state.open.name}>`]

/** Passes text on: out, or to what the open fence holds back. */
const pass = (state: ScrubState, text: string, line: string | null): Step =>
  state.open === null
    ? { state: state.line === line ? state : { ...state, line }, text }
    : { state: { ...state, line, open: { ...state.open, body: state.open.body + text } }, text: "" }

interface Step {
  readonly state: ScrubState
  readonly text: string
}

/** Takes a line whose end is known: a tag opens or closes, anything else passes. */
const endLine = (state: ScrubState, line: string): Step => {
  const tag = tagsOf(state).find((candidate) => isTagLine(line, candidate))
  if (tag === undefined) return pass(state, line, "")
  if (state.open !== null) return { state: { ...state, line: "", open: null }, text: "" }
  const name = state.names.find((candidate) => tag === `<${candidate}>`)
  return name === undefined
    ? pass(state, line, "")
    : { state: { ...state, line: "", open: { name, opener: line, body: "" } }, text: "" }
}

/** Takes a piece of one line, with its line break or without. */
const takePiece = (state: ScrubState, piece: string): Step => {
  const ended = piece.endsWith("\n")
  if (state.line === null) return pass(state, piece, ended ? "" : null)
  const line = state.line + piece
  if (ended) return endLine(state, line)
  return tagsOf(state).some((tag) => mayBecome(line, tag))
    ? { state: { ...state, line }, text: "" }
    : pass(state, line, null)
}

/**
 * Takes the next chunk of a stream, and returns what may be shown of it. Outside a fence the delay is at most the
 * length of a line that is a tag; an open fence is held back until its closer comes, or the end.
 *
 * @category streaming
 * @since 0.1.0
 */
export const scrubChunk = (
  state: ScrubState,
  chunk: string,
): { readonly state: ScrubState; readonly text: string } => {
  let current = state
  let text = ""
  for (let from = 0; from < chunk.length; ) {
    const lineBreak = chunk.indexOf("\n", from)
    const to = lineBreak < 0 ? chunk.length : lineBreak + 1
    const step = takePiece(current, chunk.slice(from, to))
    current = step.state
    text += step.text
    from = to
  }
  return { state: current, text }
}

/**
 * Ends a stream, and returns what is left to show. A fence that nothing closed was none: its text is returned as it
 * was, but for whole fences of the other name inside.
 *
 * @category streaming
 * @since 0.1.0
 */
export const scrubEnd = (state: ScrubState): string => {
  const last = state.line === null ? { state, text: "" } : endLine({ ...state, line: null }, state.line)
  const { open } = last.state
  if (open === null) return last.text
  const names = state.names.filter((name) => name !== open.name)
  const rest = scrubChunk({ names, line: "", open: null }, open.body)
  return last.text + open.opener + rest.text + scrubEnd(rest.state)
}

/**
 * Removes from a model's output each whole fence of this library: an opener alone on its line, to the first closer
 * alone on its line. Nothing else is touched: a tag inside a sentence, or a fence that nothing closes, stays.
 *
 * **Example** (A fence that the model repeated)
 *
 * ```ts
 * import { scrub } from "@palimpsest/core"
 *
 * scrub("Sure.\n<memory-context>\nold\n</memory-context>\nBooked.") // => "Sure.\nBooked."
 * ```
 *
 * @category combinators
 * @since 0.1.0
 */
export const scrub = (text: string): string => {
  const step = scrubChunk(scrubStart, text)
  return step.text + scrubEnd(step.state)
}

/**
 * Scrubs a stream of chunks, each as soon as it may be shown. Empty chunks are left out.
 *
 * **Example** (A fence in pieces)
 *
 * ```ts
 * import { scrubChunks } from "@palimpsest/core"
 *
 * const chunks = ["Su", "re.\n<memory-", "context>\nold\n</memory-context>\nBoo", "ked."]
 * Array.from(scrubChunks(chunks)) // => ["Su", "re.\n", "Boo", "ked."]
 * ```
 *
 * @category streaming
 * @since 0.1.0
 */
export function* scrubChunks(chunks: Iterable<string>): Generator<string, void, undefined> {
  let state = scrubStart
  for (const chunk of chunks) {
    const step = scrubChunk(state, chunk)
    state = step.state
    if (step.text !== "") yield step.text
  }
  const rest = scrubEnd(state)
  if (rest !== "") yield rest
}
