/**
 * The chat of the quickstart: a coding agent that works through a morning of tasks. It is written by rule, so that
 * each run tells the same story.
 */
import { assistant, type Message, toolResult, user } from "@palimpsest/core"

interface Task {
  readonly ask: string
  readonly area: string
  readonly files: ReadonlyArray<string>
  readonly found: string
  readonly done: string
}

const TASKS: ReadonlyArray<Task> = [
  {
    ask: "The invoice export drops the last line of each file. Please find out why and fix it. One rule for all of today: never touch the production database, and keep the public API of billing/export.ts as it is.",
    area: "billing",
    files: [
      "src/billing/export.ts",
      "src/billing/lines.ts",
      "src/billing/money.ts",
      "test/billing/export.test.ts",
    ],
    found: "src/billing/lines.ts stops at length - 1 since commit 4f2a91c",
    done: "Fixed in src/billing/lines.ts: the loop now runs to the end. export.test.ts passes, 14 of 14.",
  },
  {
    ask: "Thanks. Next: sign-in is slow, p95 was 183 ms last week and is 940 ms now. What changed?",
    area: "auth",
    files: ["src/auth/session.ts", "src/auth/password.ts", "src/auth/limits.ts", "ops/metrics/signin.json"],
    found: "src/auth/password.ts hashes with cost 15 instead of 12 since release 2026.11.3",
    done: "The hash cost went from 12 to 15 in release 2026.11.3. I put it back to 12: p95 is 176 ms again in the benchmark.",
  },
  {
    ask: "Good find. Ticket OPS-4417 says that webhooks to customer ord_9f3 arrive twice. Can you look?",
    area: "webhooks",
    files: [
      "src/webhooks/deliver.ts",
      "src/webhooks/retry.ts",
      "src/webhooks/queue.ts",
      "test/webhooks/retry.test.ts",
    ],
    found: "src/webhooks/retry.ts retries on 202, which means accepted",
    done: "retry.ts took 202 for a failure. Now any 2xx counts as delivered, and the event id goes out as an idempotency key.",
  },
  {
    ask: "Last one for this morning: write down in CHANGELOG.md what we changed today, and tell me which rule I set at the start.",
    area: "notes",
    files: ["CHANGELOG.md", "docs/releases.md", "src/billing/lines.ts", "src/webhooks/retry.ts"],
    found: "CHANGELOG.md has a section for 2026.12.1",
    done: "CHANGELOG.md lists the three fixes. Your rule: never touch the production database, and keep the public API of billing/export.ts as it is.",
  },
]

const listing = (file: string, area: string, round: number): string =>
  Array.from(
    { length: 24 },
    (_, i) =>
      `${i + 1 + round * 24}: export const ${area}${round}_${i} = (input: ${area}Input) => check(input, ${i * 7 + round}) // ${file}`,
  ).join("\n")

const testRun = (area: string, round: number): string =>
  JSON.stringify({
    exit_code: round % 3 === 0 ? 1 : 0,
    output: `test/${area}: ${11 + round} passed, ${round % 3 === 0 ? 2 : 0} failed in ${420 + round * 13} ms`,
  })

/** The rounds of tool calls within one task: reading, searching, testing. */
const round = (task: Task, t: number, r: number): ReadonlyArray<Message> => {
  const file = task.files[r % task.files.length] ?? "README.md"
  const id = (name: string) => `call_${t}_${r}_${name}`
  const read = {
    id: id("read"),
    name: "read_file",
    arguments: JSON.stringify({ path: file, offset: r * 24, limit: 24 }),
  }
  const grep = {
    id: id("grep"),
    name: "search_files",
    arguments: JSON.stringify({ pattern: task.area, path: "src" }),
  }
  const run = { id: id("run"), name: "run_tests", arguments: JSON.stringify({ path: `test/${task.area}` }) }
  return [
    assistant(r === 0 ? `I will look at ${file} first.` : "", [read, grep]),
    toolResult(read.id, listing(file, task.area, r), { name: read.name }),
    toolResult(grep.id, `${file}:${12 + r}: ${task.found}`, { name: grep.name }),
    assistant(r === 2 ? `Found: ${task.found}.` : "", [run]),
    toolResult(run.id, testRun(task.area, r), { name: run.name, status: r % 3 === 0 ? "error" : "ok" }),
  ]
}

/** The whole chat: each task is a question, some rounds of parallel tool calls, and an answer. */
export const story: ReadonlyArray<Message> = TASKS.flatMap((task, t) => [
  user(task.ask),
  ...[0, 1, 2, 3, 4].flatMap((r) => round(task, t, r)),
  assistant(task.done),
])

/** The system prompt of the agent. */
export const SYSTEM =
  "You are a careful coding agent. You read before you write, and you test what you change."
