/**
 * Renders what was recalled from long-term memory as one fence, within its tokens.
 *
 * @since 0.1.0
 */
import type { TokenCounter } from "../count/TokenCounter.ts"
import { oneLine } from "../summary/ItemText.ts"
import { MEMORY_NOTE, renderFence } from "../text/Fence.ts"

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

/** A block that was itself injected earlier is no memory. */
const isInjected = (text: string): boolean => /<\/?(memory-context|context-summary)>/i.test(text)

const lineOf = (memory: Recalled): string =>
  `- ${oneLine(memory.text)} [${[memory.date, memory.origin].filter((part) => part !== undefined).join("; ")}]`

/**
 * Renders memories in the order given, each text once, as many as fit; null when none does.
 *
 * @category encoding
 * @since 0.1.0
 */
export const renderRecall = (
  memories: ReadonlyArray<Recalled>,
  maxTokens: number,
  counter: TokenCounter,
): { readonly text: string; readonly sources: ReadonlyArray<string> } | null => {
  const render = (chosen: ReadonlyArray<Recalled>) =>
    renderFence("memory-context", MEMORY_NOTE, chosen.map(lineOf).join("\n"))
  const seen = new Set<string>()
  let chosen: ReadonlyArray<Recalled> = []
  for (const memory of memories) {
    const text = oneLine(memory.text)
    if (text === "" || seen.has(text) || isInjected(memory.text)) continue
    seen.add(text)
    if (counter.count(render([...chosen, memory])) <= maxTokens) chosen = [...chosen, memory]
  }
  return chosen.length === 0 ? null : { text: render(chosen), sources: chosen.map((memory) => memory.id) }
}
