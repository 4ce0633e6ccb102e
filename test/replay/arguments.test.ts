import { type AllOptions, parseArguments, type ReplayOptions } from "@palimpsest/examples/replay/Arguments"
import { HELP } from "@palimpsest/examples/replay/Help"
import { Result } from "effect"
import { assert, describe, it } from "vitest"

const options = (...argv: ReadonlyArray<string>): ReplayOptions => {
  const parsed = parseArguments(argv)
  if (Result.isFailure(parsed)) return assert.fail(parsed.failure.message)
  return parsed.success._tag === "Replay" ? parsed.success.options : assert.fail("it asks for help")
}

const all = (...argv: ReadonlyArray<string>): AllOptions => {
  const parsed = parseArguments(argv)
  if (Result.isFailure(parsed)) return assert.fail(parsed.failure.message)
  return parsed.success._tag === "ReplayAll" ? parsed.success.options : assert.fail("it asks for one file")
}

describe("the command line of replay", () => {
  it("has defaults", () => {
    assert.deepStrictEqual(options("a.json"), {
      file: "a.json",
      window: 16000,
      reserve: undefined,
      tail: undefined,
      database: { _tag: "Memory" },
      system: "auto",
      join: false,
      json: false,
      dump: undefined,
      limit: undefined,
    })
  })

  it("reads each option", () => {
    const argv =
      "--window 8K --reserve=1.5k a.json --tail 500 --system omit --join --json --dump o.jsonl --limit 3"
    assert.deepStrictEqual(options(...argv.split(" "), "--db", "postgresql://u@h/db"), {
      file: "a.json",
      window: 8000,
      reserve: 1500,
      tail: 500,
      database: { _tag: "Postgres", url: "postgresql://u@h/db" },
      system: "omit",
      join: true,
      json: true,
      dump: "o.jsonl",
      limit: 3,
    })
    assert.deepStrictEqual(options("a", "--db", "./data").database, { _tag: "Folder", path: "./data" })
    assert.strictEqual(options("a", "--window", "1M").window, 1_000_000)
    assert.strictEqual(options("--", "--odd.json").file, "--odd.json")
  })

  it("reads a run over a folder", () => {
    assert.deepStrictEqual(all("--all", "chats"), {
      folder: "chats",
      windows: [8_000, 32_000, 128_000],
      reserve: undefined,
      tail: undefined,
      database: { _tag: "Heap" },
      system: "auto",
      json: false,
      limit: undefined,
    })
    assert.deepStrictEqual(all("--all", "chats", "--windows", "4K,1M").windows, [4_000, 1_000_000])
    assert.deepStrictEqual(all("--all", "chats", "--db", "memory", "--limit", "3"), {
      ...all("--all", "chats"),
      database: { _tag: "Memory" },
      limit: 3,
    })
  })

  it("helps whatever else is asked, and names each option", () => {
    const parsed = parseArguments(["--help", "--window", "x"])
    assert.deepStrictEqual(Result.getOrUndefined(parsed), { _tag: "Help" })
    for (const option of [
      "all",
      "windows",
      "window",
      "reserve",
      "tail",
      "db",
      "system",
      "join",
      "json",
      "dump",
      "limit",
      "help",
    ]) {
      assert.include(HELP, `--${option}`)
    }
    assert.isTrue(HELP.split("\n").every((line) => line.length <= 90))
  })

  it.each<[string, string]>([
    ["", "such as examples/chats/parcels.json"],
    ["a --db memroy", '"memroy": give memory, heap, postgres://…, or a folder'],
    ["a b", '"b": give one FILE only'],
    ["a --widows 8K", "--widows: there is no such option"],
    ["a --windows 8K", "--windows: it goes with --all only"],
    ["a --all b", '"a": give --all FOLDER or a FILE, not both'],
    ["--all", "--all: a value is missing"],
    ["--all=", '--all "": name the folder'],
    ["--all a --window 8K", "--window: with --all it is --windows"],
    ["--all a --windows 8K,x", '--windows "x": give a whole number'],
    ["--all a --windows 8K,16K --reserve 9K", "--reserve 9000: it must be less than --window (8000)"],
    ["--all a --join", "--join: it does not go with --all"],
    ["--all a --dump b", "--dump: it does not go with --all"],
    ["a -x", "-x: there is no such option"],
    ["a --window", "--window: a value is missing"],
    ["a --window --json", "--window: a value is missing"],
    ["a --join=yes", "--join: it takes no value"],
    ["a --window eight", '--window "eight": give a whole number above 0, such as 8000 or 8K'],
    ["a --window 0", '--window "0"'],
    ["a --window=-5", '--window "-5"'],
    ["a --window 1.5", '--window "1.5"'],
    ["a --window 1.2345K", '--window "1.2345K"'],
    ["a --window 1e5", '--window "1e5"'],
    ["a --limit 0", '--limit "0"'],
    ["a --tail=", '--tail ""'],
    ["a --reserve 16K", "--reserve 16000: it must be less than --window (16000)"],
    ["a --tail 17K", "--tail 17000: it must fit --window less --reserve (16000)"],
    ["a --tail 15K --reserve 2K", "--tail 15000: it must fit --window less --reserve (14000)"],
    ["a --db mysql://u:hunter2@x", '--db "mysql://…": give memory, heap, a folder'],
    ["a --system maybe", '--system "maybe": give auto, include or omit'],
    ["a --dump=", '--dump ""'],
  ])("refuses `%s`", (argv, reason) => {
    const parsed = parseArguments(argv.split(" ").filter((word) => word !== ""))
    if (Result.isSuccess(parsed)) assert.fail("it was taken")
    assert.strictEqual(parsed.failure.exitCode, 2)
    assert.include(parsed.failure.message, reason)
    assert.match(parsed.failure.message, /See --help\.$/)
  })
})
