/**
 * Random threads with marks that real decisions put there, for laws over the pure pipeline.
 *
 * @since 0.1.0
 */
import fc from "fast-check"
import { defaultAccounting } from "../../count/Accounting.ts"
import { countMessage } from "../../count/Count.ts"
import { makeBudget } from "../../decide/Budget.ts"
import { type Circumstances, decide } from "../../decide/Decide.ts"
import type { Summarize } from "../../decide/Decision.ts"
import { measure } from "../../decide/Measure.ts"
import type { Settings } from "../../decide/Settings.ts"
import { pruneMark, rowsOf as rowsNamed, type Scene, summaryMark } from "../../engine/MakeMark.ts"
import { newMessage, push, stateOf } from "../../engine/StepState.ts"
import { defaultStubs } from "../../prepass/Stub.ts"
import { extractDelta } from "../../summary/Extract.ts"
import { emptySummary } from "../../summary/Item.ts"
import { merge } from "../../summary/Merge.ts"
import { redact } from "../../summary/Redact.ts"
import { advance, emptyThread, withFailure } from "../../thread/Advance.ts"
import { groupsOf } from "../../thread/Group.ts"
import { isRealUser, type Message, user } from "../../thread/Message.ts"
import type { SummaryRow } from "../../thread/Row.ts"
import type { Thread } from "../../thread/Thread.ts"
import { libraryMessage, openWindow } from "../../thread/Window.ts"
import { arbitraryMove, emptyTalk, type Move, play, type Talk } from "./Moves.ts"
import { arbitraryBudget, arbitraryPolicy, arbitrarySystem } from "./Policies.ts"
import { testCounter } from "./Rows.ts"

/** The chat in which scenes play. */
const KEY = { tenant: "t", chat: "c" }

/**
 * A thread, and the settings and circumstances under which it is decided upon.
 *
 * @category models
 * @since 0.1.0
 */
export interface Case {
  readonly thread: Thread
  readonly settings: Settings
  readonly circumstances: Circumstances
}

/** What else happens between moves. */
type Event =
  | Move
  | { readonly tag: "decide" }
  | { readonly tag: "compact" }
  | { readonly tag: "reset" }
  | { readonly tag: "recall" }
  | { readonly tag: "fail" }

