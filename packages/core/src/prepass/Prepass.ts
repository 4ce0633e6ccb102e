/**
 * The pre-pass: what can be made smaller without a model.
 *
 * @since 0.1.0
 */
import type { Accounting } from "../count/Accounting.ts"
import { countMessage, countPart, countText } from "../count/Count.ts"
import type { TokenCounter } from "../count/TokenCounter.ts"
import type { Message, Part, ToolCallPart } from "../thread/Message.ts"
import { applyPatches } from "../thread/Patch.ts"
import type { MessageRow, Patch, Reduction } from "../thread/Row.ts"
import { shortenArguments } from "./Arguments.ts"
import { capResult } from "./Cap.ts"
import { dedupe } from "./Dedupe.ts"
import { type Exchange, exchangesOf, place } from "./Exchange.ts"
import { freshMedia, placeholder } from "./Images.ts"
import { stub } from "./Stub.ts"
import type { StubRegistry } from "./StubRule.ts"

/**
 * What the pre-pass reduces.
 *
 * @category models
 * @since 0.1.0
 */
export interface PrepassOptions {
  readonly counter: TokenCounter
  readonly accounting: Accounting
  /** Rules for the lines that stand for results. */
  readonly stubs: StubRegistry
  /** Results of at most so many tokens stay. */
  readonly stubAbove: number
  /** Raw arguments of a call of at most so many UTF-16 units stay. */
  readonly argumentsAbove: number
  /** Number of newest rows with images or files that keep them. */
  readonly keepImages: number
  /** Names of tools whose calls and results are never reduced. */
  readonly protectedTools: ReadonlyArray<string>
}

/** UTF-16 units that a string in shortened arguments keeps. */
const KEPT_OF_ARGUMENTS = 200

/** A result is replaced by a line only if it is at least so many times as big. */
const WORTH = 4

/** How a stage reduces one result: patches, or none. */
type Reduce = (each: Exchange, fresh: boolean) => ReadonlyArray<Patch>

/** What makes one pass different from another. */
interface Plan {
  readonly reduce: Reduce
  /** Whether errors and denials stay as they are. */
  readonly gentle: boolean
}

/** What the stages look up. */
interface Scene {
  readonly options: PrepassOptions
  readonly plan: Plan
  readonly fresh: ReadonlySet<string>
  readonly byCall: ReadonlyMap<string, Exchange>
  /** What becomes of each result that is reduced, by its place. */
  readonly reduced: ReadonlyMap<string, ReadonlyArray<Patch>>
}

const isProtected = (options: PrepassOptions, tool: string): boolean => options.protectedTools.includes(tool)

/** Whether a result may be touched, its row being eligible. */
const isOpen = (each: Exchange, options: PrepassOptions, { gentle }: Plan): boolean =>
  !isProtected(options, each.tool) && !(gentle && (each.unfixed || each.result.status === "denied"))

const contentTokens = ({ sent, tokens }: Exchange, { counter, accounting }: PrepassOptions): number =>
  tokens ?? sent.reduce((sum, item) => sum + countPart(item, counter, accounting), 0)

/** Replaces a long result by its line. A result whose image is fresh keeps the image: only its one text goes. */
const toLine =
  (options: PrepassOptions): Reduce =>
  (each, fresh) => {
    const tokens = contentTokens(each, options)
    if (tokens <= options.stubAbove) return []
    const line = stub(each, options.stubs)
    const least = WORTH * countText(line, options.counter)
    if (!fresh || each.sent.every((item) => item.type === "text")) {
      return tokens >= least ? [{ part: each.part, text: line }] : []
    }
    const texts = each.sent.flatMap((item, i) => (item.type === "text" ? [{ item: i, text: item.text }] : []))
    const [only] = texts
    const worth = only !== undefined && countText(only.text, options.counter) >= least
    return worth && texts.length === 1 ? [{ part: each.part, item: only.item, text: line }] : []
  }

