import type { Mutant } from "./Mutant.ts"

const of = (name: string): string => `packages/core/src/formats/effect-prompt/${name}.ts`

export const mutants: ReadonlyArray<Mutant> = [
  {
    law: 3,
    file: of("Stored"),
    find: "return tagIn(value) === null ? value : { $value: value }",
    replace: "return value",
    why: "a result that looks tagged comes back as bytes",
  },
  {
    law: 3,
    file: of("Stored"),
    find: "if (isBytes(value)) return { $bytes: Base64.encode(value) }",
    replace: "if (isBytes(value)) return Base64.encode(value)",
    why: "bytes come back as a text",
  },
  {
    law: 3,
    file: of("Stored"),
    find: "if (isUrl(value)) return { $url: String(value) }",
    replace: "if (isUrl(value)) return String(value)",
    why: "an address comes back as a text",
  },
  {
    law: 3,
    file: of("Read"),
    find: 'const failed = part.isFailure === true ? "error" : "ok"',
    replace: 'const failed = part.isFailure === false ? "ok" : "ok"',
    why: "a failure is read as a success",
  },
  {
    law: 3,
    file: of("WritePart"),
    find: "isValue && writeExact(value) === said ? tag(value) : said",
    replace: "isValue ? tag(value) : said",
    why: "a result loses the way in which its JSON was spaced",
  },
  {
    law: 3,
    file: of("WritePart"),
    find: " && wellFormedDeep(value) === value",
    replace: "",
    why: "half of a character that was only escaped in a text is lost",
  },
  {
    law: 3,
    file: of("WritePart"),
    find: "const json = isWrapped ? readExact(given) : undefined",
    replace: "const json = isWrapped ? (readExact(given) ?? []) : undefined",
    why: "arguments that are no JSON are lost",
  },
  {
    law: 3,
    file: of("Write"),
    find: "beside = [...beside, ...written.beside]",
    replace: "beside = written.beside",
    why: "the images of all results but the last are lost",
  },
  {
    law: 3,
    file: of("Write"),
    find: "      beside = [...beside, ...written.beside]\n      continue",
    replace: "      beside = [...beside, ...written.beside]\n      flush()\n      continue",
    why: "images stand between the results of one response",
  },
  {
    law: 3,
    file: of("Polish"),
    find: "  return stepsOf(whole)",
    replace: "  return [whole]",
    why: "results stay in the message of the response",
  },
  {
    law: 3,
    file: of("Format"),
    find: 'ids: { alphabet: "any", min: 1, max: 256, unique: "request" },',
    replace: 'ids: { alphabet: "any", min: 1, max: 256, unique: "response" },',
    why: "an id stands for calls of two responses",
  },
]
