import type { Mutant } from "./Mutant.ts"

const REFERENCE = "packages/core/src/text/ValueReference.ts"
const REFERENCES = "packages/core/src/thread/References.ts"
const RAW = "packages/core/src/thread/RawReferences.ts"
const MEDIA = "packages/core/src/thread/Media.ts"
const ACCOUNTING = "packages/core/src/count/Accounting.ts"
const PUT_AWAY = "packages/core/src/engine/PutAway.ts"
const STATE = "packages/core/src/engine/ReadValues.ts"

export const mutants: ReadonlyArray<Mutant> = [
  {
    law: 15,
    file: REFERENCES,
    find: "data.length > above &&",
    replace: "data.length >= above * 2 &&",
    why: "Values of up to twice the threshold stay in their rows.",
  },
  {
    law: 15,
    file: REFERENCES,
    find: "readReference(data) === null && ",
    replace: "",
    why: "References are put away like values.",
  },
  {
    law: 15,
    file: REFERENCES,
    find: " && isWellFormed(data)",
    replace: "",
    why: "Two broken texts may have the id of one value.",
  },
  {
    law: 15,
    file: REFERENCE,
    find: "{encodedIn(value)}`",
    replace: "{value.length}`",
    why: "The line for an image says another size once its data is put away.",
  },
  {
    law: 15,
    file: REFERENCE,
    find: "readReference(data) ?? { length: data.length, encoded: encodedIn(data) }",
    replace: "({ length: data.length, encoded: encodedIn(data) })",
    why: "A reference is measured in place of its value.",
  },
  {
    law: 15,
    file: ACCOUNTING,
    find: "sizeOfData(data).length",
    replace: "data.length",
    why: "An image that is billed by its encoding weighs nothing once it is put away.",
  },
  {
    law: 15,
    file: MEDIA,
    find: "return content === part.content ? part : { ...part, content }",
    replace: "return part",
    why: "Images in results of tools stay in their rows.",
  },
  {
    law: 15,
    file: RAW,
    find: "if (isSame && shorter.text.length <= above)",
    replace: "if (shorter.text.length <= above)",
    why: "A form that quotes the reference of its own image comes back as another.",
  },
  {
    law: 15,
    file: RAW,
    find: "isSame && shorter.text.length <= above",
    replace: "isSame",
    why: "A form of a megabyte stays in its row.",
  },
  {
    law: 15,
    file: PUT_AWAY,
    find: "yield* blobs.put(key, kept)",
    replace: "yield* blobs.put(key, kept.slice(1))",
    why: "Of the values of a checkpoint the first is lost.",
  },
  {
    law: 15,
    file: STATE,
    find: "...now.unsaved.flatMap(rowReferences)",
    replace: "",
    why: "Values that are not stored yet are forgotten with the prompt after them.",
  },
]
