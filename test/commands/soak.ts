import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { clientUrl, layer } from "@palimpsest/adapter-pg"
import type { Row } from "@palimpsest/core"
import { type Page, ThreadStore } from "@palimpsest/core/engine"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { type Command, misused, numbersOf, progress, requestOf, table } from "./Command.ts"
import { type Fault, type Final, faultsOf } from "./soak/Check.ts"
import { startFleet } from "./soak/Fleet.ts"
import { allNotes, hasNotes, type Note } from "./soak/Notes.ts"
import { batchOf } from "./soak/Script.ts"
import { type Server, startServer } from "./soak/Server.ts"

const command: Command = {
  name: "soak",
  summary:
    "Kills workers (kill -9) under load against a Postgres of its own with fsync on, takes the server down in the middle\nas a crash would, and counts what was acknowledged and is lost, and what is there twice.",
  options: {
    minutes: { value: "N", help: "how long, such as 0.5; 5 when not given" },
    workers: { value: "N", help: "processes at once; 6 when not given" },
    chats: { value: "N", help: "threads that they share; 4 when not given" },
    restarts: { value: "N", help: "crashes of the server, evenly spread; 1 when not given" },
    port: { value: "N", help: "of the server; 15820 when not given" },
    sabotage: { help: "forges an acknowledgement and writes a row twice before it counts: must end with 1" },
  },
  exits: "Ends with 1 when anything is lost, doubled or torn, with 2 on a mistake in the options.",
}

/** Milliseconds between two kills, give or take a half. */
const PAUSE = 700

const minutesOf = (request: ReturnType<typeof requestOf>): number => {
  const text = request.values.minutes?.at(-1) ?? "5"
  const minutes = /^\d{1,4}(\.\d+)?$/.test(text) ? Number(text) : Number.NaN
  return minutes > 0 ? minutes : misused(command, `--minutes takes a number above 0, not ${text}`)
}

interface Plan {
  readonly minutes: number
  readonly workers: number
  readonly chats: number
  readonly restarts: number
}

/** Load, kills and crashes, until the time is over. */
const harm = async (server: Server, folder: string, plan: Plan) => {
  const fleet = startFleet(
    plan.workers,
    (worker, life) => [server.url, folder, String(worker), String(life), String(plan.chats)],
    (worker, life) => hasNotes(folder, worker, life),
  )
  const start = performance.now()
  const whole = plan.minutes * 60_000
  let restarts = 0
  for (let spent = performance.now() - start; spent < whole; spent = performance.now() - start) {
    progress(`${Math.round(spent / 1000)} s, ${fleet.kills()} kills, ${restarts} crashes of the server`)
    if (restarts < plan.restarts && spent > (whole * (restarts + 1)) / (plan.restarts + 1)) {
      await server.crash()
      restarts += 1
    } else fleet.killOne()
    await sleep(PAUSE * (0.5 + Math.random()))
  }
  await fleet.end()
  progress("")
  return { kills: fleet.kills(), restarts, ended: fleet.ended }
}

const chatsOf = ({ chats }: Plan): ReadonlyArray<string> =>
  Array.from({ length: chats }, (_, i) => `chat${i}`)

const readThread = Effect.fnUntraced(function* (chat: string) {
  const store = yield* ThreadStore
  const rows: Array<Row> = []
  const unreadable: Array<Fault> = []
  for (let from: number | null = 0; from !== null; ) {
    const { faults, next, rows: more }: Page = yield* store.page({ tenant: "soak", chat }, from, 1_000)
    rows.push(...more)
    unreadable.push(
      ...faults.map(({ row, reason }) => ({ kind: "lost" as const, chat, what: `${row}: ${reason}` })),
    )
    from = next
  }
  return { chat, rows, unreadable }
})

/** What the count must find: a row that nobody stored, and one that is there twice. */
const sabotage = (chat: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql.unsafe(`insert into palimpsest_messages (tenant, chat, position, id, payload, tokens, tokenizer)
      select tenant, chat, 1000000, 'twice', payload, tokens, tokenizer
      from palimpsest_messages where chat = '${chat}' order by position limit 1`)
    yield* sql.unsafe(
      `update palimpsest_chats set next_position = 1000001 where tenant = 'soak' and chat = '${chat}'`,
    )
  })

