import type { Mutant } from "./Mutant.ts"

const of = (name: string): string => `packages/core/src/formats/ai-sdk-ui/${name}.ts`

export const mutants: ReadonlyArray<Mutant> = [
  {
    law: 3,
    file: of("Write"),
    find: "return parts.length === 0 ? [] : [START, ...parts]",
    replace: "return parts",
    why: "the steps of a turn become one",
  },
  {
    law: 3,
    file: of("Write"),
    find: "id: nth === 0 ? first : derivedId(role, said, nth)",
    replace: "id: first",
    why: "two messages that say the same have one id",
  },
  {
    law: 3,
    file: of("Write"),
    find: "providerMetadata: options }]",
    replace: "}]",
    why: "a signature is lost",
  },
  {
    law: 3,
    file: of("WriteTool"),
    find: 'if (result.status === "error") return',
    replace: 'if (result.status === "error" && text === "") return',
    why: "an error is written as a success",
  },
  {
    law: 3,
    file: of("WriteTool"),
    find: "output: valueOfText(text) ?? (text || NO_OUTPUT), ...granted }",
    replace: "output: valueOfText(text) ?? NO_OUTPUT, ...granted }",
    why: "results that are texts are lost",
  },
  {
    law: 3,
    file: of("WriteTool"),
    find: "{ callProviderMetadata: options }),",
    replace: "{ resultProviderMetadata: options }),",
    why: "the signature of a call is put on its result",
  },
  {
    law: 3,
    file: of("Read"),
    find: 'return { status: "denied", content: textParts(stringIn(fieldsIn(part, "approval"), "reason")) }',
    replace: 'return { status: "denied", content: [] }',
    why: "the reason of a refusal is lost",
  },
  {
    law: 3,
    file: of("Polish"),
    find: "  withLawfulStates,\n",
    replace: "",
    why: "calls keep what is not of their state",
  },
  {
    law: 3,
    file: of("Polish"),
    find: "  withSentFiles,\n",
    replace: "",
    why: "files stay that cannot be sent",
  },
  {
    law: 3,
    file: of("Polish"),
    find: "  withInputs,\n",
    replace: "",
    why: "a call keeps an input that is no object",
  },
  {
    law: 3,
    file: of("Polish"),
    find: "  withSaidResults,\n",
    replace: "",
    why: "results stay that say nothing",
  },
  {
    law: 3,
    file: of("Polish"),
    find: "  withoutLone,\n",
    replace: "",
    why: "a step of reasoning alone stays",
  },
  {
    law: 3,
    file: of("Polish"),
    find: "  withCallIds,\n",
    replace: "",
    why: "two calls keep one id",
  },
  {
    law: 3,
    file: of("Polish"),
    find: "  withIds,\n",
    replace: "",
    why: "two messages keep one id",
  },
]
