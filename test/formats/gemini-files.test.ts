/** The contents in recorded sessions: what came goes out, by this format and through others. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { conversation, messagesIn } from "@palimpsest/core/formats"
import { anthropic } from "@palimpsest/core/formats/anthropic"
import { effectPrompt } from "@palimpsest/core/formats/effect-prompt"
import { gemini, geminiFor } from "@palimpsest/core/formats/gemini"
import { Schema } from "effect"
import * as Prompt from "effect/ai/Prompt"
import { assert, describe, expect, it } from "vitest"
import { read } from "./GeminiKit.ts"

const FOLDER = join(import.meta.dirname, "../../../shared/transcripts/gemini-cli")

const files = existsSync(FOLDER) ? readdirSync(FOLDER).filter((name) => name.endsWith(".json")) : []
if (files.length === 0) console.log(`no sessions in ${FOLDER}: these tests do not run`)

const Call = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  args: Schema.Unknown,
  result: Schema.optionalKey(Schema.Array(Schema.Unknown)),
})

const Session = Schema.Struct({
  messages: Schema.Array(
    Schema.Struct({
      type: Schema.String,
      content: Schema.String,
      thoughts: Schema.optionalKey(Schema.Array(Schema.Struct({ description: Schema.String }))),
      toolCalls: Schema.optionalKey(Schema.Array(Call)),
    }),
  ),
})

/** What a session says, as the contents of a request. */
const contentsIn = (name: string, withIds: boolean): ReadonlyArray<object> => {
  const session = Schema.decodeUnknownSync(Session)(JSON.parse(readFileSync(join(FOLDER, name), "utf8")))
  return session.messages.flatMap(({ type, content, thoughts = [], toolCalls = [] }) => {
    const text = content === "" ? [] : [{ text: content }]
    if (type !== "gemini") return [{ role: "user", parts: text }]
    const calls = toolCalls.map(({ id, name: called, args }) => ({
      functionCall: { ...(withIds ? { id } : {}), name: called, args },
    }))
    const thought = thoughts.map(({ description }) => ({ text: description, thought: true }))
    const results = toolCalls.flatMap(({ result = [] }) => result)
    return [
      { role: "model", parts: [...thought, ...text, ...calls] },
      ...(results.length === 0 ? [] : [{ role: "user", parts: results }]),
    ]
  })
}

const partsIn = (contents: ReadonlyArray<object>): ReadonlyArray<object> =>
  contents.flatMap((content) => ("parts" in content && Array.isArray(content.parts) ? content.parts : []))

const forms = files.flatMap((name) => [
  { name: `${name.slice(-13)} with ids`, contents: contentsIn(name, true) },
  { name: `${name.slice(-13)} without`, contents: contentsIn(name, false) },
])

describe.skipIf(files.length === 0)("sessions", () => {
  it.each(forms)("$name: the contents come back byte for byte", ({ contents }) => {
    const { request, losses } = gemini.encode(read(contents))
    expect(JSON.stringify(request.contents)).toBe(JSON.stringify(contents))
    expect(losses).toEqual([])
  })

  it.each(forms)("$name: each result finds its call", ({ contents }) => {
    const thread = messagesIn(read(contents))
    const calls = thread.flatMap(({ parts }) =>
      parts.flatMap((part) => (part.type === "tool-call" ? [part] : [])),
    )
    const results = thread.flatMap(({ parts }) =>
      parts.flatMap((part) => (part.type === "tool-result" ? [part] : [])),
    )
    expect(calls.length).toBeGreaterThan(5)
    expect(results.map(({ call, name }) => [call, name])).toEqual(calls.map(({ id, name }) => [id, name]))
    expect(new Set(results.map(({ status }) => status)).size).toBe(2)
  })

  it.each(forms)("$name: what is repaired keeps all that was said", ({ contents }) => {
    const { request, repairs } = gemini.repair(contents)
    expect(gemini.validate(request)).toEqual([])
    expect([...new Set(repairs.map(({ rule }) => rule))].sort()).toEqual(["GE1", "GE2"])
    expect(partsIn(request.contents)).toEqual([...partsIn(contents), { text: "(continue)" }])
  })

  it.each(forms)("$name: inside a turn of it, calls that were signed by nobody say so", ({ contents }) => {
    const isResult = (content: object): boolean => "functionResponse" in (partsIn([content])[0] ?? {})
    const turn = contents.slice(0, contents.findLastIndex(isResult) + 1)
    const { request, repairs } = gemini.repair(turn)
    expect([...new Set(repairs.map(({ rule }) => rule))].sort()).toEqual(["GE2", "GE5"])
    const unsigned = partsIn(request.contents).map((part) =>
      Object.fromEntries(Object.entries(part).filter(([field]) => field !== "thoughtSignature")),
    )
    expect(unsigned).toEqual(partsIn(turn))
    const older = geminiFor({ generation: 2 }).repair(turn)
    expect([...new Set(older.repairs.map(({ rule }) => rule))]).toEqual(["GE2"])
  })

  it.each(forms)(
    "$name: the thread is valid for other providers, and for the schema of effect/ai",
    ({ contents }) => {
      const thread = messagesIn(read(contents))
      const prompt = effectPrompt.encode(conversation(thread)).request
      expect(effectPrompt.validate(prompt)).toEqual([])
      Schema.decodeUnknownSync(Prompt.Prompt)(prompt)
      const back = effectPrompt.decode(prompt)
      assert(back.ok)
      expect(messagesIn(back.conversation)).toEqual(thread)
      expect(anthropic.validate(anthropic.encode(conversation(thread)).request)).toEqual([])
    },
  )
})
