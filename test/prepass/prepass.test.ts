import {
  applyPatches,
  assistant,
  capAtIngest,
  countMessage,
  defaultAccounting,
  defaultStubs,
  type Message,
  type MessageRow,
  type PrepassOptions,
  prepass,
  squeeze,
  textOf,
  toolResult,
  user,
} from "@palimpsest/core"
import { rowsOf, testCounter } from "@palimpsest/core/testing"
import { describe, expect, it } from "vitest"

const options: PrepassOptions = {
  counter: testCounter,
  accounting: defaultAccounting,
  stubs: defaultStubs,
  stubAbove: 100,
  argumentsAbove: 500,
  keepImages: 1,
  protectedTools: [],
}

const call = (id: string, name: string, args = "{}"): Message =>
  assistant("", [{ id, name, arguments: args }])
const page = "one line of a page\n".repeat(100)
const image = { type: "media", mediaType: "image/png", data: "aGVs", name: "a.png" } as const
const shot = (id: string, text: string): Message => ({
  role: "tool",
  parts: [{ type: "tool-result", call: id, status: "ok", content: [{ type: "text", text }, image] }],
})

const all = (rows: ReadonlyArray<MessageRow>): ReadonlySet<string> => new Set(rows.map(({ id }) => id))

/** The patched texts of each reduced row. */
const reduce = (
  messages: ReadonlyArray<Message>,
  more: Partial<PrepassOptions> = {},
  eligible?: Array<string>,
) => {
  const rows = rowsOf(messages)
  const reductions = prepass(rows, eligible ? new Set(eligible) : all(rows), { ...options, ...more })
  return Object.fromEntries(reductions.map(({ row, patches }) => [row, patches.map(({ text }) => text)]))
}

const read = (id: string, path: string, text: string): ReadonlyArray<Message> => [
  call(id, "Read", `{"file_path":"${path}"}`),
  toolResult(id, text),
]

describe("pre-pass", () => {
  it("keeps the newest of equal results and refers to it", () => {
    expect(reduce([...read("c1", "a", page), ...read("c2", "a", page)], {}, ["m1", "m2"])).toEqual({
      m2: ['[Read: same result as row "m4" below; recall("m2")]'],
    })
  })

  it("refers to no result that it reduces itself", () => {
    expect(reduce([...read("c1", "a", page), ...read("c2", "b", page)])).toEqual({
      m2: ['[Read a: 100 lines, 1900 characters; ok; recall("m2")]'],
      m4: ['[Read b: 100 lines, 1900 characters; ok; recall("m4")]'],
    })
  })

  it.each([
    ["another tool", [call("c2", "Grep"), toolResult("c2", page)]],
    ["another status", [call("c2", "Read"), toolResult("c2", page, { status: "error" })]],
    ["one more character", [call("c2", "Read"), toolResult("c2", `${page}.`)]],
  ])("takes no result of %s for the same", (_, later) => {
    expect(reduce([...read("c1", "a", page), ...later], {}, ["m2"]).m2?.[0]).toContain("[Read a: 100 lines")
  })

  it("keeps results that are short, or hardly longer than their line", () => {
    expect(reduce(read("c1", "a", "short"))).toEqual({})
    expect(reduce(read("c1", "a", "x".repeat(150)), { stubAbove: 0 })).toEqual({})
  })

  it("keeps an error until the same tool succeeds", () => {
    const failed = [call("c1", "Bash"), toolResult("c1", page, { status: "error" })]
    expect(reduce([...failed, ...read("c2", "a", "ok")])).toEqual({})
    expect(Object.keys(reduce([...failed, call("c2", "Bash"), toolResult("c2", "ok")], {}, ["m2"]))).toEqual([
      "m2",
    ])
  })

  it("keeps denials, protected tools, calls that wait, user texts", () => {
    const args = JSON.stringify({ content: page })
    expect(reduce([call("c1", "write_file", args), toolResult("c1", page, { status: "denied" })])).toEqual({})
    expect(reduce([call("c1", "Read", args), toolResult("c1", page)], { protectedTools: ["Read"] })).toEqual(
      {},
    )
    expect(reduce([user(page), call("c1", "write_file", args)])).toEqual({})
  })

  it("PROV-04: keeps a response with signed reasoning as it is", () => {
    const signed: Message = {
      role: "assistant",
      parts: [
        { type: "reasoning", text: "hm", signature: "c2ln" },
        { type: "tool-call", id: "c1", name: "write_file", arguments: JSON.stringify({ content: page }) },
      ],
    }
    expect(Object.keys(reduce([signed, toolResult("c1", page)]))).toEqual(["m2"])
  })

  it("shortens arguments whose call is answered, at any distance", () => {
    const waiting = Array.from({ length: 60 }, () => user("..."))
    const asked = call("c1", "write_file", JSON.stringify({ path: "p", content: page }))
    const [text = ""] = reduce([asked, ...waiting, toolResult("c1", "ok")]).m1 ?? []
    expect(JSON.parse(text).path).toBe("p")
    expect(JSON.parse(text).content.length).toBeLessThanOrEqual(200)
  })

  it("pairs a result with the nearest call before it when ids come again", () => {
    const messages = [...read("c1", "first", page), ...read("c1", "second", `${page}!`)]
    expect(reduce(messages).m2?.[0]).toContain("Read first")
    expect(reduce(messages).m4?.[0]).toContain("Read second")
  })

  it("is not misled by parts that are one object", () => {
    const same = toolResult("c1", page)
    const rows = rowsOf([call("c1", "Read"), same, user("again"), call("c1", "Read"), same])
    expect(prepass(rows, new Set(["m2"]), options).map(({ row }) => row)).toEqual(["m2"])
  })

  it("keeps the newest image, and puts names in the place of older ones", () => {
    const seen: Message = { role: "user", parts: [{ type: "text", text: "see" }, image] }
    expect(reduce([seen, seen, user("and?")])).toEqual({
      m1: ['[image "a.png", image/png, 1 KB; recall("m1")]'],
    })
    expect(reduce([seen, seen, user("and?")], { keepImages: 2 })).toEqual({})
    expect(Object.keys(reduce([seen, seen], { keepImages: 0 }))).toEqual(["m1", "m2"])
  })

  it("takes the text of a result whose image is fresh, and leaves the image", () => {
    const rows = rowsOf([call("c1", "look"), shot("c1", page)])
    const [reduction] = prepass(rows, all(rows), options)
    expect(reduction?.patches).toEqual([{ part: 0, item: 0, text: expect.stringContaining("[look:") }])
  })

  it("keeps the cap of a result beside the one that it reduces", () => {
    const message: Message = {
      role: "tool",
      parts: ["Bash", "deploy"].map((name, i) => ({
        type: "tool-result",
        call: `c${i}`,
        name,
        status: "ok",
        content: [{ type: "text", text: page }],
      })),
    }
    const cap = capAtIngest({ id: "m1", message }, { ...options, maxTokens: 150 })
    const tokens = countMessage(applyPatches(message, cap), testCounter, defaultAccounting)
    const row: MessageRow = { kind: "message", id: "m1", position: 1, message, tokens, tokenizer: "t", cap }
    const [reduction] = prepass([row], new Set(["m1"]), { ...options, protectedTools: ["deploy"] })
    expect(reduction?.patches).toEqual([cap[1], { part: 0, text: expect.stringContaining("[Bash:") }])
  })

  it("reduces a window of two thousand rows in little time", () => {
    const rows = rowsOf(Array.from({ length: 1000 }, (_, i) => read(`c${i}`, `f${i % 7}`, page)).flat())
    const start = performance.now()
    expect(prepass(rows, all(rows), options).length).toBe(1000)
    expect(performance.now() - start).toBeLessThan(2000)
  })
})

