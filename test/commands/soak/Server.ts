/** A throw-away Postgres with `fsync` on, started and restarted by `.ci/postgres`. */
import { execFile } from "node:child_process"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { projectRoot } from "../Root.ts"

export interface Server {
  readonly url: string
  /** Takes it down as a crash would, and starts it again. */
  readonly crash: () => Promise<void>
  readonly stop: () => Promise<void>
}

const run = (port: number, words: ReadonlyArray<string>): Promise<string> =>
  new Promise((resolve, reject) => {
    const env = {
      ...process.env,
      PG_HOME: join(tmpdir(), `palimpsest-soak-${port}`),
      PG_PORT: String(port),
      PG_FSYNC: "on",
    }
    execFile(join(projectRoot, ".ci/postgres"), words, { env }, (error, stdout, stderr) =>
      error === null
        ? resolve(stdout.trim())
        : reject(new Error(`.ci/postgres ${words.join(" ")}: ${stderr}`)),
    )
  })

/** Starts one on a port, with nothing in it. */
export const startServer = async (port: number): Promise<Server> => {
  await run(port, ["stop"])
  const url = await run(port, ["start"])
  return {
    url,
    crash: async () => void (await run(port, ["restart", "immediate"])),
    stop: async () => void (await run(port, ["stop"])),
  }
}
