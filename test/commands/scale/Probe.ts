import { Data, Effect, Ref } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Connection } from "effect/sql/SqlConnection"
import { type Node, planOf } from "./Plan.ts"

/** How the server plans: with the values of this call, or once for all calls, as for a prepared statement. */
export type Planning = "custom" | "generic"

/** A statement that ran, with what it answered and its plan at that moment. */
export interface Seen {
  /** The method of a port that ran it. */
  readonly operation: string
  readonly text: string
  /** Rows and bytes that it answered. */
  readonly answered: number
  readonly bytes: number
  readonly plan: Node
}

/** Carries what was seen out of a transaction that is rolled back. */
class Undo extends Data.TaggedError("Undo")<{ readonly seen: ReadonlyArray<Seen> }> {}

const bytesOf = (value: unknown): number =>
  typeof value === "string" ? Buffer.byteLength(value) : value === null ? 0 : 8

const rowBytes = (row: unknown): number =>
  Object.values(row as object).reduce((sum: number, value) => sum + bytesOf(value), 0)

const isData = (text: string): boolean => /^\s*(with|select|insert|update|delete)\b/i.test(text)

/** The span of a port's method that is open. */
const operation = Effect.gen(function* () {
  let span = yield* Effect.option(Effect.currentParentSpan)
  for (;;) {
    if (span._tag === "None" || span.value._tag !== "Span") return "?"
    if (span.value.name.startsWith("Pg")) return span.value.name
    span = span.value.parent
  }
})

const quoted = (value: unknown): string =>
  value === null || value === undefined
    ? "null"
    : typeof value === "string"
      ? `'${value.replaceAll("'", "''")}'`
      : String(value)

/** The types that the client gives to parameters: none to a text. */
const typeOf = (value: unknown): string => {
  if (typeof value === "boolean") return "bool"
  if (typeof value !== "number") return "unknown"
  if (!Number.isInteger(value)) return "float8"
  return Math.abs(value) < 2 ** 31 ? "int4" : "int8"
}

const EXPLAIN = "explain (analyze, buffers, format json)"

const explain = (conn: Connection, planning: Planning, text: string, params: ReadonlyArray<unknown>) => {
  const run = (sql: string, values: ReadonlyArray<unknown> = []) =>
    conn.executeUnprepared(sql, values, undefined)
  if (planning === "custom" || params.length === 0) return run(`${EXPLAIN} ${text}`, params)
  return Effect.gen(function* () {
    yield* run(`prepare palimpsest_probe (${params.map(typeOf).join(", ")}) as ${text}`)
    const answer = yield* run(`${EXPLAIN} execute palimpsest_probe (${params.map(quoted).join(", ")})`)
    yield* run("deallocate palimpsest_probe")
    return answer
  })
}

/** The plan of a statement as it would run now; what the statement writes is taken back. */
const planNow = (conn: Connection, planning: Planning, text: string, params: ReadonlyArray<unknown>) =>
  Effect.gen(function* () {
    const control = (sql: string) => conn.executeUnprepared(sql, [], undefined)
    yield* control("savepoint palimpsest_probe")
    const [row] = yield* explain(conn, planning, text, params)
    yield* control("rollback to savepoint palimpsest_probe")
    yield* control("release savepoint palimpsest_probe")
    const plan = planOf((row as Readonly<Record<string, unknown>> | undefined)?.["QUERY PLAN"])
    return plan ?? (yield* Effect.die(`no plan of ${text}`))
  })

const watched = (conn: Connection, planning: Planning, seen: Ref.Ref<ReadonlyArray<Seen>>): Connection => ({
  execute: (text, params, transform) =>
    isData(text)
      ? Effect.gen(function* () {
          const plan = yield* planNow(conn, planning, text, params)
          const rows = yield* conn.execute(text, params, transform)
          const bytes = rows.reduce((sum, row) => sum + rowBytes(row), 0)
          const one = { operation: yield* operation, text, answered: rows.length, bytes, plan }
          yield* Ref.update(seen, (all) => [...all, one])
          return rows
        })
      : conn.execute(text, params, transform),
  executeRaw: (text, params) => conn.executeRaw(text, params),
  executeStream: (text, params, transform) => conn.executeStream(text, params, transform),
  executeValues: (text, params) => conn.executeValues(text, params),
  executeValuesUnprepared: (text, params) => conn.executeValuesUnprepared(text, params),
  executeUnprepared: (text, params, transform) => conn.executeUnprepared(text, params, transform),
})

/** Runs something in a transaction, explains each of its statements where it stands, and takes all of it back. */
export const probe = <A, E, R>(sql: SqlClient, planning: Planning, work: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const seen = yield* Ref.make<ReadonlyArray<Seen>>([])
    const inside = Effect.gen(function* () {
      const transaction = yield* Effect.serviceOption(sql.transactionService)
      if (transaction._tag === "None") return yield* Effect.die("a transaction has a connection")
      const [conn, depth] = transaction.value
      if (planning === "generic") yield* sql.unsafe("set local plan_cache_mode = force_generic_plan")
      yield* Effect.provideService(work, sql.transactionService, [watched(conn, planning, seen), depth])
      return yield* new Undo({ seen: yield* Ref.get(seen) })
    })
    return yield* Effect.catch(sql.withTransaction(inside), (error) =>
      error instanceof Undo ? Effect.succeed(error.seen) : Effect.fail(error as Exclude<typeof error, Undo>),
    )
  })
