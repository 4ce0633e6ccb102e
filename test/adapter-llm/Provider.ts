/** A chat-completions server on loopback that answers, or fails, as it is told. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { afterEach } from "vitest"

export interface Seen {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: {
    readonly model: string
    readonly messages: ReadonlyArray<{ readonly role: string; readonly content: unknown }>
    readonly [field: string]: unknown
  }
  readonly at: number
}

export type Reply = (response: ServerResponse) => void

export interface Provider {
  readonly url: string
  readonly seen: ReadonlyArray<Seen>
  /** How many connections were dropped by the client before they had their answer. */
  readonly aborted: () => number
  readonly close: () => Promise<void>
}

export const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Reply =>
  (response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers })
    response.end(JSON.stringify(body))
  }

/** A completion with these fields of its message. */
export const message = (fields: Record<string, unknown>, finish: string | null = "stop"): Reply =>
  json(200, {
    id: "chatcmpl-1",
    object: "chat.completion",
    model: "tiny-2026",
    choices: [{ index: 0, finish_reason: finish, message: { role: "assistant", content: null, ...fields } }],
    usage: {
      prompt_tokens: 321,
      completion_tokens: 45,
      total_tokens: 366,
      completion_tokens_details: { reasoning_tokens: 5 },
    },
  })

export const says = (content: string, finish?: string): Reply => message({ content }, finish)
export const answers = (value: unknown): Reply => says(JSON.stringify(value))
export const status = (code: number, headers: Record<string, string> = {}, error: unknown = {}): Reply =>
  json(code, { error }, headers)
export const garbage: Reply = (response) => {
  response.writeHead(200, { "content-type": "text/html" })
  response.end("<html>Please log in to the portal</html>")
}
export const hang: Reply = () => {}
export const reset: Reply = (response) => {
  response.socket?.resetAndDestroy()
}
export const cutBody: Reply = (response) => {
  response.writeHead(200, { "content-type": "application/json", "content-length": "5000" })
  response.write('{"id":"chatcmpl-1","choices":[{"mess', () => response.socket?.destroy())
}

/** Starts a server that gives these replies in turn; the last one stays. */
export const provider = async (...replies: ReadonlyArray<Reply>): Promise<Provider> => {
  const seen: Array<Seen> = []
  let aborted = 0
  const server = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    response.on("close", () => {
      if (!response.writableFinished) aborted++
    })
    request.on("end", () => {
      const reply = replies[Math.min(seen.length, replies.length - 1)]
      const body = JSON.parse(Buffer.concat(chunks).toString("utf8"))
      seen.push({ path: request.url ?? "", headers: request.headers, body, at: performance.now() })
      reply?.(response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    seen,
    aborted: () => aborted,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

/** Makes the opener of servers of a test file: they are closed after each test. */
export const providers = (): ((...replies: ReadonlyArray<Reply>) => Promise<Provider>) => {
  const open: Array<Provider> = []
  afterEach(async () => {
    await Promise.all(open.splice(0).map((server) => server.close()))
  })
  return async (...replies) => {
    const server = await provider(...replies)
    open.push(server)
    return server
  }
}
