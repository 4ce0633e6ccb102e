import type { RuleSet } from "./RuleCase.ts"

const postgres = "test/adapter-pg/Pglite.test.ts"

/** The rules of stores: what a database does to messages. */
export const storeRules: RuleSet = {
  title: "Messages in Postgres",
  cases: [],
  elsewhere: [
    {
      rule: "PG1",
      says: "a text of Postgres holds no NUL, so it is written otherwise and read back",
      file: postgres,
      accepts: "PG1 accepts",
      refuses: "PG1 refuses",
    },
    {
      rule: "PG2",
      says: "nor half of a character: it is written reversibly, never changed in silence",
      file: postgres,
      accepts: "PG2 accepts",
      refuses: "PG2 refuses",
    },
    {
      rule: "PG3",
      says: "jsonb changes bytes, so what came is kept as text",
      file: postgres,
      accepts: "PG3 accepts",
      refuses: "PG3 refuses",
    },
    {
      rule: "PG4",
      says: "numbers in arguments keep their digits, beyond 2^53 too",
      file: "test/formats/exact-arguments.test.ts",
      accepts: "PG4 accepts",
      refuses: "PG4 refuses",
    },
    {
      rule: "PG5",
      says: "rows are ordered by their number, never by time",
      file: postgres,
      accepts: "PG5 accepts",
      refuses: "PG5 refuses",
    },
  ],
}

/** What the Responses API of another provider adds. */
export const otherRules: RuleSet = {
  title: "Other servers of the Responses API",
  cases: [],
  elsewhere: [
    {
      rule: "OT6",
      says: "xAI's compaction is opaque and goes back to its own provider only",
      file: "test/formats/compaction.test.ts",
      accepts: "OT6 accepts",
      refuses: "OT6 refuses",
    },
  ],
}
