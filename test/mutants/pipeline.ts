import type { Mutant } from "./Mutant.ts"

/** Changes of the pipeline and the engine that laws 1 to 10 and 15 must catch. */
export const mutants: ReadonlyArray<Mutant> = [
  {
    law: 1,
    file: "packages/core/src/decide/Truncate.ts",
    find: "const fitting = bases.find((base) => base().tokens <= limits.limit)",
    replace: "const fitting = bases.find(() => true)",
    why: "a view is sent whether it fits or not",
  },
  {
    law: 2,
    file: "packages/core/src/prompt/Layout.ts",
    find: ".filter((id) => !form.has(id))",
    replace: ".filter(() => false)",
    why: "rows are left out without a word",
  },
  {
    law: 3,
    file: "packages/core/src/thread/Group.ts",
    find: 'if (draft.head.message.role !== "assistant" || draft.waiting.size === 0) return null',
    replace: 'if (draft.head.message.role !== "assistant" || draft.waiting.size >= 0) return null',
    why: "a call that was never answered is not closed",
  },
  {
    law: 4,
    file: "packages/core/src/decide/Zones.ts",
    find: "(group === user || group.pending || group.to >= edge)",
    replace: "(group.pending || group.to >= edge)",
    why: "the newest user message is covered and not carried",
  },
  {
    law: 5,
    file: "packages/core/src/thread/Window.ts",
    find: "const capped = row.cap ?? []",
    replace: 'const capped = Object.keys(row.message)[0] === "role" ? (row.cap ?? []) : []',
    why: "the order of keys in a stored row bears on what is sent",
  },
  {
    law: 6,
    file: "packages/core/src/prompt/Layout.ts",
    find: "...group.entries.flatMap((entry) => before.get(entry.row.id) ?? []).map(recallSlot),",
    replace: "",
    why: "a recall block vanishes once its user message is answered",
  },
  {
    law: 7,
    file: "packages/core/src/decide/Decide.ts",
    find: "if (circumstances.noPass === true)",
    replace: "if (circumstances.noPass === true && parts.total < 0)",
    why: "there is no end to the passes before one prompt",
  },
  {
    law: 8,
    file: "packages/core/src/engine/MakeMark.ts",
    find: 'id: markId(key, "summary", plan.anchor, 0),',
    replace: 'id: markId(key, "summary", plan.anchor + made.summary.items.length, 0),',
    why: "the id of a summary depends on what it says, so two workers write two",
  },
  {
    law: 9,
    file: "packages/core/src/engine/Passes.ts",
    find: "if (Result.isFailure(facts))",
    replace: "if (Result.isFailure(facts) && plan.gain < 0)",
    why: "a flush that fails does not gate the summary",
  },
  {
    law: 10,
    file: "packages/core/src/engine/Passes.ts",
    find: "yield* Effect.result(flush(context, scene, plan, boundary))",
    replace: "yield* Effect.result(Effect.succeed(0))",
    why: "a span is summarised without its facts being kept",
  },
  {
    law: 15,
    file: "packages/core/src/thread/Advance.ts",
    find: "row].toSorted(order) }",
    replace: "row] }",
    why: "a mark stands in another place in the process than in the store",
  },
]
