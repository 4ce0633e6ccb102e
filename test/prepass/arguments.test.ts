import { isWellFormed, shortenArguments } from "@palimpsest/core"
import { describe, expect, it } from "vitest"

const limits = { above: 100, keep: 60 }
const long = "x".repeat(20_000)

describe("arguments of calls", () => {
  it("PROV-08: keep path and number, shorten the content", () => {
    const short = shortenArguments(JSON.stringify({ path: "/x", content: long, n: 3 }), limits)
    const value = JSON.parse(short)
    expect(Object.keys(value)).toEqual(["path", "content", "n"])
    expect(value).toMatchObject({ path: "/x", n: 3 })
    expect(value.content).toMatch(/^x+…\[\+\d+ characters\]$/)
    expect(value.content.length).toBeLessThanOrEqual(60)
  })

  it("says how much is missing", () => {
    const { a } = JSON.parse(shortenArguments(JSON.stringify({ a: long }), limits))
    const [, kept = "", missing] = /^(x+)…\[\+(\d+)/.exec(a) ?? []
    expect(kept.length + Number(missing)).toBe(20_000)
  })

  it.each([
    ["integers beyond 2^53", '"n": 9007199254740993'],
    ["numbers that overflow", '"n":1e400'],
    ["spellings of one", '"n":1.0 , "m" : 1E0'],
    ["minus zero", '"n":-0'],
    ["white space", '\n  "n" :\t[ 1 ,2 ]\n'],
    ["repeated keys", '"n":1,"n":2'],
    ["keys that look like values", '"a:b":"c","d\\"e":"f"'],
    ["long keys", `"${"k".repeat(300)}":1`],
    ["escapes in short strings", '"n":"\\u00e9\\/\\n"'],
    ["braces in strings", '"n":"}]{[,:"'],
  ])("keep %s as written", (_, entry) => {
    const short = shortenArguments(`{${entry},"content":"${long}"}`, limits)
    expect(short.startsWith(`{${entry},"content":"xxx`)).toBe(true)
    expect(short.length).toBeLessThan(entry.length + 100)
  })

  it.each([
    ["no JSON", `*** Begin Patch\n${long}`],
    ["cut JSON", `{"path":"/x","content":"${long}`],
    ["two values", `{"a":"${long}"} {"b":1}`],
    ["an empty text", ""],
    ["only numbers", `[${"1,".repeat(3000)}1]`],
  ])("leave %s unchanged", (_, raw) => {
    expect(shortenArguments(raw, limits)).toBe(raw)
  })

  it.each([
    ["an emoji", "🚀"],
    ["a family", "👩‍👩‍👧‍👦"],
    ["escaped halves", "\\ud83d\\ude80"],
    ["a lone half", "\ud83d"],
    ["escapes", '\\n\\"\\\\'],
  ])("are well formed with %s at each cut", (_, piece) => {
    for (let shift = 0; shift < 24; shift++) {
      const raw = `{"a":"${"x".repeat(shift)}${piece.repeat(200)}"}`
      const short = shortenArguments(raw, limits)
      expect(isWellFormed(short)).toBe(true)
      expect(isWellFormed(JSON.parse(short).a)).toBe(true)
      expect(JSON.parse(short).a.length).toBeLessThanOrEqual(60)
      expect(shortenArguments(short, limits)).toBe(short)
    }
  })

  it("keep a lone half in a key, as an escape", () => {
    const short = shortenArguments(`{"\ud83dk":1,"a":"${long}"}`, limits)
    expect(Object.keys(JSON.parse(short))).toEqual(["\ud83dk", "a"])
    expect(isWellFormed(short)).toBe(true)
  })

  it("reach strings in nested arrays and objects, and a string alone", () => {
    const raw = JSON.stringify({ edits: [{ old: long, new: [long, { deep: long }] }, long] })
    expect(shortenArguments(raw, limits).length).toBeLessThan(400)
    expect(JSON.parse(shortenArguments(JSON.stringify(long), limits)).length).toBeLessThanOrEqual(60)
  })

  it("of ten thousand levels, and of a megabyte, take no time", () => {
    const deep = `${'{"a":['.repeat(10_000)}"${long}"${"]}".repeat(10_000)}`
    const wide = `[${Array(20_000)
      .fill(`"${"y".repeat(80)}"`)
      .join(" , ")}]`
    const start = performance.now()
    expect(shortenArguments(deep, limits).length).toBe(deep.length - long.length + 60)
    expect(JSON.parse(shortenArguments(wide, limits)).length).toBe(20_000)
    expect(performance.now() - start).toBeLessThan(2000)
  })
})
