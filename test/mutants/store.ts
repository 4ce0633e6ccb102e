import type { Mutant } from "./Mutant.ts"

const MEMORY = "packages/core/src/testing/MemoryStore.ts"
const LIVE = "packages/core/src/engine/LiveThread.ts"
const FAULTS = "packages/core/src/engine/RowFaults.ts"

export const mutants: ReadonlyArray<Mutant> = [
  {
    law: 17,
    file: MEMORY,
    find: "chats.set(key.chat, found)",
    replace: "chats.set(key.chat.trim(), found)",
    why: "Chats whose names differ by a space are one.",
  },
  {
    law: 17,
    file: MEMORY,
    find: "const found = chats.get(key.chat)",
    replace:
      "const found = [...tenants].flatMap(([tenant, all]) => [...all].flatMap(([chat, one]) => (tenant + chat === key.tenant + key.chat ? [one] : []))).at(0)",
    why: "Tenant and chat are glued together to one key.",
  },
  {
    law: 17,
    file: MEMORY,
    find: "run(at(ok))",
    replace: 'run(at(operation === "fail" ? { tenant: "a", chat: "b" } : ok))',
    why: "Failures of every chat are recorded in one.",
  },
  {
    law: 17,
    file: MEMORY,
    find: "(ok) => run(at(ok))",
    replace: '(ok) => run(at(name === undefined ? ok : { tenant: "", chat: "" }))',
    why: "Drafts are kept by name alone.",
  },
  {
    law: 15,
    file: LIVE,
    find: "cut === null || order(mark, cut) > 0",
    replace: 'cut === null || mark.kind !== "recall"',
    why: "Recall blocks are lost when a thread is read again.",
  },
  {
    law: 15,
    file: FAULTS,
    find: "if (other === undefined) batch.set(stored.id, stored)",
    replace: "if (other === undefined) batch.set(stored.id, { ...stored, cap: null })",
    why: "What the cap shortened is sent in full once it is read again.",
  },
]
