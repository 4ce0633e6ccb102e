/** Worker processes that are killed and replaced. */
import { type ChildProcess, spawn } from "node:child_process"
import { join } from "node:path"

export interface Fleet {
  /** `kill -9` of the next worker that has begun its work: another takes its place. */
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

/**
 * Starts so many workers, each given the words after its own number and the number of its life. On a busy machine a
 * process takes some seconds to start: `hasBegun` tells whose death would be one of a worker at work.
 */
export const startFleet = (
  size: number,
  wordsOf: (worker: number, life: number) => ReadonlyArray<string>,
  hasBegun: (worker: number, life: number) => boolean,
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
      const inTurn = Array.from({ length: size }, (_, i) => (next + i) % size)
      const atWork = inTurn.filter((one) => hasBegun(one, (lives[one] ?? 1) - 1))
      const [worker] = atWork
      // Where processes start slowly, load matters more than the number of deaths.
      if (worker === undefined || atWork.length < size / 2) return
      next = worker + 1
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
