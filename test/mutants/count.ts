import type { Mutant } from "./Mutant.ts"

const CALIBRATE = "packages/core/src/count/Calibrate.ts"
const USAGE = "packages/core/src/count/Usage.ts"
const DIALECT = "packages/core/src/count/UsageDialect.ts"
const BUDGET = "packages/core/src/decide/Budget.ts"
const APPEND = "packages/core/src/engine/Append.ts"
const PROMPT_USAGE = "packages/core/src/engine/PromptUsage.ts"
const STEP = "packages/core/src/engine/Step.ts"
const STORED = "packages/core/src/engine/StoredRow.ts"
const READINGS = "packages/core/src/thread/Readings.ts"
const MAKE_PROMPT = "packages/core/src/engine/MakePrompt.ts"

/** Changes of counting by the provider's own counts that the second half of law 14 must catch. */
export const mutants: ReadonlyArray<Mutant> = [
  {
    law: 14,
    file: CALIBRATE,
    find: "  reading.model === key.model &&\n",
    replace: "",
    why: "what another model counted is learnt from",
  },
  {
    law: 14,
    file: CALIBRATE,
    find: "  reading.boundary === key.boundary &&\n",
    replace: "",
    why: "a prompt from before the cut is learnt from",
  },
  {
    law: 14,
    file: CALIBRATE,
    find: "Math.min(factorBounds.most, Math.max(factorBounds.least, factor))",
    replace: "Math.max(factorBounds.least, factor)",
    why: "a factor has no upper bound",
  },
  {
    law: 14,
    file: CALIBRATE,
    find: "reading.overflow !== true && isPlausible(reading)",
    replace: "reading.overflow !== true",
    why: "a reading that is a thousand times off is learnt from",
  },
  {
    law: 14,
    file: CALIBRATE,
    find: "median(counted.slice(-newestReadings).map(ratioOf))",
    replace: "median(counted.map(ratioOf))",
    why: "old readings are never forgotten",
  },
  {
    law: 14,
    file: CALIBRATE,
    find: "median(counted.slice(-newestReadings).map(ratioOf))",
    replace: "Math.max(...counted.slice(-newestReadings).map(ratioOf), 0.5)",
    why: "one outlier leads",
  },
  {
    law: 14,
    file: CALIBRATE,
    find: "Math.min(...overflows.map((reading) => reading.estimated))",
    replace: "(overflows.at(-1)?.estimated ?? null)",
    why: "the last refusal hides a smaller one",
  },
  {
    law: 14,
    file: BUDGET,
    find: "Math.floor((window - reserve - margin) / factor)",
    replace: "Math.floor(window / factor) - reserve - margin",
    why: "the reserve is left out of the correction",
  },
  {
    law: 14,
    file: BUDGET,
    find: "Math.min(room, ceiling - 1)",
    replace: "Math.min(room, ceiling)",
    why: "what was refused is sent again",
  },
  {
    law: 14,
    file: BUDGET,
    find: "limit: whole(most - tools) }",
    replace: "limit: whole(most) }",
    why: "tools are not in the estimate",
  },
  {
    law: 14,
    file: USAGE,
    find: "holds && part <= whole ? whole : whole + part",
    replace: "whole + part",
    why: "cached tokens count twice",
  },
  {
    law: 14,
    file: USAGE,
    find: "if (numbers.uncached !== undefined) return numbers.uncached + cached",
    replace: "if (numbers.uncached !== undefined) return numbers.uncached",
    why: "cached tokens are taken for free, and for no part of the window",
  },
  {
    law: 14,
    file: USAGE,
    find: "value >= 0 && value <= MOST",
    replace: "value <= MOST",
    why: "negative numbers of tokens are believed",
  },
  {
    law: 14,
    file: USAGE,
    find: "  return held > most\n",
    replace: "  return held > 2 * most\n",
    why: "a sum over two requests is read as one",
  },
  {
    law: 14,
    file: DIALECT,
    find: 'reasoning: ["thoughtsTokenCount", "thoughts"],\n    holdsReasoning: false,',
    replace: 'reasoning: ["thoughtsTokenCount", "thoughts"],\n    holdsReasoning: true,',
    why: "Gemini's thoughts are left out of the context",
  },
  {
    law: 14,
    file: APPEND,
    find: "{ ...paired.message, ...put.content }), asked: null }",
    replace: "{ ...paired.message, ...put.content }) }",
    why: "a prompt is answered twice",
  },
  {
    law: 14,
    file: APPEND,
    find: "noted: [...noted, noReading(reading.failure)]",
    replace: "noted",
    why: "usage that is of no use is passed over without a word",
  },
  {
    law: 14,
    file: PROMPT_USAGE,
    find: "real: read.input })",
    replace: "real: read.context })",
    why: "the answer is counted as a part of its prompt",
  },
  {
    law: 14,
    file: MAKE_PROMPT,
    find: "estimated: prompt.tokens.total + scene.settings.budget.tools",
    replace: "estimated: prompt.tokens.total",
    why: "tools are in the provider's count and not in ours",
  },
  {
    law: 14,
    file: STORED,
    find: "message.usage === undefined ? null : yield* readingJson.encode(message.usage)",
    replace: "message.usage?.overflow === true ? yield* readingJson.encode(message.usage) : null",
    why: "what was learnt dies with its process",
  },
  {
    law: 14,
    file: READINGS,
    find: "boundary: thread.cut?.id ?? null }",
    replace: "boundary: null }",
    why: "nothing is learnt after the first cut",
  },
  {
    law: 14,
    file: STEP,
    find: "asked: null,\n          refused:",
    replace: "refused:",
    why: "a prompt that was refused is taken for answered",
  },
  {
    law: 14,
    file: PROMPT_USAGE,
    find: 'model: name ?? "",',
    replace: 'model: name === null ? "" : "any",',
    why: "a thread that changes its model keeps what it learnt of the other one",
  },
  {
    law: 14,
    file: MAKE_PROMPT,
    find: "boundary: scene.thread.cut?.id ?? null,",
    replace: "boundary: null,",
    why: "a reading does not name the cut that its prompt was made after",
  },
]
