/** Adds up what a replay did. */
import type { Played, PlayedCall } from "./Play.ts"

/** The figures of a replay. Tokens are counted by o200k. */
export interface Tally {
  readonly chats: number
  readonly calls: number
  readonly promptTokens: { readonly sum: number; readonly max: number }
  /** Tokens that system prompt and messages may take. */
  readonly budget: number
  /** Broken laws, by their number: empty when all hold. */
  readonly violations: Readonly<Record<string, number>>
  readonly passes: { readonly prune: number; readonly summary: number }
  /** The last decision of each call, by kind. */
  readonly decisions: Readonly<Record<string, number>>
  /** Calls for which no prompt fits the budget. */
  readonly cannotFit: number
  readonly summariserCalls: number
  readonly rowsReadPerStep: { readonly mean: number; readonly max: number }
  readonly degraded: number
}

const countBy = <A>(all: ReadonlyArray<A>, key: (a: A) => string): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (const a of all) counts[key(a)] = (counts[key(a)] ?? 0) + 1
  return counts
}

const decisionOf = (call: PlayedCall): string => call.prompt?.decisions.at(-1)?._tag ?? "CannotFit"

/** Adds up. */
export const tally = (played: ReadonlyArray<Played>): Tally => {
  const calls = played.flatMap((chat) => chat.calls)
  const prompts = calls.flatMap((call) => (call.prompt === null ? [] : [call.prompt]))
  const tokens = prompts.map((prompt) => prompt.tokens.total)
  const passes = prompts.flatMap((prompt) => prompt.passes)
  const rows = calls.map((call) => call.rowsRead)
  const sum = (all: ReadonlyArray<number>) => all.reduce((total, n) => total + n, 0)
  return {
    chats: played.length,
    calls: calls.length,
    promptTokens: { sum: sum(tokens), max: Math.max(0, ...tokens) },
    budget: calls[0]?.limit ?? 0,
    violations: countBy(
      played.flatMap((chat) => chat.violations),
      ({ law }) => String(law),
    ),
    passes: {
      prune: passes.filter((pass) => pass.kind === "prune").length,
      summary: passes.filter((pass) => pass.kind === "summary").length,
    },
    decisions: countBy(calls, decisionOf),
    cannotFit: calls.filter((call) => call.prompt === null).length,
    summariserCalls: sum(passes.map((pass) => pass.calls)),
    rowsReadPerStep: {
      mean: rows.length === 0 ? 0 : Math.round((sum(rows) / rows.length) * 10) / 10,
      max: Math.max(0, ...rows),
    },
    degraded: sum(prompts.map((prompt) => prompt.degraded.length)),
  }
}
