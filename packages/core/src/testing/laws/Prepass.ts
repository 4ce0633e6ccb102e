/**
 * Law 12: the pre-pass.
 *
 * @since 0.1.0
 */
import fc from "fast-check"
import { countMessage, countText } from "../../count/Count.ts"
import { prepass, squeeze } from "../../prepass/Prepass.ts"
import { stub } from "../../prepass/Stub.ts"
import { recallHint } from "../../prepass/StubRule.ts"
import { isWellFormed } from "../../text/Unicode.ts"
import { textOf } from "../../thread/Message.ts"
import { applyPatches } from "../../thread/Patch.ts"
import type { MessageRow, Patch, Reduction } from "../../thread/Row.ts"
import { testCounter } from "../arbitraries/Rows.ts"
import { type Law, type Property, property } from "../Law.ts"
import {
  arbitraryCase,
  type Case,
  contentTokens,
  frame,
  mustStay,
  resultsOf,
  type Seen,
  same,
  sent,
  underCostlyMark,
} from "./PrepassCases.ts"
import { caps, json } from "./PrepassTexts.ts"

const copy = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T

const pass = ({ rows, eligible, options }: Case): ReadonlyArray<Reduction> => prepass(rows, eligible, options)

const onCases = (name: string, holds: (one: Case) => boolean): Property =>
  property(name, fc.property(arbitraryCase, holds))

/** The patches of a reduction that are no part of the cap. */
const newPatches = (rows: ReadonlyArray<MessageRow>, { row, patches }: Reduction): ReadonlyArray<Patch> => {
  const cap = rows.find(({ id }) => id === row)?.cap ?? []
  return patches.filter((patch) => !cap.some((old) => same(old, patch)))
}

/** All new patches, with their rows. */
const patchesOf = (one: Case): ReadonlyArray<Patch & { readonly row: string }> =>
  pass(one).flatMap((reduction) =>
    newPatches(one.rows, reduction).map((patch) => ({ ...patch, row: reduction.row })),
  )

const idempotent = onCases("a second run over the same or the reduced window changes nothing", (one) => {
  const first = pass(one)
  const rows = one.rows.map((row) => {
    const reduction = first.find((r) => r.row === row.id)
    if (reduction === undefined) return row
    const message = applyPatches(row.message, reduction.patches)
    return {
      kind: row.kind,
      id: row.id,
      position: row.position,
      message,
      tokens: reduction.tokens,
      tokenizer: row.tokenizer,
    }
  })
  const capped = new Set(one.rows.flatMap(({ id, cap }) => (cap === undefined ? [] : [id])))
  const copies = pass({ ...one, rows: copy(one.rows) })
  return (
    same(first, copies) &&
    pass({ ...one, rows }).every(({ row }) => !first.some((r) => r.row === row) || capped.has(row))
  )
})

/** Whether a pass makes only eligible rows smaller, and says truly by how much. */
const isSmaller = (one: Case): boolean => {
  const order = one.rows.map(({ id }) => id)
  const reductions = pass(one)
  const places = reductions.map(({ row }) => order.indexOf(row))
  return reductions.every((reduction, i) => {
    const row = sent(one.rows, reduction)
    const before = one.rows[places[i] ?? -1]?.tokens ?? 0
    const tokens = row && countMessage(row.message, one.options.counter, one.options.accounting)
    const ascending = i === 0 || (places[i] ?? -1) > (places[i - 1] ?? -1)
    return one.eligible.has(reduction.row) && ascending && tokens === reduction.tokens && tokens < before
  })
}

const shrinks = onCases("only eligible rows are reduced, each once, in order, to fewer tokens", (one) =>
  [one, underCostlyMark(one)].every(isSmaller),
)

const keepsFrames = onCases("ids, names, order, texts, reasoning and signed responses stay", (one) =>
  pass(one).every((reduction) => {
    const before = one.rows.find(({ id }) => id === reduction.row)
    const after = sent(one.rows, reduction)
    const signed = before?.message.parts.some((part) => "signature" in part)
    return (
      before !== undefined &&
      after !== undefined &&
      signed !== true &&
      before.message.parts.length === after.message.parts.length &&
      before.message.parts.every((part, i) => {
        const now = after.message.parts[i]
        return now !== undefined && (part.type === "media" || same(frame(part), frame(now)))
      })
    )
  }),
)

const protects = onCases("protected tools, open errors, denials and open calls stay as they are", (one) => {
  const results = resultsOf(one.rows)
  const staying = results.filter((_, i) => mustStay(results, i, one.options.protectedTools))
  const closed = new Set(results.filter((each) => !staying.includes(each)).map(({ result }) => result.call))
  return patchesOf(one).every((patch) => {
    const part = one.rows.find(({ id }) => id === patch.row)?.message.parts[patch.part]
    if (part?.type === "tool-call") return closed.has(part.id)
    return !staying.some(({ row, part: i }) => row === patch.row && i === patch.part)
  })
})

