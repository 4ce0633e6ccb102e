import type { Mutant } from "./Mutant.ts"

const FENCE = "packages/core/src/text/Fence.ts"
const TAG = "packages/core/src/text/Tag.ts"
const SCRUB = "packages/core/src/text/Scrub.ts"
const UNICODE = "packages/core/src/text/Unicode.ts"
const COUNT = "packages/core/src/count/Count.ts"
const SLICES = "packages/core/src/count/Slices.ts"
const SAFE = "packages/core/src/count/SafeCounter.ts"
const ESTIMATE = "packages/core/src/count/Estimate.ts"

export const mutants: ReadonlyArray<Mutant> = [
  {
    law: 11,
    file: FENCE,
    find: "escapeFence(payload)",
    replace: "payload",
    why: "A payload that is not escaped closes its fence.",
  },
  {
    law: 11,
    file: FENCE,
    find: 'rewrite(text, () => ({ put: "\\\\", skip: 0 }))',
    replace: 'rewrite(text, ({ escapes }) => ({ put: escapes > 0 ? "" : "\\\\", skip: 0 }))',
    why: "A tag that is escaped already must get one more backslash, or it comes back without any.",
  },
  {
    law: 11,
    file: TAG,
    find: 'return character === "_" ? "-" : character.toLowerCase()',
    replace: 'return character === "_" ? "-" : character',
    why: "A model reads a tag in capitals as a tag.",
  },
  {
    law: 11,
    file: FENCE,
    find: " || findTags(inner).some(({ escapes }) => escapes === 0)",
    replace: "",
    why: "Text with a tag inside is not what the library writes.",
  },
  {
    law: 11,
    file: SCRUB,
    find: "if (ended) return endLine(state, line)",
    replace: "if (ended && line !== piece) return endLine(state, line)",
    why: "A tag line in one chunk would be seen differently from one in two.",
  },
  {
    law: 11,
    file: SCRUB,
    find: "line.length <= longestTagLine && LINE.exec(line)?.[2] === tag",
    replace: "line.includes(tag)",
    why: "A tag inside a sentence opens nothing.",
  },
  {
    law: 11,
    file: SCRUB,
    find: "return last.text + open.opener + rest.text + scrubEnd(rest.state)",
    replace: "return last.text",
    why: "An opener that nothing closes must not swallow the reply.",
  },
  {
    law: 11,
    file: SCRUB,
    find: "return last.text + open.opener + rest.text + scrubEnd(rest.state)",
    replace: "return last.text + open.opener + open.body",
    why: "A whole fence after an opener that nothing closes is still a fence.",
  },
  {
    law: 11,
    file: SCRUB,
    find: "if (line.length > longestTagLine) return false",
    replace: "if (line.length > 24) return false",
    why: "A tag with spaces around it, in pieces, is still a tag.",
  },
  {
    law: 11,
    file: SCRUB,
    find: ": pass(state, line, null)",
    replace: ': pass({ ...state, line: "" }, "", line)',
    why: "Text that can be no tag is shown at once.",
  },
  {
    law: 14,
    file: COUNT,
    find: " + text(part.arguments)",
    replace: "",
    why: "Arguments of calls are sent, and must be counted.",
  },
  {
    law: 14,
    file: COUNT,
    find: "(sum: number, part: Part) => sum + countPart(part, counter, accounting),",
    replace: "(sum: number, part: Part) => Math.max(sum, countPart(part, counter, accounting)),",
    why: "A message is all its parts.",
  },
  {
    law: 14,
    file: COUNT,
    find: 'countText(media.name ?? "", counter) +',
    replace: 'countText((media.name ?? "") + media.data, counter) +',
    why: "The encoding of an image is not text.",
  },
  {
    law: 14,
    file: ESTIMATE,
    find: "return Math.ceil(sum)",
    replace: "return sum",
    why: "A count is an integer.",
  },
  {
    law: 14,
    file: SLICES,
    find: "if (!isStopped(run)) continue",
    replace: "if (!isStopped(run) || run.length < 600) continue",
    why: "A run beyond the bound makes the tokenizer quadratic.",
  },
  {
    law: 14,
    file: SLICES,
    find: "from = index + run.length",
    replace: "from = index + LONGEST_RUN",
    why: "A slice by units parts a character of two, or loses some.",
  },
  {
    law: 14,
    file: SLICES,
    find: "run.length >= LONGEST_RUN && ",
    replace: "run.length >= 8 || ",
    why: "Ordinary text must be counted whole, or its count is not exact.",
  },
  {
    law: 14,
    file: SAFE,
    find: "Number.isFinite(tokens) && tokens >= 0",
    replace: "Number.isFinite(tokens)",
    why: "A negative count is a failure.",
  },
  {
    law: 14,
    file: SAFE,
    find: "tokens: estimateCounter.count(text), fault",
    replace: "tokens: 0, fault",
    why: "A text that cannot be counted is not empty.",
  },
  {
    law: 16,
    file: UNICODE,
    find: "isHigh(text.charCodeAt(index - 1)) && isLow(text.charCodeAt(index))",
    replace: "isHigh(text.charCodeAt(index)) && isLow(text.charCodeAt(index))",
    why: "A cut between the halves of a pair leaves two characters that are none.",
  },
  {
    law: 16,
    file: UNICODE,
    find: "  partsFlag(text, index)\n",
    replace: "  false\n",
    why: "Half a flag is another character.",
  },
  {
    law: 16,
    file: UNICODE,
    find: "text.charCodeAt(index - 1) === ZWJ",
    replace: "text.charCodeAt(index) === ZWJ",
    why: "A joined emoji is one character.",
  },
  {
    law: 16,
    file: UNICODE,
    find: "if (excess <= 0) return",
    replace: "if (excess <= 1) return",
    why: "A shortened text that is longer than it may be breaks the budget.",
  },
  {
    law: 16,
    file: UNICODE,
    find: "marker(text.length - head.length - tail.length)",
    replace: "marker(text.length - head.length)",
    why: "The marker tells how much is missing.",
  },
  {
    law: 16,
    file: UNICODE,
    find: "takeStart(text, middle)) <= max) good = middle",
    replace: "takeStart(text, middle)) <= max + 1) good = middle",
    why: "A text fitted to tokens fits.",
  },
  {
    law: 16,
    file: UNICODE,
    find: "while (bad - good > 1)",
    replace: "while (bad - good > 4)",
    why: "A text fitted to tokens is the longest one that fits.",
  },
  {
    law: 16,
    file: UNICODE,
    find: 'text.replace(LONE, "\\ufffd")',
    replace: 'text.replace(LONE, "")',
    why: "Cleaning keeps the length, so that positions stay.",
  },
]