const event: fc.Arbitrary<Event> = fc.oneof(
  { weight: 10, arbitrary: arbitraryMove },
  { weight: 5, arbitrary: fc.constant({ tag: "decide" as const }) },
  { weight: 1, arbitrary: fc.constant({ tag: "compact" as const }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom({ tag: "reset" as const }, { tag: "fail" as const }, { tag: "fail" as const }),
  },
  { weight: 1, arbitrary: fc.constant({ tag: "recall" as const }) },
)

/**
 * The scene of a thread.
 *
 * @category constructors
 * @since 0.1.0
 */
export const sceneOf = (thread: Thread, settings: Settings): Scene => ({
  key: KEY,
  thread,
  stored: thread,
  window: openWindow(thread, settings),
  settings,
})

/** The mark that the extractive summariser leads to, or null when it is refused. */
const summarised = (scene: Scene, plan: Summarize): SummaryRow | null => {
  const { thread, settings } = scene
  const previous = thread.cut?.kind === "summary" ? thread.cut.summary : emptySummary
  const rows = rowsNamed(thread, plan.span)
  const options = { counter: settings.counter, maxTokens: plan.maxTokens }
  const summary = merge(previous, extractDelta(rows, { ...options, previous }), {
    ...options,
    maxConstraintTokens: plan.maxConstraintTokens,
    users: new Set(rows.filter((row) => isRealUser(row.message)).map((row) => row.id)),
  }).summary
  const made = summaryMark(scene, plan, { summary, outcome: "extractive", model: "extractive" })
  return "mark" in made ? made.mark : null
}

/**
 * Decides on a thread and does what was decided: the thread after it, or null when nothing is done.
 *
 * @category combinators
 * @since 0.1.0
 */
export const passOnce = (
  thread: Thread,
  settings: Settings,
  circumstances: Circumstances = {},
): Thread | null => {
  const scene = sceneOf(thread, settings)
  const decision = decide(scene.window, groupsOf(scene.window, settings), settings, circumstances)
  if (decision._tag === "Prune") return advance(thread, pruneMark(scene, decision))
  const mark = decision._tag === "Summarize" ? summarised(scene, decision) : null
  return mark === null ? null : advance(thread, mark)
}

const last = (thread: Thread) => {
  const row = thread.rows.findLast((one) => one.kind === "message")
  return { anchor: row?.id ?? thread.cut?.anchor ?? "", position: row?.position ?? thread.cut?.position ?? 0 }
}

const recall = (thread: Thread): Thread => {
  const place = last(thread)
  if (thread.rows.some((row) => row.kind === "recall" && row.anchor === place.anchor)) return thread
  const text = `<memory-context>\nnote\n${place.anchor} was ${"blue ".repeat(place.position * 3)}\n</memory-context>`
  const tokens = countMessage(libraryMessage(text), testCounter, defaultAccounting)
  const id = `r${place.anchor}`
  const more = { text, tokens, tokenizer: testCounter.name, sources: [] }
  return advance(thread, { kind: "recall", id, revision: 0, ...place, ...more })
}

const told = (thread: Thread, message: Message, settings: Settings): Thread => {
  const input = newMessage(KEY, "", { id: `m${last(thread).position + 1}`, message }, 0, settings)
  return push(stateOf(thread), input).thread
}

const failed = (thread: Thread, settings: Settings): Thread => {
  const tokens = openWindow(thread, settings).entries.reduce((sum, entry) => sum + entry.tokens, 0)
  return withFailure(thread, { anchor: last(thread).anchor, stage: "check", reason: "no", tokens })
}

const built = (thread: Thread, talk: Talk, settings: Settings, one: Event): readonly [Thread, Talk] => {
  switch (one.tag) {
    case "decide":
      return [passOnce(thread, settings) ?? thread, talk]
    case "compact":
      return [passOnce(thread, settings, { manual: true }) ?? thread, talk]
    case "recall":
      return [told(recall(thread), user(`What of ${talk.moves}?`), settings), talk]
    case "reset":
      return [
        advance(thread, { kind: "reset", id: `x${last(thread).anchor}`, revision: 0, ...last(thread) }),
        talk,
      ]
    case "fail":
      return [failed(thread, settings), talk]
    default: {
      const played = play(one, talk)
      return [played.messages.reduce((all, message) => told(all, message, settings), thread), played.talk]
    }
  }
}

const build = (events: ReadonlyArray<Event>, system: string, settings: Settings): Thread =>
  events.reduce<readonly [Thread, Talk]>(
    ([thread, talk], one) => built(thread, talk, settings, one),
    [emptyThread(system), emptyTalk],
  )[0]

/** Another way to count, so that some threads hold rows which their settings have to count again. */
const otherCounter = { name: "test/third", count: (text: string) => Math.ceil(text.length / 3) }

/**
 * Makes settings: any policy, any budget, one of two counters.
 *
 * @category arbitraries
 * @since 0.1.0
 */
export const arbitrarySettings: fc.Arbitrary<Settings> = fc
  .record({
    policy: arbitraryPolicy,
    budget: arbitraryBudget,
    counter: fc.constantFrom(testCounter, testCounter, testCounter, otherCounter),
  })
  .map(({ policy, budget, counter }) => ({
    policy,
    budget: makeBudget(budget),
    counter,
    accounting: defaultAccounting,
    stubs: defaultStubs,
    redact,
  }))

/** Another window, so many times as large as what the thread holds: where decisions lie close together. */
const refitted = (thread: Thread, settings: Settings, times: number): Settings => {
  const { window } = sceneOf(thread, settings)
  const { total } = measure(window, groupsOf(window, settings).groups)
  return { ...settings, budget: makeBudget({ window: Math.ceil(total * times), reserve: 0, margin: 0 }) }
}

const times = fc.option(fc.constantFrom(0.9, 1.05, 1.3, 1.3, 1.8, 1.8, 3, 6), { freq: 3 })

/**
 * Makes threads under settings: built move by move, compacted by the decisions themselves now and then; most of them
 * decided upon for a window that they nearly fill.
 *
 * @category arbitraries
 * @since 0.1.0
 */
export const arbitraryScene: fc.Arbitrary<Case> = fc
  .record({
    events: fc.array(event, { maxLength: 24, size: "max" }),
    system: arbitrarySystem,
    settings: arbitrarySettings,
    circumstances: fc.constantFrom<Circumstances>({}, {}, {}, {}, {}, { manual: true }, { noPass: true }),
    times,
  })
  .map(({ events, system, settings, circumstances, times: larger }) => {
    const thread = build(events, system, { ...settings, counter: testCounter })
    return {
      thread,
      settings: larger === null ? settings : refitted(thread, settings, larger),
      circumstances,
    }
  })