describe("cap at ingest", () => {
  const log = Array.from({ length: 30_000 }, (_, i) => `line ${i}`).join("\n")
  const cap = (message: Message, maxTokens: number) =>
    capAtIngest({ id: "m3", message }, { ...options, maxTokens })

  it("SIZE-01, SIZE-02: a huge result is sent as head and tail, by itself", () => {
    const [patch] = cap(toolResult("c1", log), 1000)
    expect(testCounter.count(patch?.text ?? "")).toBeLessThanOrEqual(1000)
    expect(testCounter.count(patch?.text ?? "")).toBeGreaterThan(900)
    expect(patch?.text).toMatch(
      /^line 0\n[\s\S]*\[\.\.\. \d+ characters left out; recall\("m3"\)[\s\S]*line 29999$/,
    )
  })

  it("touches only the results that are above it", () => {
    const parts = [log, "short", log].map((text, i) => ({
      type: "tool-result" as const,
      call: `c${i}`,
      status: "error" as const,
      content: [{ type: "text" as const, text }],
    }))
    expect(cap({ role: "tool", parts }, 500).map(({ part }) => part)).toEqual([0, 2])
    expect(cap(toolResult("c1", log), 1_000_000)).toEqual([])
    expect(cap(user(log), 10)).toEqual([])
  })

  it("shortens the text beside an image, and leaves the image where it fits", () => {
    const patches = cap(shot("c1", log), 4000)
    expect(patches).toEqual([{ part: 0, item: 0, text: expect.stringContaining("left out") }])
    const names = cap(shot("c1", log), 1000)
    expect(names.map(({ item }) => item)).toEqual([undefined])
    expect(names[0]?.text).toContain("characters left out")
  })

  it("leaves the mark alone where nothing else fits", () => {
    expect(cap(toolResult("c1", log), 5)[0]?.text).toBe(
      `[... ${log.length} characters left out; recall("m3") gives the full text ...]`,
    )
  })
})

describe("squeeze", () => {
  it("cuts errors and protected calls' neighbours to head and tail", () => {
    const rows = rowsOf([
      call("c1", "Bash"),
      toolResult("c1", page.repeat(20), { status: "error" }),
      call("c2", "deploy"),
      toolResult("c2", page),
    ])
    const [one, ...rest] = squeeze(rows, all(rows), 400, { ...options, protectedTools: ["deploy"] })
    expect(rest).toEqual([])
    expect(one?.tokens).toBeLessThanOrEqual(410)
    expect(one?.patches[0]?.text).toMatch(/^one line[\s\S]*recall\("m2"\)[\s\S]*of a page\n$/)
  })

  it("takes the line where there is room for little more", () => {
    const rows = rowsOf(read("c1", "a", page))
    const [one] = squeeze(rows, all(rows), 20, options)
    expect(textOf(applyPatches(toolResult("c1", page), one?.patches ?? []).parts)).toContain(
      "[Read a: 100 lines",
    )
  })
})
