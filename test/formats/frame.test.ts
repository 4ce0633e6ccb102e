import { messagesIn, writeExact } from "@palimpsest/core/formats"
import { describe, expect, it } from "vitest"
import { formats } from "../commands/fuzz/Formats.ts"

/** Lists nested into each other. */
const nested = (levels: number): unknown => {
  let value: unknown = 1
  for (let i = 0; i < levels; i++) value = [value]
  return value
}

const cyclic: Record<string, unknown> = {}
cyclic.self = cyclic

const ODD: ReadonlyArray<readonly [string, unknown]> = [
  ["a bigint", 10n],
  ["a cycle", cyclic],
  ["501 levels", nested(501)],
  [
    "an object that throws",
    {
      toJSON: () => {
        throw new Error("no")
      },
    },
  ],
]

const said = (name: string): unknown => {
  if (name === "gemini") return { role: "user", parts: [{ text: "Hello" }] }
  if (name === "ai-sdk-ui") return { id: "m1", role: "user", parts: [{ type: "text", text: "Hello" }] }
  return name === "effect-prompt" || name === "ai-sdk"
    ? { role: "user", content: [{ type: "text", text: "Hello" }] }
    : { role: "user", content: "Hello" }
}

const all = formats.map(([format, { field }]) => [format.name, format, field] as const)

describe.each(all)("the frame of %s", (name, format, field) => {
  const hello = said(name)

  it.each(ODD)("a field that holds %s is left out by name, and the messages stay", (_, odd) => {
    const request = { temperature: odd, [field]: [hello] }
    expect(format.validate(request)[0]?.rule).toBe("shape")
    const { request: repaired, repairs } = format.repair(request)
    expect(repairs).toMatchObject([{ rule: "shape", path: "temperature" }])
    expect(format.validate(repaired)).toEqual([])
    expect(writeExact(repaired)).toContain("Hello")
    expect(Object.keys(repaired ?? {})).not.toContain("temperature")
  })

  it("a list that is too deep only as part of a request is refused as a list too", () => {
    for (let levels = 494; levels < 502; levels++) {
      const list = [hello, { ...Object(hello), extra: nested(levels) }]
      const isDeep = writeExact({ [field]: list }) === undefined
      expect(format.decode(list).ok).toBe(!isDeep)
      const { request } = format.repair(list)
      expect(format.validate(request)).toEqual([])
      const read = format.decode(request)
      expect(read.ok && messagesIn(read.conversation).length).toBeGreaterThan(0)
    }
  })
})
