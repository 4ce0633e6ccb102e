import type { Mutant } from "./Mutant.ts"

const folder = "packages/core/src/formats/openai-chat"
const write = `${folder}/Write.ts`
const read = `${folder}/Read.ts`
const says = `${folder}/Says.ts`
const turns = `${folder}/Turns.ts`
const thinking = `${folder}/Thinking.ts`
const instructions = `${folder}/Instructions.ts`
const results = `${folder}/Results.ts`
const bedrock = `${folder}/Bedrock.ts`
const pairs = `${folder}/Pairs.ts`

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
    file: write,
    find: "wire.push(...writeResults(message, note))",
    replace: "wire.push(...writeResults(message, note).slice(0, 1))",
    why: "the second of several results in one message is lost",
  },
  {
    law: 3,
    file: read,
    find: "call: message.tool_call_id",
    replace: "call: message.tool_call_id.slice(1)",
    why: "the id of a result changes when it is read",
  },
  {
    law: 3,
    file: `${folder}/Wire.ts`,
    find: ".slice(0, 64)",
    replace: ".slice(0, 80)",
    why: "the name of a tool is sent that is longer than the server takes",
  },
  {
    law: 3,
    file: says,
    find: "instead: ({ reasoning_content: _content",
    replace: "instead: ({ reasoning_context: _content",
    why: "reasoning is sent to a server that refuses it",
  },
  {
    law: 3,
    file: says,
    find: "return [{ ...message, content: BLANK }]",
    replace: "return [message]",
    why: "an empty user message is sent",
  },
  {
    law: 3,
    file: says,
    find: "const parts = partsOf(message.content).filter((part) => !isEmptyPart(part))",
    replace: "const parts = partsOf(message.content)",
    why: "an empty part is sent",
  },
  {
    law: 3,
    file: results,
    find: 'if (message.role !== "tool") handOver()',
    replace: 'if (message.role === "user") handOver()',
    why: "pictures stand far from the results that they belong to",
  },
  {
    law: 3,
    file: results,
    find: "return isRich && Array.isArray(content) ? null",
    replace: "return Array.isArray(content) ? null",
    why: "a template gets a list of texts as a result",
  },
  {
    law: 3,
    file: instructions,
    find: "return isInstruction(message) && index > 0",
    replace: "return isInstruction(message) && index > 1",
    why: "two messages of instructions are sent",
  },
  {
    law: 3,
    file: turns,
    find: 'if (isUser && before?.role === "tool")',
    replace: 'if (isUser && before?.role === "tool" && before.content === "")',
    why: "a user speaks right after a result",
  },
  {
    law: 3,
    file: turns,
    find: 'content: joinContents(first.content ?? "", second.content ?? "")',
    replace: 'content: second.content ?? ""',
    why: "what the first of two joined messages says is lost",
  },
  {
    law: 3,
    file: turns,
    find: 'before?.role === "assistant" && !isCalling(before)',
    replace: 'before?.role === "assistant" && before.content === null',
    why: "two responses stand side by side",
  },
  {
    law: 3,
    file: turns,
    find: "isLast && message.prefix !== true",
    replace: "isLast && message.prefix !== true && message.name !== undefined",
    why: "a last response is sent that the server refuses",
  },
  {
    law: 3,
    file: thinking,
    find: "if (opensTurn(message)) close()",
    replace: 'if (message.role === "user") turn = []',
    why: "responses of a turn with calls go without reasoning",
  },
  {
    law: 3,
    file: thinking,
    find: "isCalled ||= isCalling(message)",
    replace: "isCalled ||= isCalling(message) && isThought(message)",
    why: "reasoning is missing where a response with calls had none",
  },
  {
    law: 3,
    file: bedrock,
    find: "const names = isWithoutTools(request) ? calledIn(request) : []",
    replace: "const names: ReadonlyArray<string> = []",
    why: "a history of calls is sent without tools",
  },
  {
    law: 3,
    file: pairs,
    find: ".filter((id) => !isLegalId(id, rule))",
    replace: '.filter((id) => id === "" && !isLegalId(id, rule))',
    why: "an id is sent that the server refuses",
  },
  {
    law: 3,
    file: `${folder}/Shape.ts`,
    find: "isFields(value) && value.content === undefined",
    replace: 'isFields(value) && value.content === undefined && value.role !== "user"',
    why: "a user message without content is read as a blank one, and what it said is lost",
  },
]
