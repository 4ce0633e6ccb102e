import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { openDatabase } from "./scale/Database.ts"
import { faultsOf, scansOf, workOf } from "./scale/Plan.ts"
import { probe } from "./scale/Probe.ts"
import { askTheRest, takeStep } from "./scale/Steps.ts"
import { endOf, fillCrowd, restore, sizes, stopAutovacuum, vacuum } from "./scale/Tables.ts"
import { keyOf, makeTemplate, makeThread, type Spec } from "./scale/Threads.ts"

const url = process.argv[2]
const { runtime, close } = await openDatabase(url === "-" ? undefined : url)
const run = <A, E>(e: Effect.Effect<A, E, any>) => runtime.runPromise(e as any) as Promise<A>
const t0 = performance.now()
const tick = (s: string) => console.log(`${((performance.now() - t0) / 1000).toFixed(1)} s ${s}`)
try {
  const sql = await run(SqlClient)
  await run(stopAutovacuum(sql))
  await run(makeTemplate)
  tick("template")
  const chats = Number(process.argv[3] ?? 1000)
  const most = Number(process.argv[4] ?? 10000)
  const specs: Spec[] = []
  for (let rows = 100; rows <= most; rows *= 10) specs.push({ shape: "plain", rows, window: 60 })
  for (const shape of ["hidden", "rewound", "forked"] as const) specs.push({ shape, rows: 10000, window: 60 })
  for (const spec of specs) { await run(makeThread(spec)); tick(keyOf(spec).chat) }
  await run(fillCrowd(sql, chats)); tick("crowd")
  console.log(await run(sizes(sql)))
  const show = async (planning: "custom" | "generic") => {
    for (const spec of specs) {
      const key = keyOf(spec)
      for (const [name, work] of [["step", takeStep(key)], ["rest", askTheRest(key, 60)]] as const) {
        const seen = await run(probe(sql, planning, work as any))
        const sum = seen.reduce((s, x) => { const w = workOf(x.plan); return { rows: s.rows + w.rows, pages: s.pages + w.pages, answered: s.answered + x.answered, bytes: s.bytes + x.bytes } }, { rows: 0, pages: 0, answered: 0, bytes: 0 })
        console.log(planning, key.chat, name, seen.length, JSON.stringify(sum))
        for (const one of seen) {
          const faults = faultsOf(one.plan, 120)
          if (faults.length > 0 || process.env.ALL) console.log("   ", one.operation, JSON.stringify(workOf(one.plan)), one.text.replace(/\s+/g, " ").slice(0, 100), faults, scansOf(one.plan).join(", "))
          if (process.env.PLAN && faults.length>0) console.log(one.text, JSON.stringify(one.plan, null, 1))
        }
      }
    }
  }
  await show("custom"); tick("custom, no statistics")
  await show("generic"); tick("generic, no statistics")
  await run(vacuum(sql)); tick("vacuum")
  await show("custom"); tick("custom")
  await show("generic"); tick("generic")
  const times = new Map<string, number[]>()
  for (let i = 0; i < 20; i++) for (const spec of specs) {
    const key = keyOf(spec)
    const end = await run(endOf(sql, key))
    const t = performance.now()
    await run(takeStep(key))
    const d = performance.now() - t
    if (i >= 4) times.set(key.chat, [...(times.get(key.chat) ?? []), d])
    await run(restore(sql, key, end))
  }
  for (const [k, v] of times) console.log(k, v.sort((a, b) => a - b)[v.length >> 1]?.toFixed(2))
  tick("timed")
} finally {
  await close()
}
