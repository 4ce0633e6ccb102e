import { type ChildProcess, fork } from "node:child_process"
import { join } from "node:path"

/** A process of our own that answers messages one by one. */
export interface Child {
  readonly ask: <A>(message: unknown) => Promise<A>
  readonly end: () => void
}

const failed = (answer: unknown): string | null =>
  typeof answer === "object" && answer !== null && "error" in answer ? String(answer.error) : null

const listen = <A>(child: ChildProcess, name: string): Promise<A> =>
  new Promise((resolve, reject) => {
    const stop = () => {
      child.off("message", onMessage)
      child.off("exit", onExit)
    }
    const onMessage = (answer: unknown) => {
      stop()
      const error = failed(answer)
      if (error === null) resolve(answer as A)
      else reject(new Error(error))
    }
    const onExit = (code: number | null) => {
      stop()
      reject(new Error(`${name} ended with ${code}`))
    }
    child.on("message", onMessage)
    child.on("exit", onExit)
  })

/** Starts a compiled module of this folder as a process: its first message says that it is ready. */
export const startChild = (name: string, words: ReadonlyArray<string> = []): Child => {
  const child = fork(join(import.meta.dirname, `${name}.js`), [...words], { serialization: "advanced" })
  const ready = listen(child, name)
  return {
    ask: async (message) => {
      await ready
      const answer = listen<never>(child, name)
      child.send(message as object)
      return answer
    },
    end: () => void child.disconnect(),
  }
}
