import type { Call, Story } from "@palimpsest/core/testing"

/** How often each thing happened: calls by kind and outcome, prompts, refusals. */
export type Tally = Readonly<Record<string, number>>

export const add = (a: Tally, b: Tally): Tally =>
  Object.fromEntries(
    [...new Set([...Object.keys(a), ...Object.keys(b)])]
      .toSorted()
      .map((name) => [name, (a[name] ?? 0) + (b[name] ?? 0)]),
  )

const nameOf = ({ asked, answer }: Call): string => {
  if ("error" in answer) return `${asked.of} refused`
  if (asked.of !== "mark") return asked.of
  const { _tag } = answer.value as { readonly _tag: string }
  return `${asked.mark.kind} ${_tag.toLowerCase()}`
}

const count = (names: ReadonlyArray<string>): Tally =>
  names.reduce<Record<string, number>>((all, name) => {
    all[name] = (all[name] ?? 0) + 1
    return all
  }, {})

export const tallyOf = ({ calls, prompts }: Story): Tally =>
  count([
    "histories",
    ...calls.map(nameOf),
    ...calls.map(() => "calls"),
    ...calls.filter(({ isHeard }) => !isHeard).map(() => "answers lost"),
    ...prompts.map(({ prompt }) => ("slots" in prompt ? "prompts" : "prompts that cannot fit")),
  ])
