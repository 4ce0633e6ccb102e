import type { Mutant } from "./Mutant.ts"

const file = "packages/core/src/formats/target/CacheMarks.ts"

export const mutants: ReadonlyArray<Mutant> = [
  { law: 6, file, find: "const MOST = 4", replace: "const MOST = 5", why: "a fifth mark" },
  {
    law: 6,
    file,
    find: '  block.type !== "thinking" &&\n',
    replace: "",
    why: "a mark on thinking",
  },
  {
    law: 6,
    file,
    find: 'block.text.trim() === ""',
    replace: 'block.text === ""',
    why: "a mark on a text of blanks",
  },
  {
    law: 6,
    file,
    find: "last === -1 ? undefined : before(places, last)",
    replace: "undefined",
    why: "no mark where the request before ended",
  },
  {
    law: 6,
    file,
    find: "return [end, previous, border, between]",
    replace: "return [end, previous, between]",
    why: "no mark at the end of what stays until the next pass",
  },
  {
    law: 6,
    file,
    find: "place.message < message)",
    replace: "place.message <= message)",
    why: "a mark behind the border",
  },
  {
    law: 6,
    file,
    find: "tools: request.tools.map(bare)",
    replace: "tools: request.tools",
    why: "marks of tools stay, beside four others",
  },
  {
    law: 6,
    file,
    find: "{ content: value.content.map(bare) }",
    replace: "{}",
    why: "marks inside of messages stay",
  },
  {
    law: 6,
    file,
    find: "blocks.findLastIndex(mayCarry)",
    replace: "blocks.findIndex(mayCarry)",
    why: "the mark of the system prompt stands before its end",
  },
]
