import type { Mutant } from "./Mutant.ts"

const MERGE = "packages/core/src/summary/Merge.ts"
const PROPOSAL = "packages/core/src/summary/Proposal.ts"
const ROOM = "packages/core/src/summary/Room.ts"
const RENDER = "packages/core/src/summary/Render.ts"
const ITEM_TEXT = "packages/core/src/summary/ItemText.ts"

export const mutants: ReadonlyArray<Mutant> = [
  {
    law: 13,
    file: MERGE,
    find: "from(item) ? { ...item, kind } : item",
    replace: "from(item) ? { ...item, kind } : { ...item }",
    why: "items that stay are made anew",
  },
  {
    law: 13,
    file: MERGE,
    find: "const ordered = absorb(inOrder(done, proposed.items))",
    replace: "const ordered = inOrder(done, proposed.items)",
    why: "resolved does not absorb pending",
  },
  {
    law: 13,
    file: MERGE,
    find: 'turn(items, (other) => other.kind === "task", "pending")',
    replace: "items",
    why: "a new task leaves the old one active",
  },
  {
    law: 13,
    file: MERGE,
    find: "keyOf(other) === keyOf(item)) ? items : append(items, item)",
    replace: 'keyOf(other) === keyOf(item) && item.kind !== "fact") ? items : append(items, item)',
    why: "a fact told again is kept again",
  },
  {
    law: 13,
    file: MERGE,
    find: '(item.kind === "constraint" ? withdrawn : dropped)',
    replace: "dropped",
    why: "a tool withdraws what the user set",
  },
  {
    law: 13,
    file: MERGE,
    find: '(item.kind === "constraint" ? withdrawn : dropped)',
    replace: '(item.kind === "constraint" ? new Set<string>() : dropped)',
    why: "the user cannot withdraw a constraint",
  },
  {
    law: 13,
    file: MERGE,
    find: "next !== items && isOverfull(next, options)",
    replace: "isOverfull(next, { ...options, maxConstraintTokens: Number.POSITIVE_INFINITY })",
    why: "constraints have no bound",
  },
  {
    law: 13,
    file: MERGE,
    find: "items.toSorted((a, b) => placeOf(a) - placeOf(b))",
    replace: "[...items].reverse()",
    why: "merging nothing turns the summary round",
  },
  {
    law: 13,
    file: MERGE,
    find: "isOpen(item) && delta.resolve.includes(item.id)",
    replace: 'item.kind === "task" && delta.resolve.includes(item.id)',
    why: "a pending request stays open though it is resolved",
  },
  {
    law: 13,
    file: MERGE,
    find: "{ id: newId(item, items), kind:",
    replace: "{ id: newId(item, []).slice(0, 1), kind:",
    why: "two items share an id",
  },
  {
    law: 13,
    file: PROPOSAL,
    find: "(!isConstraint || users.has(id))",
    replace: "id.length > 0",
    why: "a tool sets a constraint",
  },
  {
    law: 13,
    file: PROPOSAL,
    find: "if (item.text === task) return []",
    replace: "",
    why: "a request is open and done in one delta",
  },
  {
    law: 13,
    file: ROOM,
    find: "if (used + cost > maxTokens) {",
    replace: "if (used > maxTokens) {",
    why: "the last item may go over the bound",
  },
  {
    law: 13,
    file: ROOM,
    find: "kept: items.filter((item) => !leaving.has(item))",
    replace:
      'kept: items.filter((item) => !leaving.has(item) && (leaving.size === 0 || item.kind !== "constraint"))',
    why: "constraints leave when room is short",
  },
  {
    law: 13,
    file: ROOM,
    find: "leaving.add(item)\n        continue",
    replace: "leaving.add(item)\n        used = maxTokens\n        continue",
    why: "what is too large shuts out smaller items, so that choosing again chooses otherwise",
  },
  {
    law: 13,
    file: RENDER,
    find: "oneLine(item.text)} [",
    replace: "item.text}\\n[",
    why: "an item takes two lines",
  },
  {
    law: 13,
    file: ITEM_TEXT,
    find: '.replace(BREAKS, " ")',
    replace: "",
    why: "a text keeps its line breaks",
  },
  {
    law: 13,
    file: RENDER,
    find: "{item.sources.length === 1",
    replace: '{Object.keys(item)[0] === "id" && item.sources.length === 1',
    why: "the rendering depends on the order of keys",
  },
]
