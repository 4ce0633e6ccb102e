/** Ways to break the redaction of what leaves a thread. */
import type { Mutant } from "./Mutant.ts"

const SUMMARISE = "packages/core/src/engine/Summarise.ts"
const SAFE = "packages/core/src/summary/SafeRedact.ts"
const FOCUS = "packages/core/src/engine/Filtered.ts"
const WATCH = "packages/core/src/engine/WatchRedactor.ts"

export const mutants: ReadonlyArray<Mutant> = [
  {
    law: 19,
    file: SUMMARISE,
    find: "filterRow(uncapped(row), redact)",
    replace: "uncapped(row)",
    why: "A summariser in the process gets rows with their secrets.",
  },
  {
    law: 19,
    file: SUMMARISE,
    find: "filterRow(uncapped(row), redact)",
    replace: "filterRow(row, redact)",
    why: "What was cut before it was redacted keeps half of a secret.",
  },
  {
    law: 19,
    file: SAFE,
    find: "return UNREDACTED\n",
    replace: "return text\n",
    why: "A redactor that fails lets the text pass.",
  },
  {
    law: 19,
    file: FOCUS,
    find: "{ focus: redact(passed), degraded: [] }",
    replace: "{ focus: passed, degraded: [] }",
    why: "What the host wants to be kept names a secret.",
  },
  {
    law: 19,
    file: WATCH,
    find: "failures++",
    replace: "failures += 0",
    why: "Nobody hears that a redactor fails.",
  },
]
