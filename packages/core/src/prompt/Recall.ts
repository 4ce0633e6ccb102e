/**
 * Renders what was recalled from long-term memory as one fence, within its tokens.
 *
 * @since 0.1.0
 */
import type { TokenCounter } from "../count/TokenCounter.ts"
import { clip, oneLine } from "../summary/ItemText.ts"
import { MEMORY_NOTE, renderFence } from "../text/Fence.ts"
import { withoutFences } from "../text/WithoutFences.ts"

/**
 * A memory to render.
 *
 * @category models
 * @since 0.1.0
 */
export interface Recalled {
  readonly id: string
  readonly text: string
  readonly origin: string
  readonly date?: string
}

/** Upper bound of an origin or a date, UTF-16 units: they say where a memory is from, and hold none themselves. */
const LABEL_UNITS = 120

/** A shortened memory is no shorter than this, UTF-16 units: less says nothing. */
const LEAST_UNITS = 40

/** Tokens have no more units than this, on average, in a text that is worth rendering. */
const UNITS_PER_TOKEN = 16

/** A block that was itself injected earlier is no memory; a tag that is spoken of is text. */
const isInjected = (text: string): boolean => withoutFences(text) !== text

/** One line without the brackets that stand around the label. */
const labelPart = (text: string): string => clip(oneLine(text.replace(/[[\]]/g, " ")), LABEL_UNITS)

const labelOf = ({ date, origin }: Recalled): string =>
  [date ?? "", origin]
    .map(labelPart)
    .filter((part) => part !== "")
    .join("; ")

/** A memory as it is rendered: its own words, on one line, and where they are from. */
interface Line {
  readonly id: string
  readonly text: string
  readonly label: string
}

const render = (lines: ReadonlyArray<Line>): string =>
  renderFence(
    "memory-context",
    MEMORY_NOTE,
    lines.map(({ text, label }) => `- ${text} [${label}]`).join("\n"),
  )

/** The line with as much of its text as fits, and an ellipsis; null when that would say nothing. */
const shortened = (line: Line, fits: (line: Line) => boolean, most: number): Line | null => {
  let best: Line | null = null
  let low = LEAST_UNITS
  let high = Math.min(line.text.length - 1, most)
  while (low <= high) {
    const middle = Math.floor((low + high) / 2)
    const candidate = { ...line, text: clip(line.text, middle) }
    if (fits(candidate)) {
      best = candidate
      low = middle + 1
    } else high = middle - 1
  }
  return best
}

/** Each memory once, without those that are none. */
const linesOf = (memories: ReadonlyArray<Recalled>): ReadonlyArray<Line> => {
  const lines = new Map<string, Line>()
  for (const memory of memories) {
    const text = oneLine(memory.text)
    if (text === "" || lines.has(text) || isInjected(memory.text)) continue
    lines.set(text, { id: memory.id, text, label: labelOf(memory) })
  }
  return [...lines.values()]
}

/**
 * Renders memories in the order given, each text once on a line of its own with its date and origin behind it, as many
 * as fit; null when none does. Where one does not fit, a shorter one after it may. The first one is shortened at its
 * end, to half of the room, rather than left out.
 *
 * **Example** (A memory with where it is from)
 *
 * ```ts
 * import { estimateCounter, renderRecall } from "@palimpsest/core"
 *
 * const memory = { id: "d1", text: "Prefers tea.", origin: "chat 3", date: "2026-05-01" }
 * const block = renderRecall([memory, { ...memory, id: "d2" }], 1000, estimateCounter)
 * block?.sources // => ["d1"]
 * block?.text.includes("\n- Prefers tea. [2026-05-01; chat 3]\n") // => true
 * ```
 *
 * @category encoding
 * @since 0.1.0
 */
export const renderRecall = (
  memories: ReadonlyArray<Recalled>,
  maxTokens: number,
  counter: TokenCounter,
): { readonly text: string; readonly sources: ReadonlyArray<string> } | null => {
  let chosen: ReadonlyArray<Line> = []
  const fits = (line: Line, most = maxTokens): boolean => counter.count(render([...chosen, line])) <= most
  // One that is shortened leaves half of the room to those after it.
  const fitsHalf = (line: Line): boolean => fits(line, Math.ceil(maxTokens / 2))
  linesOf(memories).forEach((line, i) => {
    const fitting = fits(line)
      ? line
      : i === 0
        ? shortened(line, fitsHalf, maxTokens * UNITS_PER_TOKEN)
        : null
    if (fitting !== null) chosen = [...chosen, fitting]
  })
  return chosen.length === 0 ? null : { text: render(chosen), sources: chosen.map(({ id }) => id) }
}