/** Stale images of a result that is not reduced otherwise. */
const staleMedia = (each: Exchange): ReadonlyArray<Patch> =>
  each.sent.flatMap((item, i) =>
    item.type === "media" ? [{ part: each.part, item: i, text: placeholder(each.row, item) }] : [],
  )

/** Results that one pass reduces: duplicates first, then the rest by the plan. */
const reduceResults = (
  results: ReadonlyArray<Exchange>,
  eligible: ReadonlySet<string>,
  fresh: ReadonlySet<string>,
  options: PrepassOptions,
  plan: Plan,
): ReadonlyMap<string, ReadonlyArray<Patch>> => {
  const own = results.map((each) => {
    if (!eligible.has(each.row) || !isOpen(each, options, plan)) return null
    const patches = plan.reduce(each, fresh.has(each.row))
    return patches.length > 0 || fresh.has(each.row) ? patches : staleMedia(each)
  })
  const references = dedupe(
    results.map((each, i) => ({ ...each, eligible: own[i] !== null, whole: (own[i] ?? []).length === 0 })),
  )
  const reduced = new Map<string, ReadonlyArray<Patch>>()
  for (const [i, each] of results.entries()) {
    const text = references.get(i)
    const patches = text === undefined ? own[i] : [{ part: each.part, text }]
    if (patches && patches.length > 0) reduced.set(place(each.row, each.part), patches)
  }
  return reduced
}

/** Whether a response is, or may be, bound to its provider's signature, so that no part of it may change. */
const isSigned = ({ role, parts }: Message): boolean =>
  role === "assistant" &&
  parts.some((part) => part.type === "opaque" || (part.type === "reasoning" && part.signature !== undefined))

const reduceCall = (row: MessageRow, part: ToolCallPart, i: number, scene: Scene): ReadonlyArray<Patch> => {
  const answer = scene.byCall.get(place(row.id, i))
  if (answer === undefined || part.pending === true) return []
  if (!isOpen(answer, scene.options, scene.plan)) return []
  const limits = { above: scene.options.argumentsAbove, keep: KEPT_OF_ARGUMENTS }
  const text = shortenArguments(part.arguments, limits)
  return text === part.arguments ? [] : [{ part: i, text }]
}

const reducePart = (row: MessageRow, part: Part, i: number, scene: Scene): ReadonlyArray<Patch> => {
  switch (part.type) {
    case "tool-result":
      return scene.reduced.get(place(row.id, i)) ?? []
    case "tool-call":
      return reduceCall(row, part, i, scene)
    case "media":
      return scene.fresh.has(row.id) ? [] : [{ part: i, text: placeholder(row.id, part) }]
    default:
      return []
  }
}

/** The patches of a pass over those of the cap: what the cap replaced whole has no items left to replace. */
const overCap = (cap: ReadonlyArray<Patch>, own: ReadonlyArray<Patch>): ReadonlyArray<Patch> | null => {
  const whole = new Set(cap.flatMap(({ part, item }) => (item === undefined ? [part] : [])))
  const kept = own.filter(({ part, item }) => item === undefined || !whole.has(part))
  const replaced = (c: Patch): boolean =>
    kept.some(({ part, item }) => part === c.part && (item === undefined || item === c.item))
  return kept.length === 0 ? null : [...cap.filter((patch) => !replaced(patch)), ...kept]
}

/** The reduction of a row, with its cap where the pass changes nothing; null when it would not be smaller. */
const reduceRow = (row: MessageRow, scene: Scene): Reduction | null => {
  if (isSigned(row.message)) return null
  const own = row.message.parts.flatMap((part, i) => reducePart(row, part, i, scene))
  const patches = overCap(row.cap ?? [], own)
  if (patches === null) return null
  const { counter, accounting } = scene.options
  const tokens = countMessage(applyPatches(row.message, patches), counter, accounting)
  return tokens < row.tokens ? { row: row.id, patches, tokens } : null
}

