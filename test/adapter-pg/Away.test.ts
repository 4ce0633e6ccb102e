import { createServer, type Socket } from "node:net"
import { layerUrl } from "@palimpsest/adapter-pg"
import { ThreadStore } from "@palimpsest/core/engine"
import { Effect } from "effect"
import { assert, describe, it } from "vitest"

const SSL_REQUEST = 80_877_103

/** A server that takes connections and turns each away with one state. */
const turningAway = (code: string) => {
  const fields = `SFATAL\0VFATAL\0C${code}\0Mnot now\0\0`
  const answer = Buffer.concat([Buffer.from("E"), Buffer.alloc(4), Buffer.from(fields)])
  answer.writeInt32BE(answer.length - 1, 1)
  let connections = 0
  const server = createServer((socket: Socket) => {
    connections += 1
    socket.on("error", () => undefined)
    socket.on("data", (bytes) =>
      bytes.length >= 8 && bytes.readInt32BE(4) === SSL_REQUEST ? socket.write("N") : socket.end(answer),
    )
  })
  const listening = new Promise<number>((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      resolve(typeof address === "object" && address !== null ? address.port : 0)
    })
  })
  return { listening, connections: () => connections, close: () => server.close() }
}

const errorOf = async (code: string) => {
  const server = turningAway(code)
  const url = `postgres://postgres@127.0.0.1:${await server.listening}/postgres`
  const error = await Effect.runPromise(Effect.flip(Effect.provide(ThreadStore, layerUrl({ url }))))
  server.close()
  return { error, connections: server.connections() }
}

describe("a server that is there, and not ready", () => {
  it.each([
    ["57P03", "starting up"],
    ["53300", "no more connections"],
  ])("%s is waited for, and told as what may be tried again", async (code, reason) => {
    const { error, connections } = await errorOf(code)
    assert.isTrue(error.isRetryable)
    assert.include(error.reason, reason)
    assert.isAbove(connections, 5)
  })

  it("3D000, a database that does not exist, is not waited for", async () => {
    const { error, connections } = await errorOf("3D000")
    assert.isFalse(error.isRetryable)
    assert.strictEqual(connections, 1)
  })
})
