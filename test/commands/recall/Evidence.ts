/** How much of the evidence of questions is found, by searches alone. */
import type { MessageRow } from "@palimpsest/core"
import { estimateCounter } from "@palimpsest/core"
import { MemoryIndex, ThreadStore } from "@palimpsest/core/engine"
import { Effect } from "effect"
import type { Dialogue, Turn } from "./Locomo.ts"

/** Sizes of answers that are measured. */
export const SIZES = [5, 10, 20] as const

/** What was found for one question. */
export interface Finding {
  /** For each size, whether all evidence is among so many documents. */
  readonly all: ReadonlyArray<boolean>
  /** For each size, tokens of their texts. */
  readonly tokens: ReadonlyArray<number>
  /** Milliseconds. */
  readonly took: number
}

export const TENANT = "locomo"

/** A turn as a message: the first speaker is the user. */
export const messageOf = ({ speaker, isFirst, text }: Turn): MessageRow["message"] => ({
  role: isFirst ? "user" : "assistant",
  name: speaker,
  parts: [{ type: "text", text }],
})

/** Rows of one append. */
const BATCH = 100

/** Puts a dialogue into a chat of its own owner, and indexes it. */
export const bringIn = Effect.fnUntraced(function* ({ name, turns }: Dialogue) {
  const store = yield* ThreadStore
  const index = yield* MemoryIndex
  const key = { tenant: TENANT, chat: name }
  yield* store.open(key, "", { owner: name })
  for (let from = 0; from < turns.length; from += BATCH) {
    yield* store.append(
      key,
      turns.slice(from, from + BATCH).map((turn) => ({
        id: turn.id,
        message: messageOf(turn),
        tokens: estimateCounter.count(turn.text),
        tokenizer: estimateCounter.name,
        at: turn.at,
      })),
    )
  }
  while ((yield* index.index(TENANT)).left);
})

/** Searches for each question of a dialogue. */
export const findEvidence = Effect.fnUntraced(function* (
  { name, questions }: Dialogue,
  count: (text: string) => number,
) {
  const index = yield* MemoryIndex
  const findings: Array<Finding> = []
  for (const { question, evidence } of questions) {
    const began = performance.now()
    const { found } = yield* index.search({ tenant: TENANT, owner: name, query: question, limit: SIZES[2] })
    const took = performance.now() - began
    const documents = found.map(({ document }) => document)
    const upTo = (size: number) => documents.slice(0, size)
    findings.push({
      all: SIZES.map((size) => {
        const rows = new Set(upTo(size).map(({ row }) => row))
        return evidence.every((id) => rows.has(id))
      }),
      tokens: SIZES.map((size) => upTo(size).reduce((sum, { text }) => sum + count(text), 0)),
      took,
    })
  }
  return findings
})