const run = (
  rows: ReadonlyArray<MessageRow>,
  eligible: ReadonlySet<string>,
  options: PrepassOptions,
  plan: Plan,
): ReadonlyArray<Reduction> => {
  const { results, byCall } = exchangesOf(rows)
  const fresh = freshMedia(rows, options.keepImages)
  const reduced = reduceResults(results, eligible, fresh, options, plan)
  const scene: Scene = { options, plan, fresh, byCall, reduced }
  return rows.flatMap((row) => {
    const reduction = eligible.has(row.id) ? reduceRow(row, scene) : null
    return reduction === null ? [] : [reduction]
  })
}

/**
 * Reduces the eligible rows of a window without a model, always from their originals: repeated results become
 * references to the newest, long ones a line that says what they were and how to recall them, arguments of calls are
 * shortened inside their JSON, stale images become placeholders. Only rows that get strictly smaller are returned.
 *
 * Texts, protected tools, errors that the same tool has not yet got over, denials, calls without a result, signed
 * responses and unknown parts are left as they are.
 *
 * **Gotchas**
 *
 * `rows` is the whole window and `eligible` names all rows that are to be reduced, those of earlier passes included:
 * a reference is good for this choice of rows only.
 *
 * **Example** (An old page)
 *
 * ```ts
 * import {
 *   assistant, defaultAccounting, defaultStubs, estimateCounter, type MessageRow, prepass, toolResult,
 * } from "@palimpsest/core"
 *
 * const row = (position: number, message: MessageRow["message"], tokens: number): MessageRow =>
 *   ({ kind: "message", id: `m${position}`, position, message, tokens, tokenizer: estimateCounter.name })
 * const rows = [
 *   row(1, assistant("", [{ id: "c1", name: "Read", arguments: '{"file_path":"a.ts"}' }]), 20),
 *   row(2, toolResult("c1", "const a = 1\n".repeat(500)), 2000),
 * ]
 * const [reduction] = prepass(rows, new Set(["m1", "m2"]), {
 *   counter: estimateCounter, accounting: defaultAccounting, stubs: defaultStubs,
 *   stubAbove: 200, argumentsAbove: 500, keepImages: 1, protectedTools: [],
 * })
 * reduction?.patches[0]?.text // => '[Read a.ts: 500 lines, 6000 characters; ok; recall("m2")]'
 * ```
 *
 * @category combinators
 * @since 0.1.0
 */
export const prepass = (
  rows: ReadonlyArray<MessageRow>,
  eligible: ReadonlySet<string>,
  options: PrepassOptions,
): ReadonlyArray<Reduction> => run(rows, eligible, options, { reduce: toLine(options), gentle: true })

/** Shortens a result to a size: to its head and tail, or to its line when that is smaller than what fits. */
const toSize =
  (maxTokens: number, options: PrepassOptions): Reduce =>
  (each) => {
    const patches = capResult(each.row, each.part, each.result, { ...options, maxTokens })
    if (patches.length === 0) return []
    const line = stub(each, options.stubs)
    const tokens = countText(line, options.counter)
    if (maxTokens >= WORTH * tokens) return patches
    return tokens < contentTokens(each, options) ? [{ part: each.part, text: line }] : []
  }

/**
 * Reduces the eligible rows as a last resort, so that no result of theirs is above `maxTokensPerResult`: errors and
 * denials too are cut to head and tail, or to their line where there is no room for more. Protected tools stay.
 *
 * **Gotchas**
 *
 * A result may stay above the limit when its line is itself longer.
 *
 * @category combinators
 * @since 0.1.0
 */
export const squeeze = (
  rows: ReadonlyArray<MessageRow>,
  eligible: ReadonlySet<string>,
  maxTokensPerResult: number,
  options: PrepassOptions,
): ReadonlyArray<Reduction> =>
  run(rows, eligible, options, { reduce: toSize(maxTokensPerResult, options), gentle: false })
