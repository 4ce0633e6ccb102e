import type { Mutant } from "./Mutant.ts"

const WRITE = "packages/core/src/testing/memory/Write.ts"
const EDIT = "packages/core/src/testing/memory/Edit.ts"
const CHAT = "packages/core/src/testing/memory/Chat.ts"
const PERSIST = "packages/core/src/engine/Persist.ts"
const MAKE = "packages/core/src/engine/MakeMark.ts"

export const mutants: ReadonlyArray<Mutant> = [
  {
    law: 8,
    file: WRITE,
    find: '(mark.kind === "summary" && mark.previous !== undefined && mark.previous !== live)',
    replace: "false",
    why: "A summary is written whatever cut is live by now.",
  },
  {
    law: 8,
    file: WRITE,
    find: "mark.revision < chat.revision ||",
    replace: "",
    why: "A mark that was made before a rewind or an edit is written after it.",
  },
  {
    law: 8,
    file: WRITE,
    find: "live !== null && live.id !== row.id && order(row, live) < 0",
    replace: "live !== null && live.id !== row.id && false",
    why: "A cut is written before the one that is live.",
  },
  {
    law: 8,
    file: WRITE,
    find: 'if (positionOf(view, after) === undefined) return yield* Result.fail(hidden("append", after))',
    replace: "",
    why: "What follows a hidden message is appended after what took its place.",
  },
  {
    law: 8,
    file: PERSIST,
    find: "context.store.append(context.key, unsaved, { after })",
    replace: "context.store.append(context.key, unsaved, { after: after.slice(0, 0) })",
    why: "A step does not tell what its rows follow.",
  },
  {
    law: 8,
    file: PERSIST,
    find: 'return { row: outcome._tag === "Adopted" ? outcome.row : null, written: false }',
    replace:
      'if (outcome._tag === "Adopted") yield* Ref.update(context.state, (now) => ({ ...now, thread: advance(now.thread, mark) })); return { row: outcome._tag === "Adopted" ? mark : null, written: false }',
    why: "Who loses a race keeps its own text.",
  },
  {
    law: 8,
    file: MAKE,
    find: "previous: thread.cut?.id ?? null,",
    replace: "previous: null,",
    why: "A summary does not tell on which cut it builds.",
  },
  {
    law: 8,
    file: CHAT,
    find: "Math.max(chat.revision, chat.newestRevision) + 2",
    replace: "chat.revision",
    why: "A rewind does not count up the revision.",
  },
  {
    law: 8,
    file: EDIT,
    find: "goesOn(line, momentAfter(view, position), name, end)",
    replace: "goesOn(line, position, name, end)",
    why: "A rewind loses the marks that were put after an earlier one.",
  },
  {
    law: 8,
    file: EDIT,
    find: "from.chat.next = Math.max(from.chat.next, parted + 2)",
    replace: "",
    why: "What a chat puts after it was forked shows in the fork.",
  },
  {
    law: 8,
    file: EDIT,
    find: "mark.position >= position &&",
    replace: "mark.position > position &&",
    why: "A summary that ends with a message outlives the edit of that message.",
  },
]
