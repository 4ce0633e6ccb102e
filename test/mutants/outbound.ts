import type { Mutant } from "./Mutant.ts"

const THREAD = "packages/core/src/prompt/Outbound.ts"
const TEXT = "packages/core/src/prompt/OutboundText.ts"

/** Changes of the way through a host's outbound filter. */
export const mutants: ReadonlyArray<Mutant> = [
  {
    law: 17,
    file: TEXT,
    find: "return passed ?? WITHHELD",
    replace: "return passed ?? given",
    why: "A text on which the filter throws leaves as it was.",
  },
  {
    law: 17,
    file: TEXT,
    find: "text(isJson(given) ? passLiterals(given, text) : given)",
    replace: "text(given)",
    why: "What is written with escapes in JSON passes the filter unseen.",
  },
  {
    law: 17,
    file: TEXT,
    find: "text(isJson(given) ? passLiterals(given, text) : given)",
    replace: "isJson(given) ? passLiterals(given, text) : text(given)",
    why: "Numbers in JSON are not filtered.",
  },
  {
    law: 17,
    file: THREAD,
    find: "const { raw: _, ...rest } = row",
    replace: "const rest = row",
    why: "The form in which a message came goes out beside its filtered content.",
  },
  {
    law: 17,
    file: THREAD,
    find: "return { ...rest, message, ...cap, tokenizer: UNCOUNTED }",
    replace: "return { ...rest, message, ...cap }",
    why: "A message is counted as it was said, and sent longer.",
  },
  {
    law: 17,
    file: THREAD,
    find: "items: row.summary.items.map((item) => ({ ...item, text: sieve.text(item.text) }))",
    replace: "items: row.summary.items",
    why: "The summariser is shown the items of an earlier summary unfiltered.",
  },
  {
    law: 17,
    file: THREAD,
    find: "if (!sieve.hasChanged()) return row",
    replace: "if (!sieve.hasChanged()) changed.add(row.id)",
    why: "A filter that changes nothing makes every row a new one, without what it came as.",
  },
]
