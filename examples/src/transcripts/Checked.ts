/** Which entries of a log have the form of their kind; the others are left out, and said. */
import { checkOf, type DecodeFault } from "@palimpsest/core/formats"
import type { Schema } from "effect"
import type { Entry } from "./Source.ts"

type Check = (value: unknown, base: string) => DecodeFault | null

/** Schemas of the kinds of entries that are read; entries of other kinds are left to the reader. */
export type Kinds = { readonly [kind: string]: Schema.ConstraintDecoder<unknown> }

export interface Checked {
  readonly entries: ReadonlyArray<Entry>
  /** Such as `line 7 is left out: message.content: …`. */
  readonly faults: ReadonlyArray<string>
}

/** Makes the check of the entries of a log out of the schema of each kind. */
export const checkedBy = (
  kinds: Kinds,
  kindOf: (value: unknown) => string,
): ((entries: ReadonlyArray<Entry>) => Checked) => {
  const checks = new Map<string, Check>(
    Object.entries(kinds).map(([kind, schema]) => [kind, checkOf(schema)] as const),
  )
  return (entries) => {
    const sound: Array<Entry> = []
    const faults: Array<string> = []
    for (const entry of entries) {
      const fault = checks.get(kindOf(entry.value))?.(entry.value, "") ?? null
      if (fault === null) sound.push(entry)
      else faults.push(`${entry.at} is left out: ${fault.path}: ${fault.reason}`)
    }
    return { entries: sound, faults }
  }
}
