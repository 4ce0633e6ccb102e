/**
 * A PGlite instance as the stream of a wire client: bytes in, bytes out, no socket.
 *
 * @since 0.1.0
 */
import { Buffer } from "node:buffer"
import { Duplex } from "node:stream"
import type { PGlite } from "@electric-sql/pglite"

const CANCEL_REQUEST = 80_877_102
const SSL_REQUEST = 80_877_103
const TERMINATE = 0x58

/** Cuts whole messages off what has come in; the first of a connection has no type byte. */
class Frames {
  #rest: Buffer = Buffer.alloc(0)
  started = false

  push(chunk: Buffer): void {
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
  }

  next(): Buffer | null {
    const head = this.started ? 1 : 0
    if (this.#rest.length < head + 4) return null
    const length = head + this.#rest.readInt32BE(head)
    if (this.#rest.length < length) return null
    const message = this.#rest.subarray(0, length)
    this.#rest = this.#rest.subarray(length)
    return message
  }
}

/** What PGlite itself must not see is answered here; the rest is returned. */
const admit = (frames: Frames, message: Buffer, answer: (bytes: string | null) => void): Buffer | null => {
  if (frames.started) {
    if (message[0] !== TERMINATE) return message
    answer(null)
    return null
  }
  const code = message.readInt32BE(4)
  if (code === SSL_REQUEST) answer("N")
  else if (code === CANCEL_REQUEST) answer(null)
  else {
    frames.started = true
    return message
  }
  return null
}

/**
 * Opens a stream to a PGlite instance. It has one session: open one at a time.
 *
 * @category constructors
 * @since 0.1.0
 */
export const pgliteStream = (db: PGlite) => (): Duplex => {
  const frames = new Frames()
  const duplex = new Duplex({
    read() {},
    final(done) {
      duplex.push(null)
      done()
    },
    write(chunk: Buffer, _encoding, done) {
      frames.push(chunk)
      const ready: Array<Buffer> = []
      for (let message = frames.next(); message !== null; message = frames.next()) {
        const admitted = admit(frames, message, (bytes) => duplex.push(bytes))
        if (admitted !== null) ready.push(admitted)
      }
      if (ready.length === 0) return done()
      const onRawData = (bytes: Uint8Array) => void duplex.push(Buffer.from(bytes))
      db.runExclusive(() => db.execProtocolRawStream(Buffer.concat(ready), { onRawData })).then(
        () => done(),
        (cause: unknown) => done(cause instanceof Error ? cause : new Error(String(cause))),
      )
    },
  })
  return duplex
}
