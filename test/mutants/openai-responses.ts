import type { Mutant } from "./Mutant.ts"

const folder = "packages/core/src/formats/openai-responses"
const write = `${folder}/Write.ts`
const read = `${folder}/Read.ts`
const rules = `${folder}/Rules.ts`
const reasoning = `${folder}/Reasoning.ts`
const ids = `${folder}/Ids.ts`
const pairs = `${folder}/Pairs.ts`
const format = `${folder}/Format.ts`

export const mutants: ReadonlyArray<Mutant> = [
  {
    law: 3,
    file: write,
    find: "...(isPaired ? { id } : {}),",
    replace: "...(id === undefined ? {} : { id }),",
    why: "reasoning is sent with its id, and what it led to without: the API refuses it",
  },
  {
    law: 3,
    file: write,
    find: "return items.slice(0, end)",
    replace: "return items",
    why: "a response ends in reasoning that leads to nothing, so that repair has to take it out",
  },
  {
    law: 3,
    file: write,
    find: 'if (!isWellFormed(text) || !isWellFormed(signature ?? ""))',
    replace: "if (!isWellFormed(text))",
    why: "encrypted reasoning is changed where it holds half of a character",
  },
  {
    law: 3,
    file: write,
    find: 'return { type: "function_call", name, arguments: text, call_id: id }',
    replace: 'return { type: "function_call", name, arguments: text.trim(), call_id: id }',
    why: "the bytes of arguments change on the way",
  },
  {
    law: 3,
    file: write,
    find: "asContent(writeParts(message.parts, note), BLANK)",
    replace: "asContent(writeParts(message.parts.slice(0, 1), note), BLANK)",
    why: "the second part of a message is lost",
  },
  {
    law: 3,
    file: read,
    find: "parts: items.flatMap(read),",
    replace: "parts: items.slice(0, 3).flatMap(read),",
    why: "a response is read as its first three items",
  },
  {
    law: 3,
    file: rules,
    find: 'eachItem("OR12", isCrossed, (item) => [uncrossed(item)])',
    replace:
      'eachItem("OR12", (item) => item.role === "user" && isCrossed(item), (item) => [uncrossed(item)])',
    why: "a text of the user stays in a response",
  },
  {
    law: 3,
    file: rules,
    find: "where((item) => isSealed(item) && loneSurrogates(item).length > 0)",
    replace: "where((item) => isReasoning(item) && isSealed(item) && loneSurrogates(item).length > 0)",
    why: "a compaction is changed where it holds half of a character",
  },
  {
    law: 3,
    file: rules,
    find: 'atEach("OR4", misnamed, "left out an id", withoutIdsAt)',
    replace: 'atEach("OR4", () => [], "left out an id", withoutIdsAt)',
    why: "an id is sent whose reasoning has none",
  },
  {
    law: 3,
    file: reasoning,
    find: "if (isReasoning(item)) isRobbed = isPlace.has(i)",
    replace: "if (isReasoning(item)) isRobbed = false",
    why: "what followed left out reasoning keeps the id by which the API asks for it",
  },
  {
    law: 3,
    file: reasoning,
    find: 'next !== undefined && sideOf(next) === "response" ? next : undefined',
    replace: "next",
    why: "a user's message counts as what reasoning led to",
  },
  {
    law: 3,
    file: ids,
    find: "if (!isOddItemId(named)) return [named]",
    replace: "if (!isOddItemId(named) || isReasoning(named)) return [named]",
    why: "reasoning is sent with an id that the API refuses",
  },
  {
    law: 3,
    file: ids,
    find: 'max: 64, unique: "request"',
    replace: 'max: 80, unique: "response"',
    why: "two calls of a request have the same id",
  },
  {
    law: 3,
    file: pairs,
    find: 'if (sideOf(item) === "user") close()',
    replace: "",
    why: "a user speaks between a call and its output",
  },
  {
    law: 3,
    file: format,
    find: "isContinuing(request) && whole.validate(request).length > 0 ? continued(request)",
    replace: "isContinuing(request) ? continued(request)",
    why: "outputs for a response that the server has change their places in a valid request",
  },
  {
    law: 3,
    file: format,
    find: 'all.filter((item) => isLegalId(outputIdOf(item) ?? "", CALL_IDS))',
    replace: "all",
    why: "an output is sent for a call that no server can know",
  },
]
