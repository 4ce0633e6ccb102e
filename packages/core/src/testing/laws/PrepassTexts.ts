/**
 * Law 12 for single texts: arguments of calls, and results above the cap.
 *
 * @since 0.1.0
 */
import fc from "fast-check"
import { defaultAccounting } from "../../count/Accounting.ts"
import type { TokenCounter } from "../../count/TokenCounter.ts"
import { shortenArguments } from "../../prepass/Arguments.ts"
import { capAtIngest } from "../../prepass/Cap.ts"
import { recallHint } from "../../prepass/StubRule.ts"
import { isWellFormed, wellFormed } from "../../text/Unicode.ts"
import type { ToolResultPart } from "../../thread/Message.ts"
import { applyPatches } from "../../thread/Patch.ts"
import { arbitraryArguments, arbitraryContent } from "../arbitraries/Contents.ts"
import { property } from "../Law.ts"
import { contentTokens, same } from "./PrepassCases.ts"

const LITERAL = /"(?:[^"\\]|\\.)*"/gs

/** A JSON text with its strings emptied, but not its keys. */
const skeleton = (json: string): string =>
  json.replace(LITERAL, (literal, at: number) =>
    /^\s*:/.test(json.slice(at + literal.length, at + literal.length + 9)) ? wellFormed(literal) : '""',
  )

const parses = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Whether each string of the shorter text is that of the longer one, or a start of it with a mark. */
const startsOf = (before: string, after: string, keep: number): boolean => {
  const long = before.match(LITERAL) ?? []
  return (after.match(LITERAL) ?? []).every((literal, i) => {
    const was = wellFormed(String(JSON.parse(long[i] ?? '""')))
    const text = wellFormed(String(JSON.parse(literal)))
    return text === was || (text.length <= keep && was.startsWith(text.slice(0, text.lastIndexOf("…"))))
  })
}

/** Shortened arguments stay JSON. */
export const json = property(
  "shortened arguments stay JSON of the same keys, numbers and order, and shorten once",
  fc.property(
    arbitraryArguments,
    fc.constantFrom(0, 50, 500),
    fc.constantFrom(0, 1, 39, 45, 200),
    (raw, above, keep) => {
      const short = shortenArguments(raw, { above, keep })
      if (short === raw) return true
      const unchanged = skeleton(raw) === skeleton(short) || !isWellFormed(raw)
      const again = shortenArguments(short, { above, keep })
      return (
        parses(short) &&
        unchanged &&
        short.length < raw.length &&
        raw.length > above &&
        isWellFormed(short) &&
        again === short &&
        startsOf(raw, short, Math.max(1, keep))
      )
    },
  ),
)

const resultOf = (content: ToolResultPart["content"], i: number): ToolResultPart => ({
  type: "tool-result",
  call: `c${i}`,
  status: "ok",
  content,
})

const CUT = /\n\[\.\.\. \d+ characters left out; .*? \.\.\.\]\n/

/** Whether a capped text is a start and an end of its source, around the mark. */
const piecesOf = (content: ToolResultPart["content"], text: string): boolean => {
  const [only] = content
  const [head = "", tail] = text.split(CUT)
  if (content.length !== 1 || only?.type !== "text" || tail === undefined) return true
  const source = wellFormed(only.text)
  return source.startsWith(head) && source.endsWith(tail)
}

/** Tokens below which not even the mark of a cap fits. */
const MARK = 60

/** Counts digits more than the rest, so that a text may be dense in one place. */
const uneven: TokenCounter = {
  name: "test/uneven",
  count: (text) => Math.ceil(text.length / 4 + text.replace(/\D/g, "").length / 2),
}

/** Contents of which the last text ends in many digits. */
const denseContent = fc
  .tuple(arbitraryContent, fc.nat(500))
  .map(([content, digits]) =>
    content.map((item, i) =>
      item.type === "text" && i === content.length - 1
        ? { ...item, text: item.text + "7".repeat(digits) }
        : item,
    ),
  )

/** A cap holds for each result by itself. */
export const caps = property(
  "each result above the cap is sent as its head and tail, whatever is beside it",
  fc.property(
    fc.array(denseContent, { maxLength: 3 }),
    fc.integer({ min: MARK, max: 900 }),
    (contents, maxTokens) => {
      const options = { maxTokens, counter: uneven, accounting: defaultAccounting }
      const parts = contents.map(resultOf)
      const patches = capAtIngest({ id: "m1", message: { role: "tool", parts } }, options)
      const after = applyPatches({ role: "tool" as const, parts }, patches).parts
      return parts.every((part, i) => {
        const own = patches.filter((patch) => patch.part === i)
        const alone = capAtIngest({ id: "m1", message: { role: "tool", parts: [part] } }, options)
        const now = after[i]
        const capped = now?.type === "tool-result" && contentTokens(now, uneven) <= maxTokens
        return (
          capped &&
          same(
            own.map(({ text }) => text),
            alone.map(({ text }) => text),
          ) &&
          own.length > 0 === contentTokens(part, uneven) > maxTokens &&
          own.every(
            ({ text }) =>
              isWellFormed(text) && text.includes(recallHint("m1")) && piecesOf(part.content, text),
          )
        )
      })
    },
  ),
)
