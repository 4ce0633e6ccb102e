import type { Mutant } from "./Mutant.ts"

const of = (name: string): string => `packages/core/src/formats/gemini/${name}.ts`

export const mutants: ReadonlyArray<Mutant> = [
  {
    law: 3,
    file: of("Read"),
    find: "callsIn(content).map(({ id }, i) => id ?? idAt(i))",
    replace: "callsIn(content).map(({ id }) => id ?? idAt(0))",
    why: "two calls of one content without ids get the same id",
  },
  {
    law: 3,
    file: of("CallId"),
    find: "=> DERIVED.test(id)",
    replace: '=> DERIVED.test(id) && id.endsWith("0")',
    why: "ids that were derived are sent",
  },
  {
    law: 3,
    file: of("Pair"),
    find: "byId[i] ?? claim((call) => call.name === name && (id === undefined || call.id === undefined)),",
    replace: "byId[i],",
    why: "results without ids find no call",
  },
  {
    law: 3,
    file: of("Pair"),
    find: "free.delete(index)",
    replace: "free.has(index)",
    why: "one call takes all results of its name",
  },
  {
    law: 3,
    file: of("Read"),
    find: "calls[i] ?? response.id ?? idAt(i)",
    replace: "response.id ?? calls[i] ?? idAt(i)",
    why: "a result with an id of its own is not given to its call, which has none",
  },
  {
    law: 3,
    file: of("Response"),
    find: "if (said.text === text && said.status === status) return value",
    replace: "return value",
    why: "a tool's output that looks like an error becomes one",
  },
  {
    law: 3,
    file: of("Response"),
    find: " && wellFormedDeep(value) === value",
    replace: "",
    why: "half of a character that was only escaped in a text is lost",
  },
  {
    law: 3,
    file: of("WritePart"),
    find: "const thoughtSignature = isOwn ? call.signature : otherwise",
    replace: "const thoughtSignature = isFirstCall && isOwn ? call.signature : otherwise",
    why: "calls after the first lose their signature",
  },
  {
    law: 3,
    file: of("WritePart"),
    find: "beside: beside.map((part) => writeMedia(part, note)),",
    replace: "beside: [],",
    why: "images that cannot be inside a result are lost",
  },
  {
    law: 3,
    file: of("Write"),
    find: "responses: [...last.responses, ...turn.responses],",
    replace: "responses: [...turn.responses, ...last.responses],",
    why: "results that came one by one stand in the wrong order",
  },
  {
    law: 3,
    file: of("Span"),
    find: "if (![...calls, ...responses].some(isNameless)) return end - at",
    replace: "if (responses.length >= 0) return end - at",
    why: "results are read apart from the calls without ids that they answer",
  },
  {
    law: 3,
    file: of("Fit"),
    find: "const parts = [...responses, ...content.parts.filter((part) => responseOf(part) === undefined)]",
    replace:
      "const parts = [...content.parts.filter((part) => responseOf(part) === undefined), ...responses]",
    why: "results are put behind what the user said",
  },
  {
    law: 3,
    file: of("Polish"),
    find: "      dropEmpty,\n      merge,\n      fitResponses,",
    replace: "      dropEmpty,\n      fitResponses,",
    why: "responses are fitted before neighbours are one content",
  },
  {
    law: 3,
    file: of("Polish"),
    find: "...(dialect.generation === 3 ? [sign] : []),",
    replace: "",
    why: "lost signatures are not replaced",
  },
  {
    law: 3,
    file: of("PartRules"),
    find: "singleParts(onlyKnown(part, [...PART, ...dialect.fields])).flatMap((single) =>",
    replace: "[onlyKnown(part, [...PART, ...dialect.fields])].flatMap((single) =>",
    why: "two kinds of data stay in one part",
  },
]
