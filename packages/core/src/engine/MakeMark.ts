/**
 * Makes the marks of a pass, with the record of what the pass does. Pure: the numbers come from the same functions
 * that decide and lay out.
 *
 * @since 0.1.0
 */
import { countMessage } from "../count/Count.ts"
import { countingName } from "../count/CountingName.ts"
import type { Prune, Summarize } from "../decide/Decision.ts"
import { measure } from "../decide/Measure.ts"
import type { Settings } from "../decide/Settings.ts"
import { fallbacksOf, lastPass } from "../decide/Thrash.ts"
import { emptyDelta, type Summary } from "../summary/Item.ts"
import { merge } from "../summary/Merge.ts"
import { renderSummaryFence } from "../summary/Render.ts"
import { advance } from "../thread/Advance.ts"
import { groupsOf } from "../thread/Group.ts"
import { canonicalJson, digestRows, markId, sha256 } from "../thread/Id.ts"
import type { MessageRow, Pass, PruneRow, SummaryRow, ThreadKey } from "../thread/Row.ts"
import type { Thread } from "../thread/Thread.ts"
import { libraryMessage, openWindow, type Window } from "../thread/Window.ts"
import { find, lastOf } from "./StepState.ts"

/**
 * A window and the thread that it shows.
 *
 * @category models
 * @since 0.1.0
 */
export interface Scene {
  readonly key: ThreadKey
  /** As it is sent: each text has passed the host's filter. */
  readonly thread: Thread
  /** As it is stored: a digest is of what a summary stands for, not of what the summariser was shown. */
  readonly stored: Thread
  readonly window: Window
  readonly settings: Settings
}

const totalOf = (thread: Thread, settings: Settings): number => {
  const window = openWindow(thread, settings)
  return measure(window, groupsOf(window, settings).groups).total
}

/**
 * The rows of a decision, in order.
 *
 * @category getters
 * @since 0.1.0
 */
export const rowsOf = (thread: Thread, ids: ReadonlyArray<string>): ReadonlyArray<MessageRow> =>
  ids.flatMap((id) => find(thread, id) ?? [])

const passOf = (
  scene: Scene,
  plan: Prune | Summarize,
  rows: ReadonlyArray<MessageRow>,
  after: number,
): Omit<Pass, "generation" | "outcome" | "model" | "fallbacks"> => {
  const { policy } = scene.settings
  const before = plan.parts.total
  const weak = before - after < policy.minGain * (before - plan.parts.system) || after > plan.limits.trigger
  return {
    cause: plan.cause,
    before,
    after,
    rows: rows.length,
    digest: digestRows(rows),
    policy: sha256(canonicalJson(policy)).slice(0, 16),
    weak: weak ? (lastPass(scene.window)?.weak ?? 0) + 1 : 0,
    newest: lastOf(scene.thread).id,
  }
}

/** The reductions of an earlier prune at the same anchor, which a new one stands for, and those of the new one. */
const withEarlier = (
  earlier: PruneRow | undefined,
  { reductions }: Prune,
  window: Window,
  { counter, accounting }: Settings,
): Prune["reductions"] => {
  if (earlier === undefined) return reductions
  const fresh = new Set(reductions.map((reduction) => reduction.row))
  const entries = new Map(window.entries.map((entry) => [entry.row.id, entry] as const))
  const kept = earlier.reductions.flatMap((reduction) => {
    const entry = entries.get(reduction.row)
    if (fresh.has(reduction.row) || entry === undefined) return []
    return [{ ...reduction, tokens: countMessage(entry.message, counter, accounting) }]
  })
  return [...kept, ...reductions]
}

/**
 * Makes a prune mark.
 *
 * @category constructors
 * @since 0.1.0
 */
export const pruneMark = (scene: Scene, plan: Prune): PruneRow => {
  const { key, thread, settings } = scene
  const earlier = scene.window.prunes.findLast((prune) => prune.anchor === plan.anchor)
  const revision = Math.max(thread.revision, earlier === undefined ? 0 : earlier.revision + 1)
  const rows = rowsOf(
    scene.stored,
    plan.reductions.map((reduction) => reduction.row),
  )
  return {
    kind: "prune",
    id: markId(key, "prune", plan.anchor, revision),
    position: find(thread, plan.anchor)?.position ?? 0,
    anchor: plan.anchor,
    revision,
    reductions: withEarlier(earlier, plan, scene.window, settings),
    tokenizer: countingName(settings),
    pass: {
      ...passOf(scene, plan, rows, plan.parts.total - plan.gain),
      generation: 0,
      outcome: "none",
      model: "",
      fallbacks: fallbacksOf(thread.cut),
    },
  }
}

/** The summary, made to fit its bounds as rendered, and its text. */
const fitted = (
  summary: Summary,
  plan: Summarize,
  { counter, accounting }: Settings,
): { readonly summary: Summary; readonly text: string; readonly tokens: number } => {
  const weigh = (s: Summary) => {
    const text = renderSummaryFence(s)
    return { summary: s, text, tokens: countMessage(libraryMessage(text), counter, accounting) }
  }
  let best = weigh(summary)
  const most = plan.most
  for (let room = plan.maxTokens; best.tokens > most && room > 0; ) {
    room = Math.max(0, room - (best.tokens - most))
    const options = {
      counter,
      maxTokens: room,
      maxConstraintTokens: plan.maxConstraintTokens,
      users: new Set<string>(),
    }
    best = weigh(merge(best.summary, emptyDelta, options).summary)
  }
  return best
}

/**
 * Makes a summary mark, or says why it may not be written: a summary that would not free what was promised is none.
 *
 * @category constructors
 * @since 0.1.0
 */
export const summaryMark = (
  scene: Scene,
  plan: Summarize,
  made: { readonly summary: Summary; readonly outcome: Pass["outcome"]; readonly model: string },
): { readonly mark: SummaryRow } | { readonly refused: string } => {
  const { key, thread, settings } = scene
  const rows = rowsOf(scene.stored, plan.span)
  const { summary, text, tokens } = fitted(made.summary, plan, settings)
  const generation = thread.cut?.kind === "summary" ? thread.cut.pass.generation : 0
  const draft = {
    kind: "summary",
    id: markId(key, "summary", plan.anchor, thread.revision),
    position: find(thread, plan.anchor)?.position ?? 0,
    anchor: plan.anchor,
    revision: thread.revision,
    summary,
    text,
    tokens,
    tokenizer: countingName(settings),
    head: plan.head,
    carry: plan.carry,
    previous: thread.cut?.id ?? null,
  } as const
  const markWith = (after: number): SummaryRow => ({
    ...draft,
    pass: {
      ...passOf(scene, plan, rows, after),
      generation: generation + 1,
      outcome: made.outcome,
      model: made.model,
      fallbacks: made.outcome === "extractive" ? fallbacksOf(thread.cut) + 1 : 0,
    },
  })
  const after = totalOf(advance(thread, markWith(0)), settings)
  const freed = plan.parts.total - after
  return freed >= plan.gain
    ? { mark: markWith(after) }
    : { refused: `it would free ${freed} tokens, and ${plan.gain} were promised` }
}
