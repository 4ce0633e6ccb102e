import type { Mutant } from "./Mutant.ts"

const encode = "packages/core/src/formats/openai-chat/Encode.ts"

export const mutants: ReadonlyArray<Mutant> = [
  {
    law: 3,
    file: encode,
    find: 'isBlank(text) ? "(no output)" : text',
    replace: "text",
    why: "a result without text is sent as an empty text, which providers refuse",
  },
  {
    law: 3,
    file: encode,
    find: "...(calls.length === 0 ? {} : { tool_calls: calls })",
    replace: "tool_calls: calls",
    why: "an empty list of calls is sent",
  },
  {
    law: 3,
    file: encode,
    find: "waiting = [...waiting, ...resultMedia(message)]",
    replace: 'wire.push({ role: "user", content: resultMedia(message) })',
    why: "the images of a result stand between the results of one response",
  },
  {
    law: 3,
    file: encode,
    find: "return wellFormedDeep(wire)",
    replace: "return wire",
    why: "a lone surrogate is sent",
  },
  {
    law: 3,
    file: encode,
    find: "function: { name: call.name, arguments: call.arguments }",
    replace: "function: { name: call.name, arguments: call.arguments.trim() }",
    why: "the bytes of arguments change on the way",
  },
  {
    law: 3,
    file: "packages/core/src/formats/openai-chat/Decode.ts",
    find: 'read(json === "" ? [] : [textPart(json)])',
    replace: 'read(json.trim() === "" ? [] : [textPart(json.trim())])',
    why: "a text loses its outer blanks when it is read",
  },
  {
    law: 3,
    file: encode,
    find: 'if (waiting.length > 0) wire.push({ role: "user", content: waiting })\n    waiting = []',
    replace: "waiting = [...waiting]",
    why: "the images of all results come at the end: what was sent before changes its place",
  },
]