const readAll = (url: string, plan: Plan, isSabotaged: boolean) => {
  const client = clientUrl({ url, maxConnections: 1 })
  return Effect.runPromise(
    Effect.gen(function* () {
      if (isSabotaged) yield* sabotage("chat0")
      return yield* Effect.forEach(chatsOf(plan), readThread)
    }).pipe(Effect.provide(Layer.provideMerge(layer, client))),
  )
}

const KINDS = [
  "lost",
  "doubled",
  "torn",
  "altered",
  "unknown",
  "order",
  "chain",
  "cover",
  "budget",
  "worker",
] as const

const countsOf = (threads: ReadonlyArray<Final>, notes: ReadonlyArray<Note>) => {
  const rows = threads.flatMap((thread) => thread.rows)
  const tagged = <T extends Note["_tag"]>(tag: T) =>
    notes.filter((note): note is Extract<Note, { readonly _tag: T }> => note._tag === tag)
  const acknowledged = new Set(tagged("Stored").flatMap(({ batches }) => batches))
  const tried = new Set(tagged("Tried").map(({ batch }) => batch))
  const idsIn = (names: ReadonlySet<string>) =>
    [...names].reduce((sum, name) => sum + (batchOf(name)?.inputs.length ?? 0), 0)
  return {
    steps: tagged("Step").length,
    prompts: tagged("Prompted").length,
    tried: idsIn(tried),
    acknowledged: idsIn(acknowledged),
    stored: rows.filter((row) => row.kind === "message").length,
    summaries: rows.filter((row) => row.kind === "summary").length,
    byModel: rows.filter((row) => row.kind === "summary" && row.pass.outcome === "model").length,
    prunes: rows.filter((row) => row.kind === "prune").length,
    resets: rows.filter((row) => row.kind === "reset").length,
    recalls: rows.filter((row) => row.kind === "recall").length,
    marksAcknowledged: new Set(tagged("Marked").map(({ id }) => id)).size,
    waits: tagged("Waited").length,
  }
}

const main = async (): Promise<void> => {
  const request = requestOf(command)
  const number = (option: string, otherwise: number) =>
    numbersOf(command, request, option).at(-1) ?? otherwise
  const plan: Plan = {
    minutes: minutesOf(request),
    workers: number("workers", 6),
    chats: number("chats", 4),
    restarts: number("restarts", 1),
  }
  if (plan.workers === 0 || plan.chats === 0) misused(command, "there must be a worker and a chat")
  const isSabotaged = "sabotage" in request.values
  const folder = mkdtempSync(join(tmpdir(), "palimpsest-soak-notes-"))
  const server = await startServer(number("port", 15_820))
  try {
    const harmed = await harm(server, folder, plan)
    const forged: ReadonlyArray<Note> = isSabotaged
      ? [{ _tag: "Stored", chat: "chat0", batches: ["forged.0"] }]
      : []
    const notes = [...allNotes(folder), ...forged]
    const threads = await readAll(server.url, plan, isSabotaged)
    const faults = threads.flatMap((thread) => [...faultsOf(thread, notes), ...thread.unreadable])
    const counts = { ...countsOf(threads, notes), kills: harmed.kills, restarts: harmed.restarts }
    const byKind = Object.fromEntries(
      KINDS.map((kind) => [kind, faults.filter((fault) => fault.kind === kind).length]),
    )
    console.log(table(Object.entries({ ...counts, ...byKind }).map(([name, n]) => [name, String(n)])))
    for (const { kind, chat, what } of faults.slice(0, 20)) console.log(`${kind} in ${chat}: ${what}`)
    for (const line of harmed.ended.slice(0, 5)) console.log(line)
    const isIdle = counts.acknowledged === 0 || counts.summaries === 0 || counts.kills === 0
    if (isIdle) console.log("nothing was shown: no row was acknowledged, no summary made or nobody killed")
    console.log(
      `\n${counts.acknowledged} rows acknowledged in ${plan.minutes} min, ${counts.kills} kills, ${counts.restarts} crashes of the server: ${byKind.lost} lost, ${byKind.doubled} doubled, ${faults.length} faults`,
    )
    const isBad = faults.length > 0 || harmed.ended.length > 0 || isIdle
    if (request.json)
      console.log(
        JSON.stringify({ command: "soak", ...plan, counts, faults: byKind, first: faults.slice(0, 20) }),
      )
    process.exitCode = isBad ? 1 : 0
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

await main()
