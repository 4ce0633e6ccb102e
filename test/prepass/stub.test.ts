import { defaultStubs, isWellFormed, type StubInput, type StubRule, stub } from "@palimpsest/core"
import { describe, expect, it } from "vitest"

const input = (
  name: string,
  args: string,
  text: string,
  status: "ok" | "error" = "ok",
  row = "m1",
): StubInput => ({
  row,
  call: { type: "tool-call", id: "c1", name, arguments: args },
  result: { type: "tool-result", call: "c1", status, content: [{ type: "text", text }] },
  text,
})

const line = (name: string, args: string, text: string, status: "ok" | "error" = "ok"): string =>
  stub(input(name, args, text, status), defaultStubs)

describe("lines that stand for results", () => {
  it.each([
    [
      "Read",
      '{"file_path":"a.ts","offset":10,"limit":5}',
      "l\n".repeat(5),
      "[Read a.ts from 10 limit 5: 5 lines, 10 characters; ok",
    ],
    ["read_file", '{"path":"b"}', "one", "[read_file b: 1 line, 3 characters; ok"],
    ["mcp__disk__read_file", '{"path":"b"}', "one", "[mcp__disk__read_file b: 1 line, 3 characters; ok"],
    ["Edit", '{"file_path":"a.ts","old_string":"x"}', "Done: 2 places", "[Edit a.ts: Done: 2 places; ok"],
    [
      "Bash",
      '{"command":"npm test"}',
      `Exit code 1\n${"x\n".repeat(9)}3 failed`,
      '[Bash `npm test`: 11 lines, 38 characters, ends "3 failed"; ok, exit 1',
    ],
    [
      "shell",
      '{"command":["bash","-lc","ls"]}',
      '{"output":"a","metadata":{"exit_code":0}}',
      '[shell `["bash","-lc","ls"]`: 1 line, 41 characters; ok, exit 0',
    ],
    [
      "Grep",
      '{"pattern":"f(x)","path":"src"}',
      "a:1\nb:2\n",
      '[Grep "f(x)" in src: 2 lines, 8 characters; ok',
    ],
    ["LS", '{"path":"src"}', "a\nb", "[LS src: 2 lines, 3 characters; ok"],
    [
      "WebFetch",
      '{"url":"https://e.org/a","prompt":"?"}',
      "hello",
      "[WebFetch https://e.org/a: 1 line, 5 characters; ok",
    ],
    [
      "http_request",
      '{"method":"GET","url":"https://e.org"}',
      '{"total":1,"rows":[]}',
      "[http_request GET https://e.org: 1 line, 21 characters, JSON keys total, rows; ok",
    ],
    [
      "AskUserQuestion",
      '{"questions":["Which?"]}',
      "the second one",
      '[AskUserQuestion about ["Which?"]: answered "the second one"; ok',
    ],
    [
      "get_order",
      '{"order_id":12345678901234567890,"full":true}',
      '{"id":12345678901234567890,"total":1.0}',
      "[get_order order_id=12345678901234567890 full=true: 1 line, 39 characters, JSON keys id, total, ids 12345678901234567890; ok",
    ],
    ["list_all", "{}", "[1,2,3]", "[list_all: 1 line, 7 characters, JSON array of 3; ok"],
    [
      "odd",
      "no json at all",
      "INV-2026-0042 and #1234",
      "[odd no json at all: 1 line, 23 characters, ids INV-2026-0042, #1234; ok",
    ],
    ["Read", '{"other":1}', "x", "[Read other=1: 1 line, 1 character; ok"],
    ["empty", "{}", "", "[empty: no text; ok"],
  ])("%s %s", (name, args, text, expected) => {
    expect(line(name, args, text)).toBe(`${expected}; recall("m1")]`)
  })

  it("say that a call failed", () => {
    expect(line("Read", '{"file_path":"a"}', "no such file", "error")).toContain("; error; recall")
  })

  it("do without the call", () => {
    const result = { type: "tool-result", call: "c9", name: "Read", status: "ok", content: [] } as const
    expect(stub({ row: "m2", call: null, result, text: "x" }, defaultStubs)).toBe(
      '[Read: 1 line, 1 character; ok; recall("m2")]',
    )
  })

  it("name the images that they stand for", () => {
    const content = [{ type: "media", mediaType: "image/png", data: "", name: "login.png" } as const]
    const { call, result } = input("shot", "{}", "")
    expect(stub({ row: "m2", call, result: { ...result, content }, text: "" }, defaultStubs)).toBe(
      '[shot: no text with login.png; ok; recall("m2")]',
    )
  })

  it("stay one bounded, well-formed line, whatever is in the call and the text", () => {
    for (const piece of ["🚀\n", "\ud83d\r\n", "\u2028\u0000", "👩‍👩‍👧‍👦", '"\\', "]"]) {
      const wild = piece.repeat(5000)
      for (const name of ["Bash", "Read", "Grep", "WebFetch", "AskUserQuestion", wild]) {
        const keys = ["command", "file_path", "pattern", "url", "question", wild]
        const args = JSON.stringify(Object.fromEntries(keys.map((key) => [key, wild])))
        const text = line(name, args, wild)
        expect(text.length).toBeLessThanOrEqual(300)
        expect(isWellFormed(text)).toBe(true)
        expect(text).not.toMatch(/[\n\r\u2028\p{Cc}]/u)
        expect(text.endsWith('recall("m1")]')).toBe(true)
      }
    }
  })

  const thrower: StubRule = () => {
    throw new Error("boom")
  }
  it.each<[string, StubRule]>([
    ["throws", thrower],
    ["says nothing", () => ""],
    ["declines", () => null],
    ["says more than there was", ({ text }) => text.padEnd(301, "!")],
    ["returns no text", (() => 7) as unknown as StubRule],
  ])("take the general form when a host's rule %s", (_, rule) => {
    expect(stub(input("deploy", '{"env":"prod"}', "done well"), new Map([["deploy", rule]]))).toBe(
      '[deploy env=prod: 1 line, 9 characters; ok; recall("m1")]',
    )
  })

  it("use a host's rule before the default one", () => {
    const rules = new Map([...defaultStubs, ["Read", () => "seen"] as const])
    expect(stub(input("Read", "{}", "a long page"), rules)).toBe('[seen; ok; recall("m1")]')
    expect(stub(input("read", '{"path":"p"}', "page"), rules)).toContain("[read p:")
  })

  it("read a megabyte in little time", () => {
    const start = performance.now()
    for (const text of [
      "x".repeat(1e6),
      " ".repeat(1e6),
      '"id'.repeat(3e5),
      `{"a":${"[".repeat(1e5)}`,
      "A-".repeat(5e5),
    ])
      line("any", "{}", text)
    expect(performance.now() - start).toBeLessThan(2000)
  })
})
