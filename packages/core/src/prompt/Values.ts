/**
 * The large values of a prompt: which ones it is sent with, and what stands for those that cannot be had.
 *
 * @since 0.1.0
 */
import { type Counting, countMessage, countPart, countText } from "../count/Count.ts"
import { describeMedia } from "../prepass/Images.ts"
import type { MediaPart } from "../thread/Message.ts"
import { withoutReferences } from "../thread/References.ts"
import { rowReferences, rowWithValues } from "../thread/RowValues.ts"
import type { Coverage, Prompt, Slot } from "./Layout.ts"

/**
 * Lists the ids of the values that a prompt refers to, each once: what was capped, pruned or left out has none.
 *
 * @category getters
 * @since 0.1.0
 */
export const promptReferences = ({ slots }: Pick<Prompt, "slots">): ReadonlyArray<string> => [
  ...new Set(slots.flatMap(rowReferences)),
]

/** A line that weighs no more than what it stands for: the prompt was made to fit with that. */
const lineFor =
  ({ counter, accounting }: Counting) =>
  (media: MediaPart): string => {
    const line = `[${describeMedia(media)}: it could not be read]`
    return countText(line, counter) <= countPart(media, counter, accounting) ? line : "[lost]"
  }

interface Filled {
  readonly slot: Slot
  readonly isLost: boolean
}

const filled = (given: Slot, values: ReadonlyMap<string, string>, counting: Counting): Filled => {
  const slot = rowWithValues(given, values)
  const message = withoutReferences(slot.message, lineFor(counting))
  if (message === slot.message) return { slot, isLost: false }
  const tokens = countMessage(message, counting.counter, counting.accounting)
  return { slot: { ...slot, message, tokens, form: "reduced" }, isLost: true }
}

const tokensOf = ({ tokens, slots }: Prompt, now: ReadonlyArray<Filled>): Prompt["tokens"] => {
  const sums = { ...tokens }
  for (const [i, { slot }] of now.entries()) {
    const more = slot.tokens - (slots[i]?.tokens ?? slot.tokens)
    sums[slot.part] += more
    sums.total += more
  }
  return sums
}

const coverageOf = ({ verbatim, reduced, left }: Coverage, lost: ReadonlySet<string | null>): Coverage => ({
  verbatim: verbatim.filter((id) => !lost.has(id)),
  reduced: [...reduced, ...verbatim.filter((id) => lost.has(id))],
  left,
})

/**
 * Puts values into a prompt. Where one is not given a text says so: the row counts as reduced, and what follows it as
 * written under another prompt.
 *
 * @category combinators
 * @since 0.1.0
 */
export const promptWithValues = (
  prompt: Prompt,
  values: ReadonlyMap<string, string>,
  counting: Counting,
): Prompt => {
  if (promptReferences(prompt).length === 0) return prompt
  const all = prompt.slots.map((slot) => filled(slot, values, counting))
  const first = all.findIndex(({ isLost }) => isLost)
  if (first < 0) return { ...prompt, slots: all.map(({ slot }) => slot) }
  return {
    ...prompt,
    slots: all.map(({ slot }, i) => (i > first ? { ...slot, prefix: "changed" } : slot)),
    tokens: tokensOf(prompt, all),
    coverage: coverageOf(
      prompt.coverage,
      new Set(all.flatMap(({ slot, isLost }) => (isLost ? [slot.row] : []))),
    ),
  }
}
