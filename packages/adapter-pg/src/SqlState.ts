/**
 * What an error of a database means: in words, whether it passes, and what is to be done about it.
 *
 * @since 0.1.0
 */
import type { SqlError } from "effect/sql/SqlError"

/**
 * What to make of an error.
 *
 * @category models
 * @since 0.1.0
 */
export interface Verdict {
  readonly reason: string
  /** It may go well at another time, with nothing changed. */
  readonly isRetryable: boolean
  /**
   * How often it is worth to try again at once. `often`: it passes within moments. `once`: it may pass, and each try
   * costs the server as much as the first.
   */
  readonly again: "often" | "once" | "never"
  readonly remedy?: string
}

const passing = (reason: string, remedy?: string): Verdict => ({
  reason,
  isRetryable: true,
  again: "often",
  ...(remedy === undefined ? {} : { remedy }),
})

const slow = (reason: string, remedy: string): Verdict => ({
  reason,
  isRetryable: true,
  again: "once",
  remedy,
})

/** Passes when somebody does something, or after a while: nothing is gained by asking again at once. */
const later = (reason: string, remedy: string): Verdict => ({
  reason,
  isRetryable: true,
  again: "never",
  remedy,
})

const lasting = (reason: string, remedy: string): Verdict => ({
  reason,
  isRetryable: false,
  again: "never",
  remedy,
})

const gone = passing("the database cannot be reached, or the connection broke")
const unprepared = lasting(
  "a prepared statement is not where it was prepared",
  "Leave `prepare` off behind a pooler in transaction mode.",
)
const refused = lasting("the database refused the login", "Check the user and the password of the address.")

/** By SQLSTATE: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const BY_CODE: ReadonlyMap<string, Verdict> = new Map([
  ["25006", later("the database is read only", "Give the address of the primary, not of a standby.")],
  ["25P03", passing("the database ended a session that rested inside of a transaction")],
  ["25P04", slow("the database ended a transaction that took too long", "Raise its transaction_timeout.")],
  ["26000", unprepared],
  ["42P05", unprepared],
  ["28000", refused],
  ["28P01", refused],
  ["3D000", lasting("there is no such database", "Create it, with encoding UTF8.")],
  ["40001", passing("other transactions came in between, each time that it was tried")],
  ["40003", passing("the connection broke before the database said whether it was done")],
  ["40P01", passing("other transactions blocked this one, and it them")],
  [
    "42501",
    lasting("the role of this connection may not do this", "Grant it the rights, or connect as the owner."),
  ],
  [
    "42P01",
    lasting("the tables are missing", "Run the migrations, or check the search_path of this connection."),
  ],
  ["53100", later("the disk of the database is full", "Give it more room.")],
  ["53200", later("the database is out of memory", "Give it more memory, or fewer connections.")],
  [
    "53300",
    passing(
      "the database takes no more connections",
      "Lower `maxConnections`, put a pooler before it, or raise its limit.",
    ),
  ],
  ["55P03", passing("another transaction kept a lock for too long")],
  ["57P01", passing("the database is shutting down, or an administrator cut the connection")],
  ["57P02", passing("the database crashed, and starts again")],
  ["57P03", passing("the database is starting up, or shutting down")],
  ["57P05", passing("the database ended a session that rested")],
  [
    "57014",
    slow(
      "the database cancelled a statement: it took too long, or an administrator did so",
      "Raise the statement_timeout of this role, or look for who holds the lock of this chat.",
    ),
  ],
])

const BY_TAG: ReadonlyMap<string, Verdict> = new Map([
  ["ConnectionError", gone],
  ["AuthenticationError", refused],
  // Under serializable isolation it may stand for a serialization failure. Every operation looks before it writes.
  ["UniqueViolation", { reason: "two transactions wrote the same row", isRetryable: true, again: "once" }],
])

/**
 * Reads the SQLSTATE of an error; null when it did not come from the server.
 *
 * @category getters
 * @since 0.1.0
 */
export const sqlStateOf = ({ reason }: SqlError): string | null => {
  const { cause } = reason
  if (typeof cause !== "object" || cause === null || !("code" in cause)) return null
  return typeof cause.code === "string" && /^[0-9A-Z]{5}$/.test(cause.code) ? cause.code : null
}

/**
 * Tells what to make of an error of a database.
 *
 * @category getters
 * @since 0.1.0
 */
export const verdictOn = (error: SqlError): Verdict => {
  const code = sqlStateOf(error)
  const known = (code === null ? undefined : BY_CODE.get(code)) ?? BY_TAG.get(error.reason._tag)
  if (known !== undefined) return known
  const answer = code === null ? error.reason._tag : `${error.reason._tag} (SQLSTATE ${code})`
  const { isRetryable } = error.reason
  return { reason: `the database answered with ${answer}`, isRetryable, again: "never" }
}
