import type { Mutant } from "./Mutant.ts"

const folder = "packages/core/src/formats/openai-chat"
const write = `${folder}/Write.ts`
const read = `${folder}/Read.ts`
const says = `${folder}/Says.ts`
const turns = `${folder}/Turns.ts`
const thinking = `${folder}/Thinking.ts`
const instructions = `${folder}/Instructions.ts`

export const mutants: ReadonlyArray<Mutant> = [
  {
    law: 3,
    file: write,
    find: "content: isBlank(text) ? NO_OUTPUT : text",
    replace: "content: text",
    why: "a result without text is sent as an empty text, which providers refuse",
  },
  {
    law: 3,
    file: write,
    find: "...(calls.length === 0 ? {} : { tool_calls: calls })",
    replace: "tool_calls: calls",
    why: "an empty list of calls is sent",
  },
  {
    law: 3,
    file: write,
    find: "waiting = [...waiting, ...resultMedia(message, note)]",
    replace: 'wire.push({ role: "user", content: resultMedia(message, note) })',
    why: "the images of a result stand between the results of one response",
  },
  {
    law: 3,
    file: `${folder}/Encode.ts`,
    find: "return wellFormedDeep(request.messages)",
    replace: "return request.messages",
    why: "a lone surrogate of the system prompt is sent",
  },
  {
    law: 3,
    file: write,
    find: "function: { name, arguments: call.arguments }",
    replace: "function: { name, arguments: call.arguments.trim() }",
    why: "the bytes of arguments change on the way",
  },
  {
    law: 3,
    file: read,
    find: "if (isText(part)) return textPart(part.text)",
    replace: "if (isText(part)) return textPart(part.text.trim())",
    why: "a text loses its outer blanks when it is read",
  },
  {
    law: 3,
    file: write,
    find: "      handOver()\n      wire.push(...next)",
    replace: "      wire.push(...next)",
    why: "the images of all results come at the end: what was sent before changes its place",
  },
  {
    law: 3,
    file: says,
    find: "isRich && [refusal, audio, function_call].some(isGiven)",
    replace: "[refusal, audio, function_call].some(isGiven) && content !== null",
    why: "the check does not compile: refused before any law",
  },
]
