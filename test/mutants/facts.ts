import type { Mutant } from "./Mutant.ts"

const FACTS = "packages/core/src/testing/memory/Facts.ts"
const CHECKS = "packages/core/src/engine/FactFaults.ts"

export const mutants: ReadonlyArray<Mutant> = [
  {
    law: 18,
    file: FACTS,
    find: "b.at - a.at || b.position - a.position || compare(b.id, a.id)",
    replace: "b.at - a.at || compare(b.id, a.id)",
    why: "Of two facts of one time, the one that stands earlier may hold.",
  },
  {
    law: 18,
    file: FACTS,
    find: "const sorted = [...facts].sort(latestFirst)",
    replace: "const sorted = [...facts].reverse()",
    why: "What was told last holds, whenever it was said.",
  },
  {
    law: 18,
    file: FACTS,
    find: "JSON.stringify([owner, subject, attribute])",
    replace: "JSON.stringify([owner, subject, attribute.toLowerCase()])",
    why: "Two attributes are one.",
  },
  {
    law: 18,
    file: FACTS,
    find: "fact.owner === owner &&\n    (subject",
    replace: "fact.owner.trim() === owner.trim() &&\n    (subject",
    why: "Owners whose names differ by a space share a memory.",
  },
  {
    law: 18,
    file: FACTS,
    find: "if (!isThere(shelf, one) && !isForgotten(shelf, fact))",
    replace: "if (!isForgotten(shelf, fact))",
    why: "A retry puts a fact twice.",
  },
  {
    law: 18,
    file: FACTS,
    find: "&& !latest.has(fact))",
    replace: "&& latest.has(fact))",
    why: "What holds is told as superseded.",
  },
  {
    law: 18,
    file: CHECKS,
    find: "if (!once.has(fact.id)) once.set(fact.id, fact)",
    replace: "if (once.size < 3) once.set(fact.id, fact)",
    why: "Facts of a large batch are lost.",
  },
]
