/** Recorded messages of LangChain, read and written again. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { langchain } from "@palimpsest/core/formats/langchain"
import { describe, expect, it } from "vitest"

const ROOT = join(import.meta.dirname, "../../../shared/transcripts")
const FOLDERS = ["langchain-messages", "langfuse-trace"]

const files = FOLDERS.flatMap((folder) => {
  const path = join(ROOT, folder)
  return existsSync(path) ? readdirSync(path).map((name) => join(path, name)) : []
})
if (files.length === 0) console.log(`no recorded messages of LangChain in ${ROOT}: these tests do not run`)

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isSerialised = (value: unknown): boolean =>
  typeof value === "object" && value !== null && "lc" in value && "kwargs" in value

/** Each list of serialised messages in a value: traces hold them as JSON text inside JSON. */
const listsIn = (value: unknown): ReadonlyArray<ReadonlyArray<unknown>> => {
  if (typeof value === "string") return /^["[{]/.test(value) ? listsIn(parsed(value)) : []
  if (typeof value !== "object" || value === null) return []
  const inside = Object.values(value).flatMap(listsIn)
  return Array.isArray(value) && value.length > 0 && value.every(isSerialised) ? [value, ...inside] : inside
}

describe.skipIf(files.length === 0)("recorded messages of LangChain", () => {
  const found = files.map((file) => ({ file, lists: listsIn(parsed(readFileSync(file, "utf8"))) }))

  it("are in the trace of LangGraph; the other files hold streams and other formats", () => {
    const counted = found.filter(({ lists }) => lists.length > 0)
    expect(counted.map(({ file }) => file.split("/").at(-1))).toEqual([
      "langfuse.langgraph-js-2025-10-30.trace.json",
    ])
    expect(counted.flatMap(({ lists }) => lists).length).toBeGreaterThan(20)
  })

  for (const { file, lists } of found.filter(({ lists: all }) => all.length > 0)) {
    const name = file.split("/").at(-1)

    it(`${name}: each list comes out as it came`, () => {
      for (const list of lists) {
        const decoded = langchain.decode({ messages: list })
        expect(decoded.ok).toBe(true)
        if (!decoded.ok) continue
        const { request, losses } = langchain.encode(decoded.conversation)
        expect(JSON.stringify(request)).toBe(JSON.stringify({ messages: list }))
        expect(losses).toEqual([])
      }
    })

    it(`${name}: the whole chat breaks no rule, and pieces of it are repaired`, () => {
      const longest = lists.toSorted((a, b) => b.length - a.length)[0] ?? []
      expect(longest).toHaveLength(4)
      expect(langchain.validate(longest)).toEqual([])
      for (const list of lists) expect(langchain.validate(langchain.repair(list).request)).toEqual([])
    })
  }
})
