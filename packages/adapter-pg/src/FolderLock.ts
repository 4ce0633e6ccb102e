/**
 * A lock beside a data folder: two processes on one PGlite folder lose rows without a word.
 *
 * @since 0.1.0
 */
import { randomUUID } from "node:crypto"
import { linkSync, mkdirSync, readFileSync, renameSync, unlinkSync, writeFileSync } from "node:fs"
import { hostname } from "node:os"
import { dirname, resolve } from "node:path"
import process from "node:process"
import { StoreError } from "@palimpsest/core/engine"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

interface Holder {
  readonly pid: number
  readonly host: string
  /** Start of the process where the system tells it: a pid is used again, and is always 1 in a container. */
  readonly started: string
  readonly token: string
}

/** Locks held by this process: its own pid on a file proves nothing after a restart under the same pid. */
const held = new Set<string>()

const startOf = (pid: number): string => {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ")[19] ?? ""
  } catch {
    return ""
  }
}

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === "EPERM"
  }
}

const parseHolder = (text: string): Holder | null => {
  try {
    const value = JSON.parse(text) as Partial<Holder> | null
    return typeof value?.pid === "number"
      ? { host: "", started: "", token: "", ...value, pid: value.pid }
      : null
  } catch {
    return null
  }
}

const isLive = (holder: Holder): boolean => {
  if (held.has(holder.token)) return true
  if (holder.host !== hostname()) return true
  if (holder.pid === process.pid) return false
  return isRunning(holder.pid) && (holder.started === "" || holder.started === startOf(holder.pid))
}

const refuse = (folder: string, file: string, holder: Holder): StoreError =>
  new StoreError({
    operation: "open folder",
    reason:
      `${folder} is in use by process ${holder.pid} on ${holder.host}: stop it, or let both use a Postgres server; ` +
      `delete ${file} if that process is gone`,
    isRetryable: false,
  })

const tryRead = (file: string): string | null => {
  try {
    return readFileSync(file, "utf8")
  } catch {
    return null
  }
}

/** Puts the own file in place in one step; false when there is one already. */
const tryLink = (own: string, file: string): boolean => {
  try {
    linkSync(own, file)
    return true
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "EEXIST") return false
    throw cause
  }
}

/** Moves a dead holder's file away; when another process took over in between, its file is put back. */
const clearStale = (file: string, seen: string, token: string): void => {
  const aside = `${file}.${token}.stale`
  try {
    renameSync(file, aside)
  } catch {
    return
  }
  if (tryRead(aside) !== seen) tryLink(aside, file)
  unlinkSync(aside)
}

const take = (folder: string): { readonly file: string; readonly token: string } | StoreError => {
  const file = `${folder}.lock`
  const token = randomUUID()
  const own = `${file}.${token}`
  mkdirSync(dirname(folder), { recursive: true })
  const holder: Holder = { pid: process.pid, host: hostname(), started: startOf(process.pid), token }
  writeFileSync(own, JSON.stringify(holder))
  try {
    for (;;) {
      if (tryLink(own, file)) {
        held.add(token)
        return { file, token }
      }
      const seen = tryRead(file)
      const other = seen === null ? null : parseHolder(seen)
      if (other !== null && isLive(other)) return refuse(folder, file, other)
      if (seen !== null) clearStale(file, seen, token)
    }
  } finally {
    unlinkSync(own)
  }
}

const release = (lock: { readonly file: string; readonly token: string }): void => {
  held.delete(lock.token)
  if (parseHolder(tryRead(lock.file) ?? "")?.token === lock.token) unlinkSync(lock.file)
}

/**
 * Holds the lock of a data folder while the scope is open. The lock of a dead process is taken over; a live one is
 * refused, with its pid.
 *
 * @category constructors
 * @since 0.1.0
 */
export const lockFolder = (path: string): Effect.Effect<void, StoreError, Scope.Scope> => {
  const folder = resolve(path)
  const acquire = Effect.try({
    try: () => take(folder),
    catch: (cause) =>
      new StoreError({
        operation: "open folder",
        reason: `${folder} cannot be locked: check that its parent can be written`,
        isRetryable: false,
        cause,
      }),
  }).pipe(Effect.flatMap((lock) => (lock instanceof StoreError ? Effect.fail(lock) : Effect.succeed(lock))))
  return Effect.asVoid(Effect.acquireRelease(acquire, (lock) => Effect.sync(() => release(lock))))
}
