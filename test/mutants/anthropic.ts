import type { Mutant } from "./Mutant.ts"

const folder = "packages/core/src/formats/anthropic"
const turns = `${folder}/PolishTurns.ts`
const polish = `${folder}/Polish.ts`
const write = `${folder}/Write.ts`

export const mutants: ReadonlyArray<Mutant> = [
  {
    law: 3,
    file: turns,
    find: 'if (message.role !== "system") return message',
    replace: "return message",
    why: "a system message stays among the others",
  },
  {
    law: 3,
    file: turns,
    find: "!blocks.slice(other).some(isResult)",
    replace: "blocks.slice(other).some(isResult)",
    why: "results stay behind what else the user says",
  },
  {
    law: 3,
    file: turns,
    find: 'message.role === "assistant" || !isEmpty(message)',
    replace: "!isEmpty(message) || isEmpty(message)",
    why: "a user message of nothing is sent",
  },
  {
    law: 3,
    file: turns,
    find: "const isLeft = message.role",
    replace: "const isLeft = i < 0 && message.role",
    why: "a response of nothing is sent",
  },
  {
    law: 3,
    file: turns,
    find: "if (mayOpen(messages[0])) return messages",
    replace: "if (messages.length > 0) return messages",
    why: "a request begins with a response",
  },
  {
    law: 3,
    file: polish,
    find: 'thinking: { type: "disabled" }',
    replace: "thinking: request.thinking",
    why: "thinking stays on in a loop that began without it",
  },
  {
    law: 3,
    file: polish,
    find: "messages: [...messages, GO_ON]",
    replace: "messages",
    why: "an answer is begun for a model that thinks first",
  },
  {
    law: 3,
    file: "packages/core/src/formats/format/RepairSteps.ts",
    find: "left > 0; left--",
    replace: "left > PASSES; left--",
    why: "the faults that a repair brings out are left",
  },
  {
    law: 3,
    file: polish,
    find: "withoutFaultsOf([whole])",
    replace: "withoutFaultsOf([])",
    why: "a character of signed thinking is replaced",
  },
  {
    law: 3,
    file: `${folder}/Cache.ts`,
    find: "paths.has(path) ? without(block) : block",
    replace: "block",
    why: "a breakpoint too many is sent",
  },
  {
    law: 3,
    file: `${folder}/System.ts`,
    find: "left.length === 0 ? others",
    replace: "left.length === 0 ? request",
    why: "a blank text of the system prompt is sent",
  },
  {
    law: 3,
    file: `${folder}/Tools.ts`,
    find: "names.map((name) => ({",
    replace: "names.slice(1).map((name) => ({",
    why: "a history of calls is sent without tools",
  },
  {
    law: 3,
    file: `${folder}/Fault.ts`,
    find: "content: inner.flatMap(",
    replace: "content: inner ?? inner.flatMap(",
    why: "what is wrong inside a result stays",
  },
  {
    law: 3,
    file: `${folder}/Wire.ts`,
    find: 'unique: "request"',
    replace: 'unique: "response"',
    why: "the id of a call stands twice in a request",
  },
  {
    law: 3,
    file: write,
    find: '{ type: "thinking", thinking, signature }',
    replace: '{ type: "thinking", thinking: thinking.trim(), signature }',
    why: "the text of signed thinking is trimmed",
  },
  {
    law: 3,
    file: write,
    find: "return blocks.slice(0, said)",
    replace: "return [...blocks.filter((block) => !isThinking(block)), ...blocks.filter(isThinking)]",
    why: "thinking is written behind what it led to",
  },
  {
    law: 3,
    file: write,
    find: "[...last.blocks, ...turn.blocks]",
    replace: "[...turn.blocks, ...last.blocks]",
    why: "what a user says next stands before what was sent already",
  },
  {
    law: 3,
    file: `${folder}/Read.ts`,
    find: "spanOf(messages, 0) === messages.length",
    replace: "messages.length === 1",
    why: "responses side by side are not given back as they came",
  },
]
