import type { Mutant } from "./Mutant.ts"

const MEMORY = "packages/core/src/testing/MemoryStore.ts"
const CHAT = "packages/core/src/testing/memory/Chat.ts"
const LIVE = "packages/core/src/engine/LiveThread.ts"
const FAULTS = "packages/core/src/engine/RowFaults.ts"

export const mutants: ReadonlyArray<Mutant> = [
  {
    law: 17,
    file: CHAT,
    find: "export const chatIn = (tenant: MemoryTenant, name: string): MemoryChat => {",
    replace:
      "export const chatIn = (tenant: MemoryTenant, given: string): MemoryChat => {\n  const name = given.trim()",
    why: "Chats whose names differ by a space are one.",
  },
  {
    law: 17,
    file: MEMORY,
    find: "const view = viewOf(tenant, ok)",
    replace: "const view = viewOf(tenantOf(''), { ...ok, chat: ok.tenant + ok.chat })",
    why: "Tenant and chat are glued together to one key.",
  },
  {
    law: 17,
    file: MEMORY,
    find: 'within("fail", key,',
    replace: 'within("fail", { tenant: "a", chat: "b" },',
    why: "Failures of every chat are recorded in one.",
  },
  {
    law: 17,
    file: MEMORY,
    find: "const view = viewOf(tenant, ok)",
    replace: "const view = viewOf(tenant, name === undefined ? ok : { ...ok, chat: '' })",
    why: "Drafts of every chat of a tenant are kept by name alone.",
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
