import type { Mutant } from "./Mutant.ts"

const PREPASS = "packages/core/src/prepass/Prepass.ts"
const REDUCE = "packages/core/src/prepass/Reduce.ts"
const DEDUPE = "packages/core/src/prepass/Dedupe.ts"
const ARGUMENTS = "packages/core/src/prepass/Arguments.ts"
const CAP = "packages/core/src/prepass/Cap.ts"
const STUB = "packages/core/src/prepass/Stub.ts"
const EXCHANGE = "packages/core/src/prepass/Exchange.ts"

/** Changes of the pre-pass that law 12 must catch: at least one for each of its properties. */
export const mutants: ReadonlyArray<Mutant> = [
  {
    law: 12,
    file: PREPASS,
    find: "const WORTH = 4",
    replace: "const WORTH = 0",
    why: "a line is replaced by the line of a line",
  },
  {
    law: 12,
    file: REDUCE,
    find: "return tokens < row.tokens ?",
    replace: "return tokens < row.tokens + 40 ?",
    why: "a row grows",
  },
  {
    law: 12,
    file: REDUCE,
    find: "eligible.has(row.id) ? reduceRow(row, scene) : null",
    replace: "reduceRow(row, scene)",
    why: "a row of the tail is reduced",
  },
  {
    law: 12,
    file: REDUCE,
    find: "if (isSigned(row.message)) return null",
    replace: "",
    why: "a signed response is altered",
  },
  {
    law: 12,
    file: REDUCE,
    find: "!isProtected(options, each.tool) &&",
    replace: "",
    why: "a protected tool is reduced",
  },
  {
    law: 12,
    file: REDUCE,
    find: "(each.unfixed || each.result.status",
    replace: "(each.result.status",
    why: "an error that still matters is reduced",
  },
  {
    law: 12,
    file: EXCHANGE,
    find: 'if (each.result.status === "ok") succeeded.add(each.tool)',
    replace: "succeeded.add(each.tool)",
    why: "a denial or a second error counts as a fix",
  },
  {
    law: 12,
    file: REDUCE,
    find: "if (answer === undefined || part.pending === true) return []\n  if (!isOpen(",
    replace: "if (answer !== undefined && !isOpen(",
    why: "the arguments of a call that still waits are shortened",
  },
  {
    law: 12,
    file: REDUCE,
    find: "whole: (own[i] ?? []).length === 0",
    replace: "whole: true",
    why: "a reference names a row that is itself reduced",
  },
  {
    law: 12,
    file: DEDUPE,
    find: "else if (newer === undefined && each.whole)",
    replace: "if (each.whole)",
    why: "a reference names the next of equal results, which is a reference too",
  },
  {
    law: 12,
    file: DEDUPE,
    find: "if (newer !== undefined && each.eligible)",
    replace: "if (newer !== undefined && each.eligible && newer.eligible)",
    why: "what the tail repeats is sent twice",
  },
  {
    law: 12,
    file: EXCHANGE,
    find: "calls.get(result.call) ??",
    replace: "[...calls.values()].at(-1) ??",
    why: "a line tells of another call",
  },
  {
    law: 12,
    file: STUB,
    find: "recallHint(input.row)",
    replace: "outcome(input)",
    why: "a line does not say how to recall",
  },
  {
    law: 12,
    file: CAP,
    find: "wellFormed(countText(text, counter) <= max",
    replace: "(countText(text, counter) <= max",
    why: "half of a pair is sent",
  },
  {
    law: 12,
    file: CAP,
    find: "if (tokens <= max && short.length > least.length) return short",
    replace: "if (short.length > least.length) return short",
    why: "a capped result is above the cap",
  },
  {
    law: 12,
    file: ARGUMENTS,
    find: "isKey(json, end) ? literal : shortenLiteral(literal, keep)",
    replace: "shortenLiteral(literal, keep)",
    why: "a key is shortened",
  },
  {
    law: 12,
    file: ARGUMENTS,
    find: "if (raw.length <= limits.above || !isJson(raw)) return raw",
    replace: "if (raw.length <= limits.above) return raw",
    why: "text that is no JSON is taken for JSON",
  },
  {
    law: 12,
    file: ARGUMENTS,
    find: "text.length <= keep ? literal : JSON.stringify(",
    replace: "text.length <= keep ? literal : (",
    why: "JSON is cut as text",
  },
  {
    law: 12,
    file: ARGUMENTS,
    find: "characters]`.length",
    replace: "`.length",
    why: "shortening again changes what was shortened",
  },
  {
    law: 12,
    file: PREPASS,
    find: "toSize(maxTokensPerResult, options), gentle: false",
    replace: "toSize(maxTokensPerResult, options), gentle: true",
    why: "a squeeze leaves an error above its limit",
  },
]
