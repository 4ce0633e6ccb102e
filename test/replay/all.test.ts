/**
 * Every recorded file is read, or refused with a reason; what is read makes a valid request; and some of it is played
 * through the engine with the laws audited. `npm run replay -- --all` plays all of it.
 */
import { existsSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { Tokens } from "@palimpsest/core/engine"
import { memoryStore } from "@palimpsest/core/testing"
import { filesBelow, readPath } from "@palimpsest/examples/replay/AllFiles"
import { playFile } from "@palimpsest/examples/replay/PlayAll"
import { targetOf } from "@palimpsest/examples/replay/TargetOf"
import { chatsIn } from "@palimpsest/examples/transcripts/requests/Chats"
import { REQUEST_FORMATS, requestOf } from "@palimpsest/examples/transcripts/requests/Requests"
import { parseSource } from "@palimpsest/examples/transcripts/Source"
import type { Transcript } from "@palimpsest/examples/transcripts/Transcript"
import { Effect, Layer, Result } from "effect"
import { assert, describe, expect, it } from "vitest"

const ROOT = join(import.meta.dirname, "../../../shared/transcripts")

const files = existsSync(ROOT) ? Result.getOrThrow(filesBelow(ROOT)) : []
if (files.length === 0) console.log(`no recorded chats in ${ROOT}: these tests do not run`)

/** What a file must be found to be, by its folder and name: a format, or the kind of a refusal. */
const EXPECTED: ReadonlyArray<readonly [RegExp, string]> = [
  [/probing_questions/, "no-chat"],
  [/^format-fixture\/.*assistant_tools/, "kimi"],
  [/^format-fixture\//, "codex"],
  [/^(codex-exec-stream|langchain-messages|langfuse-trace|provider-chunks)\//, "no-chat"],
  [/^vcr-yaml\//, "no-json"],
  [/^codex-rollout\//, "codex"],
  [/^locomo/, "locomo"],
  [/^tarko/, "tarko"],
  [/^sharegpt/, "sharegpt"],
  [/^uk-eval\//, "test-results"],
  [/^(aisdk-ui)\//, "ai-sdk-ui"],
  [/^(beam|claude-code|gemini-cli|memorybank|pi|swe-agent|tau2|xpersona)\//, ""],
]

const expected = (file: string): string | undefined => {
  const found = EXPECTED.find(([name]) => name.test(file))
  return found === undefined ? undefined : found[1] || file.split("/")[0]
}

const readings = new Map(files.map((file) => [file, readPath(join(ROOT, file), file)] as const))

const read = [...readings].flatMap(([file, reading]) =>
  Result.isSuccess(reading) ? [{ file, transcripts: reading.success }] : [],
)

/** What a chat says as the request of its own provider, repaired. */
const faultsOf = (transcript: Transcript) => {
  const { format } = REQUEST_FORMATS[targetOf(transcript, 8_000).format]
  const items = transcript.messages.map((message) => ({ message }))
  const { request } = format.encode({ system: transcript.system, items })
  return format.validate(format.repair(request).request)
}

describe.skipIf(files.length === 0)("a recorded file", () => {
  it.each(files)("is read, or refused with a reason: %s", (file) => {
    const reading = readings.get(file) ?? assert.fail("not read")
    if (Result.isFailure(reading)) {
      const { kind, reason, remedy } = reading.failure
      assert.strictEqual(kind, expected(file) ?? kind)
      assert.isTrue(reason !== "" && remedy !== "")
      assert.notStrictEqual(kind, "unknown-format", reason)
      return
    }
    for (const { format, messages, origins } of reading.success) {
      assert.strictEqual(format, expected(file) ?? format)
      assert.isAbove(messages.length, 0)
      assert.strictEqual(origins.length, messages.length)
    }
  })

  it("says what responses cost where it can, each with its model", () => {
    const measured = read.filter(({ transcripts }) =>
      transcripts.some(({ origins }) => origins.some(({ usage }) => usage !== undefined)),
    )
    assert.isAbove(measured.length, 15)
    for (const { file, transcripts } of measured)
      for (const { origins } of transcripts)
        for (const { usage, model } of origins)
          assert.isTrue(usage === undefined || model !== undefined, file)
  })

  it("makes a valid request of its provider, once it is repaired", () => {
    for (const { file, transcripts } of read)
      for (const transcript of transcripts.slice(0, 20))
        assert.deepStrictEqual(faultsOf(transcript), [], file)
  })

  it("in the format of a request comes out as it came", () => {
    const isRequest = (name: string) => Object.hasOwn(REQUEST_FORMATS, name)
    const found = read.filter(({ transcripts }) => isRequest(transcripts[0]?.format ?? ""))
    assert.isNotEmpty(found)
    for (const { file } of found) {
      const source = Result.getOrThrow(parseSource(file, readFileSync(join(ROOT, file), "utf8")))
      for (const chat of chatsIn(source) ?? assert.fail(file)) {
        const { name, request } = requestOf(chat)
        const { format, key } = REQUEST_FORMATS[name]
        const decoded = format.decode(request)
        if (!decoded.ok) assert.fail(decoded.reason)
        const came = Array.isArray(request) ? { [key]: request } : request
        assert.strictEqual(JSON.stringify(format.encode(decoded.conversation).request), JSON.stringify(came))
      }
    }
  })
})

/** Bytes of a file at most, windows, and chats of it: the rest is played by the command. */
const PLAYED = { bytes: 180_000, windows: [8_000, 32_000], limit: 2 }
const TOOLS = { bytes: 1_000_000, windows: [4_000, 16_000], limit: 6 }
const STORY = { bytes: 1_000_000, windows: [8_000], limit: 1 }

const settings = (file: string) =>
  /^tau2\/.*gpt-4o/.test(file) ? TOOLS : /^locomo.*conv-26/.test(file) ? STORY : PLAYED

const toPlay = read
  .map(({ file }) => file)
  .filter((file) => statSync(join(ROOT, file)).size < settings(file).bytes)

describe.skipIf(files.length === 0)("a replay of recorded chats", () => {
  it.each(toPlay)("breaks no law: %s", async (file) => {
    const { windows, limit } = settings(file)
    const options = {
      folder: ROOT,
      windows,
      limit,
      reserve: undefined,
      tail: undefined,
      database: { _tag: "Heap" } as const,
      system: "auto" as const,
      json: true,
    }
    const run = { options, started: "now", onCall: () => {} }
    const layer = Layer.mergeAll(memoryStore, Tokens.layer)
    const report = await Effect.runPromise(Effect.provide(playFile(file, run), layer))
    if (report._tag === "Refused") return assert.fail(report.error.message)
    expect(report.windows.flatMap(({ faults }) => faults)).toEqual([])
    for (const { tally } of report.windows)
      expect(tally.promptTokens.max).toBeLessThanOrEqual(Math.max(tally.budget, 0))
  })
})
