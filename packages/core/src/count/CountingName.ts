/**
 * The name under which counts are stored: of all that they depend on.
 *
 * @since 0.1.0
 */
import { type Accounting, defaultAccounting } from "./Accounting.ts"
import type { Counting } from "./Count.ts"

/** The numbers and names of an accounting, each with its path. */
const fieldsOf = ({ image, ...overheads }: Accounting): ReadonlyArray<readonly [string, number | string]> => [
  ...Object.entries(overheads),
  ...Object.entries(image).map(([name, value]) => [`image.${name}`, value] as const),
]

const DEFAULTS = new Map(fieldsOf(defaultAccounting))

/**
 * Names a way of counting: the name of the counter, and what of the accounting is not the default. A count that is
 * stored under another name is of another model, and is made anew.
 *
 * **Example** (An image rule of another provider)
 *
 * ```ts
 * import { countingName, defaultAccounting, estimateCounter } from "@palimpsest/core"
 *
 * countingName({ counter: estimateCounter, accounting: defaultAccounting }) // => "estimate"
 * const accounting = { ...defaultAccounting, image: { kind: "flat", unknown: 1032 } } as const
 * countingName({ counter: estimateCounter, accounting }) // => "estimate image.kind=flat image.unknown=1032"
 * ```
 *
 * @category getters
 * @since 0.1.0
 */
export const countingName = ({ counter, accounting }: Counting): string =>
  [
    counter.name,
    ...fieldsOf(accounting)
      .filter(([field, value]) => DEFAULTS.get(field) !== value)
      .map(([field, value]) => `${field}=${value}`)
      .toSorted(),
  ].join(" ")
