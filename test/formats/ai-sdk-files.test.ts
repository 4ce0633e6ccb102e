/** Recorded messages of the AI SDK, read and written again. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { Format } from "@palimpsest/core/formats"
import { aiSdk } from "@palimpsest/core/formats/ai-sdk"
import { aiSdkUi } from "@palimpsest/core/formats/ai-sdk-ui"
import { describe, expect, it } from "vitest"

const ROOT = join(import.meta.dirname, "../../../shared/transcripts")
const FOLDERS = ["aisdk-ui", "langfuse-trace"]

const files = FOLDERS.flatMap((folder) => {
  const path = join(ROOT, folder)
  return existsSync(path) ? readdirSync(path).map((name) => join(path, name)) : []
})
if (files.length === 0) console.log(`no recorded messages of the AI SDK in ${ROOT}: these tests do not run`)

type Fields = Readonly<Record<string, unknown>>

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Lists in a value of which each element is such a message: traces hold them as JSON text inside JSON. */
const listsIn = (
  value: unknown,
  isMessage: (element: Fields) => boolean,
): ReadonlyArray<ReadonlyArray<unknown>> => {
  if (typeof value === "string") return /^["[{]/.test(value) ? listsIn(parsed(value), isMessage) : []
  if (typeof value !== "object" || value === null) return []
  const isList = Array.isArray(value) && value.length > 0
  if (isList && value.every((element) => isFields(element) && isMessage(element))) return [value]
  return Object.values(value).flatMap((each) => listsIn(each, isMessage))
}

interface Recorded {
  readonly format: Format<never>
  readonly isMessage: (element: Fields) => boolean
  readonly lists: ReadonlyArray<{ readonly file: string; readonly list: ReadonlyArray<unknown> }>
}

const recorded = (
  format: Format<never>,
  wanted: RegExp,
  isMessage: (element: Fields) => boolean,
): Recorded => ({
  format,
  isMessage,
  lists: files
    .filter((file) => wanted.test(file))
    .flatMap((file) =>
      listsIn(parsed(readFileSync(file, "utf8")), isMessage).map((list) => ({
        file: file.split("/").at(-1) ?? "",
        list,
      })),
    ),
})

const kinds = [
  recorded(
    aiSdkUi as Format<never>,
    /aisdk-ui/,
    ({ role, parts }) => role !== undefined && Array.isArray(parts),
  ),
  // The trace of one call of `generateText`: other frameworks' traces have messages of the same look.
  recorded(
    aiSdk as Format<never>,
    /vercel-aisdk/,
    ({ role, content }) => role !== undefined && content !== undefined,
  ),
]

describe.skipIf(files.length === 0)("recorded messages of the AI SDK", () => {
  it("are three chats of UI messages, and the trace of one prompt", () => {
    expect(kinds.map(({ lists }) => lists.map(({ file, list }) => [file, list.length]))).toEqual([
      [
        ["sqlrooms.example-sessions.json", 2],
        ["sqlrooms.example-sessions.json", 4],
        ["sqlrooms.example-sessions.json", 4],
      ],
      [["langfuse.vercel-aisdk-2025-11-17.trace.json", 1]],
    ])
  })

  for (const { format, lists } of kinds)
    describe(format.name, () => {
      for (const [i, { file, list }] of lists.entries()) {
        it(`${file}, ${i + 1}: comes out as it came, byte for byte`, () => {
          const decoded = format.decode({ messages: list })
          expect(decoded.ok).toBe(true)
          if (!decoded.ok) return
          const kept = JSON.parse(JSON.stringify(decoded.conversation))
          const { request, losses } = format.encode(kept)
          expect(JSON.stringify(request)).toBe(JSON.stringify({ messages: list }))
          expect(losses).toEqual([])
        })

        it(`${file}, ${i + 1}: breaks no rule, or is repaired`, () => {
          const { request, repairs } = format.repair(list)
          expect(format.validate(request)).toEqual([])
          expect(repairs.every(({ rule }) => /^(?:VA|PG)\d+$/.test(rule))).toBe(true)
          expect(repairs.length > 0).toBe(format.validate(list).length > 0)
        })
      }
    })
})
