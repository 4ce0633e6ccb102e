/** A process that is one worker of a history on Postgres: it has connections of its own, and runs as fast as it can. */
import { type KnownMessages, playWorker, type Script } from "@palimpsest/core/testing"
import { openDatabase } from "./Postgres.ts"

/** One part of a history. */
export interface Job {
  readonly script: Script
  readonly number: number
  readonly tenant: string
  readonly known: KnownMessages
}

/** Microseconds of a clock that all processes of a machine share. */
const now = (): number => Number(process.hrtime.bigint() / 1_000n)

const [url = ""] = process.argv.slice(2)
const database = await openDatabase(url, 2)

process.on("message", ({ script, number, tenant, known }: Job) => {
  playWorker(script, number, { place: database.place, tenant, now }, known).then(
    (story) => process.send?.(story),
    (error: unknown) => process.send?.({ error: error instanceof Error ? error.stack : String(error) }),
  )
})
process.on("disconnect", () => void database.close().finally(() => process.exit()))
process.send?.("ready")
