import type { Mutant } from "./Mutant.ts"

const of = (name: string): string => `packages/core/src/formats/langchain/${name}.ts`

export const mutants: ReadonlyArray<Mutant> = [
  {
    law: 3,
    file: of("Polish"),
    find: "messages: withoutRepeatedIds(messages) }",
    replace: "messages }",
    why: "two messages keep one id",
  },
  {
    law: 3,
    file: of("Polish"),
    find: 'return viewOf(messages[start])?.kind === "human"',
    replace: "return messages.length > 0",
    why: "the first message is not the user's",
  },
  {
    law: 3,
    file: of("Polish"),
    find: "        ...without(old, WRITTEN_KWARGS),",
    replace: "        ...old,",
    why: "state of calls that are not there any more stays",
  },
  {
    law: 3,
    file: of("Polish"),
    find: 'const late = view.kind === "system" && index > 0',
    replace: "const late = false",
    why: "a system message stays between the others",
  },
  {
    law: 3,
    file: of("Sequence"),
    find: 'max: 64, unique: "request" }',
    replace: 'max: 64, unique: "response" }',
    why: "an id stands for calls of two responses",
  },
  {
    law: 3,
    file: of("Write"),
    find: 'if (blocks.length === 0) return "(no output)"',
    replace: 'if (blocks.length === 0) return ""',
    why: "a result that says nothing is sent",
  },
  {
    law: 3,
    file: of("Write"),
    find: 'const content = blocks.length === 0 ? "(blank)" : asContent(blocks)',
    replace: "const content = asContent(blocks)",
    why: "a user's message that says nothing is sent",
  },
  {
    law: 3,
    file: of("Write"),
    find: "if (calls.length === 0 && content.length === reasoning.blocks.size) {",
    replace: "if (calls.length === 0 && content.length === 0) {",
    why: "reasoning is sent alone",
  },
  {
    law: 3,
    file: "packages/core/src/formats/format/MakeFormat.ts",
    find: "const MOVED = 16",
    replace: "const MOVED = 0",
    why: "what a repair moves deeper is nested too deeply",
  },
]
