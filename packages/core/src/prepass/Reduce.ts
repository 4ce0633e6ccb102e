/**
 * The stages that every pass over a window shares.
 *
 * @since 0.1.0
 */
import { countMessage, countPart } from "../count/Count.ts"
import type { Message, Part, ToolCallPart } from "../thread/Message.ts"
import { applyPatches } from "../thread/Patch.ts"
import type { MessageRow, Patch, Reduction } from "../thread/Row.ts"
import { shortenArguments } from "./Arguments.ts"
import { dedupe } from "./Dedupe.ts"
import { type Exchange, exchangesOf, place } from "./Exchange.ts"
import { freshMedia, placeholder } from "./Images.ts"
import type { PrepassOptions } from "./Prepass.ts"

/** UTF-16 units that a string in shortened arguments keeps. */
const KEPT_OF_ARGUMENTS = 200

/** How a stage reduces one result: patches, or none. */
export type Reduce = (each: Exchange, fresh: boolean) => ReadonlyArray<Patch>

/** What makes one pass different from another. */
export interface Plan {
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

/** Tokens of a result as it is sent until now. */
export const contentTokens = ({ sent, tokens }: Exchange, { counter, accounting }: PrepassOptions): number =>
  tokens ?? sent.reduce((sum, item) => sum + countPart(item, counter, accounting), 0)

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
export const isSigned = ({ role, parts }: Message): boolean =>
  role === "assistant" &&
  parts.some(
    (part) =>
      part.type === "opaque" ||
      ((part.type === "reasoning" || part.type === "tool-call") && part.signature !== undefined),
  )

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

/** Runs a pass: each stage computes from the originals. */
export const run = (
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
