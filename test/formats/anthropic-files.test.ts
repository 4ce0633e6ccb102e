/** Every recorded file that holds messages of the Messages API: read and written the same, and repaired. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { type AnthropicRequest, anthropic } from "@palimpsest/core/formats/anthropic"
import { describe, expect, it } from "vitest"

const ROOT = join(import.meta.dirname, "../../../shared/transcripts")

const filesIn = (folder: string): ReadonlyArray<string> => {
  const path = join(ROOT, folder)
  return existsSync(path) ? readdirSync(path).map((name) => join(path, name)) : []
}

type Fields = { readonly [key: string]: unknown }

const isFields = (value: unknown): value is Fields => typeof value === "object" && value !== null

const jsonLines = (file: string): ReadonlyArray<Fields> =>
  readFileSync(file, "utf8")
    .split("\n")
    .flatMap((line): ReadonlyArray<Fields> => {
      try {
        const value: unknown = JSON.parse(line.replace(/^data: /, ""))
        return isFields(value) ? [value] : []
      } catch {
        return []
      }
    })

/** The messages of a session of Claude Code, in the order of its lines; side talks and notes of the program too. */
const sessionOf = (file: string): ReadonlyArray<Fields> =>
  jsonLines(file).flatMap(({ message }) =>
    isFields(message) && (message.role === "user" || message.role === "assistant")
      ? [{ role: message.role, content: message.content }]
      : [],
  )

/** The responses of a recorded stream: blocks as they were when they ended. */
const responsesOf = (file: string): ReadonlyArray<Fields> => {
  const responses: Array<{ role: string; content: Array<Fields> }> = []
  for (const { type, content_block: block, delta } of jsonLines(file)) {
    const content = responses.at(-1)?.content
    if (type === "message_start") responses.push({ role: "assistant", content: [] })
    if (type === "content_block_start" && isFields(block)) content?.push(block)
    const last = content?.at(-1)
    if (type !== "content_block_delta" || !isFields(delta) || last === undefined) continue
    if (typeof delta.text === "string") content?.splice(-1, 1, { ...last, text: `${last.text}${delta.text}` })
    if (typeof delta.content === "string") content?.splice(-1, 1, { ...last, content: delta.content })
  }
  return responses.filter(({ content }) => content.length > 0)
}

const sessions = filesIn("claude-code").map((file) => [file, sessionOf(file)] as const)
const streams = filesIn("provider-chunks")
  .filter((file) => file.includes("anthropic"))
  .map((file) => [file, responsesOf(file)] as const)

if (sessions.length === 0) console.log(`no recorded sessions in ${ROOT}: these tests do not run`)

const blocksOf = ({ messages }: AnthropicRequest, type: string): number =>
  messages
    .flatMap(({ content }) => (typeof content === "string" ? [] : content))
    .filter((block) => block.type === type).length

describe.skipIf(sessions.length === 0)("recorded messages of the Messages API", () => {
  for (const [file, messages] of [...sessions, ...streams])
    it(`${file.split("/").at(-1)} is read and written the same, and repaired`, () => {
      expect(messages.length).toBeGreaterThan(0)
      const decoded = anthropic.decode(messages)
      if (!decoded.ok) expect.fail(`${decoded.path}: ${decoded.reason}`)
      const { request, losses } = anthropic.encode(decoded.conversation)
      expect(JSON.stringify(request.messages)).toBe(JSON.stringify(messages))
      expect(losses).toEqual([])
      const { request: repaired } = anthropic.repair(messages)
      expect(anthropic.validate(repaired)).toEqual([])
      for (const type of ["tool_use", "image"])
        expect(blocksOf(repaired, type), type).toBe(blocksOf({ messages: messages as never }, type))
    })
})