const REFERENCE = /: same result as row ("(?:[^"\\]|\\.)*") below; recall\(/

const isReference = (text: string): boolean => REFERENCE.test(text)

const twin = (one: Case, patch: Patch & { readonly row: string }, all: ReadonlyArray<Seen>): boolean => {
  const self = all.findIndex(({ row, part }) => row === patch.row && part === patch.part)
  const named: unknown = JSON.parse(REFERENCE.exec(patch.text)?.[1] ?? "null")
  const patched = pass(one).find(({ row }) => row === named)
  const touched = patched === undefined ? [] : newPatches(one.rows, patched).map(({ part }) => part)
  return all.some(
    ({ row, part, result, tool }, i) =>
      i > self &&
      row === named &&
      !touched.includes(part) &&
      tool === all[self]?.tool &&
      same(result.content, all[self]?.result.content),
  )
}

const refers = onCases(
  "a reference names a newer row that is sent whole and holds the same result",
  (one) => {
    const all = resultsOf(one.rows)
    return patchesOf(one).every((patch) => !isReference(patch.text) || twin(one, patch, all))
  },
)

const dedupes = onCases("no eligible result is sent whole when a newer equal one is", (one) => {
  const all = resultsOf(one.rows)
  const patched = new Set(patchesOf(one).map(({ row, part }) => `${part}:${row}`))
  const whole = ({ row, part }: Seen): boolean => !patched.has(`${part}:${row}`)
  const capped = new Set(one.rows.flatMap(({ id, cap }) => (cap === undefined ? [] : [id])))
  return all.every((each, i) => {
    const newer = all
      .slice(i + 1)
      .some(
        (other) =>
          whole(other) &&
          other.tool === each.tool &&
          other.result.status === each.result.status &&
          same(other.result.content, each.result.content),
      )
    const long = textOf(each.result.content).length > 700
    const stays = mustStay(all, i, one.options.protectedTools) || !one.eligible.has(each.row)
    return !newer || !long || stays || capped.has(each.row) || !whole(each)
  })
})

const pure = onCases("a line is a function of its row and call, and says how to recall", (one) => {
  const all = resultsOf(one.rows)
  return patchesOf(one).every(({ row, part, item, text }) => {
    const seen = all.find((each) => each.row === row && each.part === part)
    if (seen === undefined || isReference(text) || !text.startsWith("[")) return true
    if (seen.result.content[item ?? -1]?.type === "media") return text.endsWith(`${recallHint(row)}]`)
    const calls = one.rows.flatMap(({ message }) => message.parts.filter((p) => p.type === "tool-call"))
    const call = calls.find(({ id }) => id === seen.result.call) ?? null
    const input = { row, call, result: seen.result, text: textOf(seen.result.content) }
    const line = stub(copy(input), one.options.stubs)
    return text === line && line.length <= 310 && !/[\n\r]/.test(line) && line.endsWith(`${recallHint(row)}]`)
  })
})

const soundTexts = onCases("each text is well formed", (one) =>
  [...pass(one), ...squeeze(one.rows, one.eligible, 120, one.options)].every(({ patches }) =>
    patches.every(({ text }) => isWellFormed(text)),
  ),
)

const squeezes = onCases("squeezed, no result that may be touched is above the limit or its line", (one) => {
  const limit = 80
  const reductions = squeeze(one.rows, one.eligible, limit, one.options)
  const rows = one.rows.map((row) => {
    const reduction = reductions.find((r) => r.row === row.id)
    return (
      (reduction && sent(one.rows, reduction)) ?? {
        ...row,
        message: applyPatches(row.message, row.cap ?? []),
      }
    )
  })
  return resultsOf(rows).every(
    ({ row, result, tool }) =>
      !one.eligible.has(row) ||
      one.options.protectedTools.includes(tool) ||
      contentTokens(result) <= Math.max(limit, countText("x".repeat(310), testCounter)),
  )
})

/**
 * Holds law 12: the pre-pass is idempotent, each line is a function of its row and call, no reference dangles, JSON stays
 * JSON, and what is protected is left alone.
 *
 * @category laws
 * @since 0.1.0
 */
export const prepassLaw: Law = {
  number: 12,
  title: "Pre-pass",
  properties: [
    idempotent,
    shrinks,
    keepsFrames,
    protects,
    refers,
    dedupes,
    pure,
    soundTexts,
    json,
    caps,
    squeezes,
  ],
}
