/** A replay of a folder: what it finds, what it counts, what it says. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import {
  assistant,
  countMessage,
  defaultAccounting,
  estimateCounter,
  type Message,
  user,
} from "@palimpsest/core"
import { ThreadStore, Tokens } from "@palimpsest/core/engine"
import { memoryStore } from "@palimpsest/core/testing"
import { filesBelow } from "@palimpsest/examples/replay/AllFiles"
import { allJson, allTable } from "@palimpsest/examples/replay/AllTable"
import type { AllOptions } from "@palimpsest/examples/replay/Arguments"
import { growths, meanError } from "@palimpsest/examples/replay/Growths"
import { type FileReport, playFile } from "@palimpsest/examples/replay/PlayAll"
import { targetOf } from "@palimpsest/examples/replay/TargetOf"
import type { Origin } from "@palimpsest/examples/transcripts/Transcript"
import { Effect, Layer, Result } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"

const counting = {
  counter: { name: "letters", count: (text: string) => text.length },
  accounting: defaultAccounting,
}

const cost = (prompt: number, model = "m"): Origin => ({
  ids: [],
  model,
  usage: { prompt, completion: 1, raw: null },
})
const none: Origin = { ids: [] }

describe("growths of prompts", () => {
  const long = (length: number): Message => user("a".repeat(length))
  const said = [
    long(10),
    assistant("b"),
    long(1000),
    assistant("c"),
    long(100),
    assistant("d"),
    long(900),
    assistant("e"),
  ]

  const weigh = (from: number, to: number): number =>
    said
      .slice(from, to)
      .reduce((sum, each) => sum + countMessage(each, counting.counter, counting.accounting), 0)

  it("are the messages between two prompts of one model, once they are long enough", () => {
    const origins = [none, cost(5000), none, cost(6500), none, cost(6600), none, cost(7800)]
    const found = growths({ name: "chat", messages: said, origins }, counting)
    assert.deepStrictEqual(
      found.map(({ estimated, reported }) => [estimated, reported]),
      [
        [weigh(1, 3), 1500],
        [weigh(3, 7), 1300],
      ],
    )
    assert.deepStrictEqual([found[0]?.model, found[0]?.script, found[0]?.chat], ["m", "dense", "chat"])
  })

  it("end at another model, at a boundary, and where a prompt shrank", () => {
    const of = (origins: ReadonlyArray<Origin>) =>
      growths({ name: "chat", messages: said, origins }, counting).length
    assert.strictEqual(of([none, cost(5000), none, cost(6500, "n"), none, none, none, cost(9000)]), 0)
    assert.strictEqual(
      of([none, cost(5000), { ids: [], isBoundary: true }, cost(6500), none, none, none, none]),
      0,
    )
    assert.strictEqual(of([none, cost(5000), none, cost(4000), none, none, none, cost(6000)]), 1)
    assert.strictEqual(of(said.map(() => none)), 0)
  })

  it("leave out reasoning that nobody signed: it is not sent again", () => {
    const thought = (signature: object): Message => ({
      role: "assistant",
      parts: [
        { type: "reasoning", text: "z".repeat(5000), ...signature },
        { type: "text", text: "b" },
      ],
    })
    const origins = [none, cost(5000), none, cost(6500)]
    const estimate = (message: Message) =>
      growths(
        { name: "chat", messages: [long(10), message, long(1000), assistant("c")], origins },
        counting,
      )[0]?.estimated ?? 0
    assert.isBelow(estimate(thought({})), 2000)
    assert.isAbove(estimate(thought({ signature: "c2ln" })), 5000)
  })

  it("have a mean error, up or down", () => {
    const text = { model: "m", script: "latin", chat: "c", boundary: null } as const
    assert.isNull(meanError([]))
    const mean = meanError([
      { ...text, estimated: 80, reported: 100 },
      { ...text, estimated: 140, reported: 100 },
    ])
    assert.closeTo(mean ?? 0, 0.3, 1e-9)
  })
})

describe("the target of a chat", () => {
  it("follows its format, its program or its model", () => {
    const formatOf = (format: Parameters<typeof targetOf>[0]["format"], model?: string) =>
      targetOf({ format, origins: model === undefined ? [none] : [cost(1, model)] }, 8_000).format
    assert.strictEqual(formatOf("langchain"), "langchain")
    assert.strictEqual(formatOf("claude-code"), "anthropic")
    assert.strictEqual(formatOf("codex"), "openai-responses")
    assert.strictEqual(formatOf("gemini-cli"), "gemini")
    assert.strictEqual(formatOf("pi", "claude-sonnet-4-5"), "anthropic")
    assert.strictEqual(formatOf("pi", "gemini-3-pro"), "gemini")
    assert.strictEqual(formatOf("tau2", "gpt-4o"), "openai-chat")
    assert.strictEqual(formatOf("locomo"), "openai-chat")
  })
})

const CHAT = JSON.stringify(
  Array.from({ length: 8 }, (_, i) => [
    { role: "user", content: `Question ${i}?` },
    { role: "assistant", content: "An answer. ".repeat(200) },
  ]).flat(),
)

describe("a folder", () => {
  let folder = ""
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "replay-"))
    mkdirSync(join(folder, "LICENSES"))
    mkdirSync(join(folder, "deep/er"), { recursive: true })
    for (const name of ["LICENSES/a.txt", "README.md", "SOURCES.md", "LICENSE"])
      writeFileSync(join(folder, name), "words")
    writeFileSync(join(folder, "deep/er/chat.json"), CHAT)
    writeFileSync(join(folder, "deep/two.json"), `[${CHAT},${CHAT}]`)
    writeFileSync(join(folder, "notes.txt"), "no chat")
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const options = (): AllOptions => ({
    folder,
    windows: [4_000, 64_000],
    limit: 1,
    reserve: undefined,
    tail: undefined,
    database: { _tag: "Heap" },
    system: "auto",
    json: false,
  })

  const playAll = (store: Layer.Layer<ThreadStore>): Promise<ReadonlyArray<FileReport>> => {
    const run = { options: options(), started: "now", onCall: () => {} }
    const files = Result.getOrThrow(filesBelow(folder))
    const layer = Layer.mergeAll(store, Tokens.layerFrom(estimateCounter))
    return Effect.runPromise(
      Effect.provide(
        Effect.forEach(files, (file) => playFile(file, run)),
        layer,
      ),
    )
  }

  it("has its files found, but for those that describe it", () => {
    assert.deepStrictEqual(Result.getOrThrow(filesBelow(folder)), [
      "deep/er/chat.json",
      "deep/two.json",
      "notes.txt",
    ])
    const missing = filesBelow(join(folder, "nowhere"))
    assert.include(Result.isFailure(missing) ? missing.failure.message : "", "there is no such folder")
  })

  it("is played at each window, and told in a table and in JSON", async () => {
    const reports = await playAll(memoryStore)
    const table = allTable(reports, [4_000, 64_000])
    const [head, chat, two] = table.split("\n")
    assert.match(head ?? "", /^file +format +messages +calls +passes 4K +passes 64K +cannot fit +broken/)
    assert.match(chat ?? "", /^deep\/er\/chat\.json +openai-chat +16 +8 +[1-9]\d* +0 +0 +0/)
    assert.match(two ?? "", /^deep\/two\.json/)
    assert.include(table, "notes.txt\n  no-json: it is no chat: this is no JSON from line 1, column 1 on")
    assert.include(table, "deep/two.json: 1 chat")
    const json = JSON.parse(allJson(reports, folder))
    assert.deepStrictEqual([json.files, json.read, json.refused, json.calls, json.broken], [3, 2, 1, 32, 0])
    assert.strictEqual(json.reports[2].refused, "no-json")
  })

  it("has a failure of the program told as a fault of the file, and goes on", async () => {
    const broken = Layer.effect(
      ThreadStore,
      Effect.map(ThreadStore, (store) => ({ ...store, append: () => Effect.die("the disk is gone") })),
    ).pipe(Layer.provide(memoryStore))
    const reports = await playAll(broken)
    const faults = reports.flatMap((report) =>
      report._tag === "Replayed" ? report.windows.map((at) => at.faults) : [],
    )
    assert.lengthOf(faults, 4)
    for (const [fault] of faults) assert.include(fault ?? "", "the disk is gone")
    assert.strictEqual(JSON.parse(allJson(reports, folder)).broken, 4)
  })
})
