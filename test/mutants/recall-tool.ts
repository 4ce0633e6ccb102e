import type { Mutant } from "./Mutant.ts"

const ADDRESS = "packages/core/src/thread/Address.ts"
const PAGE = "packages/core/src/recall/Page.ts"
const REQUEST = "packages/core/src/recall/Request.ts"
const ANSWER = "packages/core/src/recall/Answer.ts"
const ROWS = "packages/core/src/engine/RecallRows.ts"
const SEARCH = "packages/core/src/engine/RecallSearch.ts"
const FULL = "packages/core/src/recall/FullText.ts"
const HINT = "packages/core/src/prepass/StubRule.ts"

export const mutants: ReadonlyArray<Mutant> = [
  {
    law: 12,
    file: ADDRESS,
    find: " || row.startsWith(ROW)",
    replace: "",
    why: "An id that begins with the prefix loses it.",
  },
  {
    law: 12,
    file: ADDRESS,
    find: '.replace(/\\//g, "%2F")',
    replace: "",
    why: "A chat with a slash in its name leads to another one.",
  },
  {
    law: 12,
    file: PAGE,
    find: "isLow(text.charCodeAt(at)) ? at - 1 : at",
    replace: "at",
    why: "A page may begin with half a character.",
  },
  {
    law: 12,
    file: PAGE,
    find: "excess <= 0",
    replace: "excess <= 9",
    why: "Answers are larger than they may be.",
  },
  {
    law: 12,
    file: PAGE,
    find: "text.slice(from, to), ...more",
    replace: "text.slice(from, to).trimEnd(), ...more",
    why: "Blanks at the end of a page are lost.",
  },
  {
    law: 12,
    file: FULL,
    find: "wellFormed(message.parts",
    replace: "String(message.parts",
    why: "Half a character of a row is sent.",
  },
  {
    law: 12,
    file: REQUEST,
    find: "const fromText = (text: string): RecallRequest => {",
    replace:
      "const fromText = (text: string): RecallRequest => {\n  if (text.length > 9) return fromValue(JSON.parse(text))",
    why: "Text that is no JSON is not understood.",
  },
  {
    law: 12,
    file: REQUEST,
    find: "const text = id.trim()",
    replace: "const text = unescapeFence(id).trim()",
    why: "An id that looks escaped is taken for another one.",
  },
  {
    law: 12,
    file: ANSWER,
    find: "lines.slice(0, shown), skip, shown",
    replace: "lines.slice(0, shown), 0, shown",
    why: "Pages of a search begin again.",
  },
  {
    law: 12,
    file: HINT,
    find: "JSON.stringify(rowAddress(row, chat))",
    replace: "JSON.stringify(rowAddress(row.slice(1), chat))",
    why: "Hints name no row.",
  },
  {
    law: 12,
    file: ROWS,
    find: 'owner === (thread.owner ?? "") ? row : null',
    replace: "owner === owner ? row : null",
    why: "Rows of other owners are given.",
  },
  {
    law: 12,
    file: SEARCH,
    find: "document.owner === owner &&",
    replace: "",
    why: "What an index gives of other owners is shown.",
  },
]
