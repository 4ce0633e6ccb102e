/** Worker processes that are killed and replaced. */
import { type ChildProcess, spawn } from "node:child_process"
import { join } from "node:path"

export interface Fleet {
  /** `kill -9` of one worker, another takes its place. */
  readonly killOne: () => void
  /** `kill -9` of all of them, and nobody takes their place. */
  readonly end: () => Promise<void>
  readonly kills: () => number
  /** What workers that ended by themselves said: none may. */
  readonly ended: ReadonlyArray<string>
}

interface Slot {
  readonly process: ChildProcess
  readonly gone: Promise<void>
}

/** Starts so many workers, each given the words after its own number and the number of its life. */
export const startFleet = (
  size: number,
  wordsOf: (worker: number, life: number) => ReadonlyArray<string>,
): Fleet => {
  const ended: Array<string> = []
  const lives = Array.from({ length: size }, () => 0)
  const killed = new WeakSet<ChildProcess>()
  let kills = 0
  let next = 0
  const start = (worker: number): Slot => {
    const life = lives[worker] ?? 0
    lives[worker] = life + 1
    const path = join(import.meta.dirname, "Worker.js")
    const child = spawn(process.execPath, [path, ...wordsOf(worker, life)], {
      stdio: ["ignore", "ignore", "pipe"],
    })
    let said = ""
    child.stderr?.on("data", (bytes: Buffer) => {
      said = (said + bytes.toString()).slice(-2_000)
    })
    const gone = new Promise<void>((resolve) => {
      child.on("exit", (code) => {
        if (!killed.has(child)) ended.push(`worker ${worker} ended with ${code}: ${said}`)
        resolve()
      })
    })
    return { process: child, gone }
  }
  const slots = Array.from({ length: size }, (_, worker) => start(worker))
  const kill = ({ process: child }: Slot): void => {
    killed.add(child)
    child.kill("SIGKILL")
    kills += 1
  }
  return {
    killOne: () => {
      // In turn, so that each lives long enough to start.
      const worker = next++ % size
      const slot = slots[worker]
      if (slot !== undefined) kill(slot)
      slots[worker] = start(worker)
    },
    end: async () => {
      for (const slot of slots) kill(slot)
      await Promise.all(slots.map(({ gone }) => gone))
    },
    kills: () => kills,
    ended,
  }
}
