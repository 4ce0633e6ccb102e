/**
 * Leases of paid work, by the clock of the database.
 *
 * @since 0.1.0
 */
import type { ThreadKey } from "@palimpsest/core"
import type { Lease } from "@palimpsest/core/engine"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import * as SqlSchema from "effect/sql/SqlSchema"
import { liveChat, makeBeside, makeRefuseRemoved } from "./Lock.ts"
import { Key } from "./Rows.ts"
import { PgText } from "./Text.ts"

const Named = { ...Key.fields, name: PgText, holder: PgText }

/** A hundred years: what is longer is no time at all for a database. */
const LONGEST_MILLIS = 3_155_760_000_000

const within = (millis: number): number =>
  Number.isNaN(millis) ? 0 : Math.max(-LONGEST_MILLIS, Math.min(LONGEST_MILLIS, millis))

/**
 * Makes `claim`: one statement, whose row goes to the first who asks, to who has it, or to anybody after its time.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeClaim = (sql: SqlClient) => {
  const beside = makeBeside(sql)
  const take = SqlSchema.findAll({
    Request: Schema.Struct({ ...Named, millis: Schema.Finite }),
    Result: Schema.Struct({ there: Schema.Boolean, got: Schema.Boolean }),
    execute: ({ name, holder, millis, ...key }) => {
      const until = sql`clock_timestamp() + ${millis}::float8 * interval '1 millisecond'`
      return sql`
        with ${liveChat(sql, key)},
        put as (
          insert into palimpsest_leases as held (tenant, chat, name, holder, until)
          select tenant, chat, ${name}, ${holder}, ${until} from live
          on conflict (tenant, chat, name) do update set holder = excluded.holder, until = ${until}
            where held.holder = excluded.holder or held.until <= clock_timestamp()
          returning 1)
        select exists (select from live) as there, exists (select from put) as got`
    },
  })
  return (key: ThreadKey, { name, holder }: Lease, millis: number) =>
    Effect.map(beside("claim", key, take({ ...key, name, holder, millis: within(millis) })), ({ got }) => got)
}

/**
 * Makes `release`.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeRelease = (sql: SqlClient) => {
  const refuseRemoved = makeRefuseRemoved(sql)
  const give = SqlSchema.findAll({
    Request: Schema.Struct(Named),
    Result: Schema.Struct({ gone: Schema.Boolean }),
    execute: ({ tenant, chat, name, holder }) => sql`
      delete from palimpsest_leases
      where tenant = ${tenant} and chat = ${chat} and name = ${name} and holder = ${holder}
      returning true as gone`,
  })
  return Effect.fnUntraced(function* (key: ThreadKey, lease: Lease) {
    const gone = yield* give({ ...key, ...lease })
    if (gone.length === 0) yield* refuseRemoved("release", key)
  })
}
