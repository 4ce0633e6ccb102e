/**
 * Windows for the law of the pre-pass, and what that law reads off them by its own means.
 *
 * @since 0.1.0
 */
import fc from "fast-check"
import { defaultAccounting } from "../../count/Accounting.ts"
import { countMessage, countPart } from "../../count/Count.ts"
import type { TokenCounter } from "../../count/TokenCounter.ts"
import { capAtIngest } from "../../prepass/Cap.ts"
import type { PrepassOptions } from "../../prepass/Prepass.ts"
import { defaultStubs } from "../../prepass/Stub.ts"
import type { Message, Part, ToolResultPart } from "../../thread/Message.ts"
import { applyPatches } from "../../thread/Patch.ts"
import type { MessageRow, Reduction } from "../../thread/Row.ts"
import { arbitraryThread } from "../arbitraries/Messages.ts"
import { rowsOf, testCounter } from "../arbitraries/Rows.ts"

/** Whether two values are the same as JSON. */
export const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/** A window, the rows of it that may be reduced, and the settings. */
export interface Case {
  readonly rows: ReadonlyArray<MessageRow>
  readonly eligible: ReadonlySet<string>
  readonly options: PrepassOptions
}

const options: fc.Arbitrary<PrepassOptions> = fc.record({
  counter: fc.constant(testCounter),
  accounting: fc.constant(defaultAccounting),
  stubs: fc.constantFrom(defaultStubs, new Map()),
  stubAbove: fc.constantFrom(0, 20, 100, 400),
  argumentsAbove: fc.constantFrom(0, 100, 500, 2000),
  keepImages: fc.nat(3),
  protectedTools: fc.subarray(["deploy", "Bash", "Read"]),
})

/** A row as it is sent when the results in it are capped. */
const capped = (row: MessageRow, maxTokens: number): MessageRow => {
  const cap = capAtIngest(row, { maxTokens, counter: testCounter, accounting: defaultAccounting })
  const message = applyPatches(row.message, cap)
  return cap.length === 0
    ? row
    : { ...row, cap, tokens: countMessage(message, testCounter, defaultAccounting) }
}

const PAGE = "The same page as before. ".repeat(30)

/** A thread in which one tool gives the same page again and again. */
const echoed = (messages: ReadonlyArray<Message>): ReadonlyArray<Message> =>
  messages.map((message) => {
    if (message.role === "user") return message
    const parts = message.parts.map((part): Part => {
      if (part.type === "tool-call") return { ...part, name: "Read" }
      if (part.type !== "tool-result") return part
      const { name: _, ...result } = part
      return { ...result, content: [{ type: "text", text: PAGE }] }
    })
    return { ...message, parts } as Message
  })

/** Rows of any thread; of one in five that repeats itself. */
const rowsWithEchoes = fc
  .tuple(arbitraryThread({ open: true, endless: 15 }), fc.nat(4))
  .map(([messages, dice]) => rowsOf(dice === 0 ? echoed(messages) : messages))

/** Makes windows with rows that are eligible, all of them, up to a place, or here and there. */
export const arbitraryCase: fc.Arbitrary<Case> = fc
  .tuple(
    rowsWithEchoes,
    options,
    fc.constantFrom("all" as const, "old" as const, "some" as const),
    fc.array(fc.boolean(), { minLength: 7, maxLength: 7 }),
    fc.constantFrom(200, 1000, 1_000_000),
  )
  .map(([all, settings, which, mask, cap]) => {
    const rows = all.map((row) => capped(row, cap))
    const old = Math.floor((rows.length * 3) / 4)
    const named = rows.filter((_, i) => which === "all" || (which === "old" ? i < old : mask[i % 7] === true))
    return { rows, eligible: new Set(named.map(({ id }) => id)), options: settings }
  })

/** A result in its place, read by a plain search over the rows. */
export interface Seen {
  readonly row: string
  readonly part: number
  readonly result: ToolResultPart
  readonly tool: string
}

/** The tool that an id was called with: ids are unique in the threads that are made here. */
const toolNamed = (rows: ReadonlyArray<MessageRow>, result: ToolResultPart): string => {
  const calls = rows.flatMap(({ message }) => message.parts.filter((part) => part.type === "tool-call"))
  return calls.find(({ id }) => id === result.call)?.name ?? result.name ?? "tool"
}

/** All results of a window, in order. */
export const resultsOf = (rows: ReadonlyArray<MessageRow>): ReadonlyArray<Seen> =>
  rows.flatMap(({ id, message }) =>
    message.parts.flatMap((result, part) =>
      result.type === "tool-result" ? [{ row: id, part, result, tool: toolNamed(rows, result) }] : [],
    ),
  )

/** Whether a result has to stay: a protected tool's, a denial, or an error without a later success of its tool. */
export const mustStay = (results: ReadonlyArray<Seen>, i: number, protectedTools: ReadonlyArray<string>) => {
  const one = results[i]
  if (one === undefined) return true
  const fixed = results.slice(i + 1).some(({ tool, result }) => tool === one.tool && result.status === "ok")
  const { status } = one.result
  return protectedTools.includes(one.tool) || status === "denied" || (status === "error" && !fixed)
}

/** Tokens of a result's content. */
export const contentTokens = (result: ToolResultPart, counter: TokenCounter = testCounter): number =>
  result.content.reduce((sum, item) => sum + countPart(item, counter, defaultAccounting), 0)

/** What of a part no reduction may change. */
export const frame = (part: Part): unknown => {
  switch (part.type) {
    case "tool-call":
      return [part.type, part.id, part.name, part.pending]
    case "tool-result":
      return [part.type, part.call, part.name, part.status]
    case "media":
      return "media or text"
    default:
      return part
  }
}

/** A row as a reduction sends it. */
export const sent = (
  rows: ReadonlyArray<MessageRow>,
  { row, patches }: Reduction,
): MessageRow | undefined => {
  const found = rows.find(({ id }) => id === row)
  return found && { ...found, message: applyPatches(found.message, patches) }
}

/** Counts the mark of a shortened text as many tokens: such a text may be shorter and yet cost more. */
const costlyMark: TokenCounter = {
  name: "test/costly-mark",
  count: (text) => testCounter.count(text) + text.replace(/[^…]/g, "").length * 80,
}

/** The same window under a counter by which shortening does not always pay. */
export const underCostlyMark = (one: Case): Case => ({
  ...one,
  options: { ...one.options, counter: costlyMark },
  rows: one.rows.map((row) => ({
    ...row,
    tokens: countMessage(applyPatches(row.message, row.cap ?? []), costlyMark, defaultAccounting),
  })),
})
