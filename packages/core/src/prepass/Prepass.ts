/**
 * The pre-pass: what can be made smaller without a model.
 *
 * @since 0.1.0
 */
import type { Accounting } from "../count/Accounting.ts"
import { countText } from "../count/Count.ts"
import type { TokenCounter } from "../count/TokenCounter.ts"
import type { MessageRow, Reduction } from "../thread/Row.ts"
import { capResult } from "./Cap.ts"
import { contentTokens, type Reduce, run } from "./Reduce.ts"
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

/** A result is replaced by a line only if it is at least so many times as big. */
const WORTH = 4

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
    if (contentTokens(each, options) <= maxTokens) return []
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
