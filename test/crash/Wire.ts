/** A wire between a process and its server that is cut in the middle of a message of the process. */
import { type AddressInfo, connect, createServer, type Socket } from "node:net"

/** Cuts whole messages off what a client has sent; the first of a connection has no type byte. */
const makeFrames = () => {
  let rest: Buffer = Buffer.alloc(0)
  let isStarted = false
  return (chunk: Buffer): ReadonlyArray<Buffer> => {
    rest = Buffer.concat([rest, chunk])
    const found: Array<Buffer> = []
    for (;;) {
      const head = isStarted ? 1 : 0
      if (rest.length < head + 4) return found
      const length = head + rest.readInt32BE(head)
      if (rest.length < length) return found
      found.push(rest.subarray(0, length))
      rest = rest.subarray(length)
      isStarted = true
    }
  }
}

export interface Wire {
  readonly port: number
  /** Counts from 0 again, and cuts at the message of this number, once. */
  readonly arm: (at: number | null, onCut: () => void) => void
  readonly messages: () => number
  readonly close: () => void
}

/** Starts one in front of a server. */
export const startWire = (host: string, port: number): Promise<Wire> => {
  let count = 0
  let cutAt: number | null = null
  let onCut = () => {}
  const open = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect(port, host)
    const frames = makeFrames()
    for (const socket of [client, upstream]) {
      socket.setNoDelay(true)
      open.add(socket)
      socket.on("error", () => undefined)
      socket.on("close", () => {
        open.delete(socket)
        client.destroy()
        upstream.destroy()
      })
    }
    client.on("data", (chunk) => {
      for (const frame of frames(chunk)) {
        count += 1
        if (count !== cutAt) {
          upstream.write(frame)
          continue
        }
        onCut()
        // What was sent before it reaches the server, and half of it.
        upstream.end(frame.subarray(0, Math.ceil(frame.length / 2)))
        client.destroy()
        return
      }
    })
    upstream.on("data", (bytes) => client.write(bytes))
  })
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address() as AddressInfo
      resolve({
        port: address.port,
        arm: (at, cut) => {
          count = 0
          cutAt = at
          onCut = cut
        },
        messages: () => count,
        close: () => {
          server.close()
          for (const socket of open) socket.destroy()
        },
      })
    })
  })
}
