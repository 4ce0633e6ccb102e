import { readdirSync, readFileSync } from "node:fs"
import { textOf } from "@palimpsest/core"
import { toOpenAiChat, validateOpenAiChat } from "@palimpsest/core/formats/openai-chat"
import { parseJson } from "@palimpsest/examples/transcripts/Json"
import { jsonFault } from "@palimpsest/examples/transcripts/JsonFault"
import { readTranscript } from "@palimpsest/examples/transcripts/ReadTranscript"
import type { Transcript, TranscriptError } from "@palimpsest/examples/transcripts/Transcript"
import { Result } from "effect"
import fc from "fast-check"
import { assert, describe, it } from "vitest"

const read = (json: unknown, name = "a.json"): ReadonlyArray<Transcript> => {
  const reading = readTranscript(typeof json === "string" ? json : JSON.stringify(json), name)
  return Result.isSuccess(reading) ? reading.success : assert.fail(reading.failure.message)
}

const fault = (text: string): TranscriptError => {
  const reading = readTranscript(text, "a.json")
  return Result.isFailure(reading) ? reading.failure : assert.fail("it was read")
}

const hello = { role: "user", content: "hello" }
const hi = { role: "assistant", content: "hi" }

describe("OpenAI chats", () => {
  const two = ["a.json#1", "a.json#2"]
  it.each<[string, unknown, ReadonlyArray<string>]>([
    ["one list", [hello, hi], ["a.json"]],
    ["an object", { messages: [hello] }, ["a.json"]],
    ["lists", [[hello], [hello, hi]], two],
    ["objects", [{ messages: [hello] }, { messages: [hi], id: 7 }], two],
    ["lines of lists", `[${JSON.stringify(hello)}]\r\n\n[${JSON.stringify(hi)}]\n`, two],
    ["lines of objects", `{"messages":[${JSON.stringify(hello)}]}\n{"messages":[]}\n`, ["a.json#1"]],
    ["lines of messages", `${JSON.stringify(hello)}\n${JSON.stringify(hi)}`, ["a.json"]],
    ["a byte order mark", `\ufeff[${JSON.stringify(hello)}]`, ["a.json"]],
  ])("are read from %s", (_, json, names) => {
    const transcripts = read(json)
    assert.deepStrictEqual(
      transcripts.map(({ name }) => name),
      names,
    )
    assert.isTrue(
      transcripts.every(
        ({ format, messages, origins }) => format === "openai-chat" && messages.length === origins.length,
      ),
    )
  })

  it("have the system prompt apart, and arguments byte for byte", () => {
    const text =
      '[{"role":"system","content":"Be brief."},{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{\\"n\\": 12345678901234567890}"}}]}]'
    const [transcript] = read(text)
    assert.strictEqual(transcript?.system, "Be brief.")
    assert.deepStrictEqual(transcript?.messages[0]?.parts, [
      { type: "tool-call", id: "c", name: "f", arguments: '{"n": 12345678901234567890}' },
    ])
  })
})

describe("what cannot be read", () => {
  it.each<[string, string, string]>([
    ["an empty file", " \n", "the file is empty"],
    ["a cut-off file", '[\n{"role":"user","content":"hel', "the JSON is cut off at line 2, column 30"],
    [
      "a cut-off line",
      '{"messages":[{"role":"user","content":"a"}]}\n{"messages":[',
      "the JSON is cut off at line 2, column 14",
    ],
    ["no JSON", "hello there", "this is no JSON from line 1, column 1 on"],
    ["bad JSON", '[\n  {"a" 1}]', "this is no JSON from line 2, column 8 on"],
    ["another object", '{"foo":1,"bar":2}', "found an object with foo, bar"],
    ["another list", '[{"foo":1}]', "found a list of an object with foo"],
    ["a number", "7", "found a number"],
    ["no messages", '{"messages":[]}', "it holds no messages"],
    ["an empty list", "[]", "it holds no messages"],
    ["a system prompt only", '[{"role":"system","content":"x"}]', "it holds no messages"],
    [
      "a bad message",
      '[{"messages":[{"role":"user","content":7}]}]',
      "[0].messages[0].content: expected a list",
    ],
    ["a bad role", '[{"role":"user","content":"a"},{"content":"a"}]', "[1].role: Missing key"],
    [
      "bad results",
      '{"info":{"environment_info":{"policy":"p"}},"simulations":[{"id":7,"task_id":"1","messages":[]}]}',
      '["simulations"][0]["id"]',
    ],
    [
      "a bad dialogue",
      '{"conversation":{"speaker_a":"A","speaker_b":"B","session_1":[{"speaker":"A"}]}}',
      '[0]["dia_id"]',
    ],
    [
      "a third speaker",
      '{"conversation":{"speaker_a":"A","speaker_b":"B","session_1":[{"speaker":"C","dia_id":"D1:1","text":"x"}]}}',
      "D1:1 is of C",
    ],
  ])("is said: %s", (_, text, reason) => {
    const { message } = fault(text)
    assert.include(message, reason)
    assert.match(message, /^a\.json: /)
  })

  it("comes with the formats that are known", () => {
    assert.match(fault('{"foo":1}').remedy, /OpenAI.*tau2.*LoCoMo/)
  })
})

describe("tau2 results", () => {
  const call = (id: string, requestor: string) => ({ id, name: "find", arguments: {}, requestor })
  const messages = [
    { role: "assistant", content: "Hi!", tool_calls: null, usage: null, raw_data: null },
    { role: "user", content: "My phone is dead.", tool_calls: null },
    {
      role: "assistant",
      content: null,
      tool_calls: [call("c1", "assistant"), call("c2", "assistant")],
      usage: { prompt_tokens: 12, completion_tokens: 3 },
      raw_data: { message: { tool_calls: [{ id: "c1", function: { arguments: '{ "a":1}' } }] } },
    },
    { role: "tool", id: "c1", content: "none", requestor: "assistant", error: false },
    { role: "tool", id: "c2", content: "Error", requestor: "assistant", error: true },
    { role: "user", content: "Wait.", tool_calls: [call("u1", "user")] },
    { role: "tool", id: "u1", content: "on", requestor: "user", error: false },
    { role: "user", content: null, tool_calls: [call("u2", "user"), call("u3", "user")] },
  ]
  const results = {
    info: { environment_info: { policy: "Be kind." } },
    simulations: [{ id: "s1", task_id: "7", messages }],
  }
  const text = JSON.stringify(results).replace(
    '"id":"c2","name":"find","arguments":{}',
    '"id":"c2","name":"find","arguments":{"n":12345678901234567890,"x":1.0,"s":"1.0"}',
  )

  it("are what the agent saw", () => {
    const [transcript] = read(text)
    assert.strictEqual(transcript?.name, "s1")
    assert.strictEqual(transcript?.system, "Be kind.")
    assert.strictEqual(transcript?.skipped, 4)
    assert.deepStrictEqual(transcript?.origins[2]?.usage, {
      prompt: 12,
      completion: 3,
      raw: { prompt_tokens: 12, completion_tokens: 3 },
    })
    assert.deepStrictEqual(
      transcript?.messages.map((message) => message.role),
      ["assistant", "user", "assistant", "tool", "tool", "user"],
    )
    assert.deepStrictEqual(
      transcript?.messages[2]?.parts.map((part) => (part.type === "tool-call" ? part.arguments : "")),
      ['{ "a":1}', '{"n":12345678901234567890,"x":1.0,"s":"1.0"}'],
    )
    assert.deepStrictEqual(transcript?.messages[4]?.parts, [
      {
        type: "tool-result",
        call: "c2",
        name: "find",
        status: "error",
        content: [{ type: "text", text: "Error" }],
      },
    ])
  })
})

describe("LoCoMo dialogues", () => {
  it("are one chat with dates, joined turns, and captions", () => {
    const said = (speaker: string, id: string, content: string, more = {}) => ({
      speaker,
      dia_id: id,
      text: content,
      ...more,
    })
    const conversation = {
      speaker_a: "Ann",
      speaker_b: "Bo",
      session_10: [said("Bo", "D10:1", "Back again.")],
      session_10_date_time: "1:56 pm on 8 May, 2023",
      session_2: [
        said("Ann", "D2:1", "Look!", { blip_caption: "a dog" }),
        said("Ann", "D2:2", "Mine."),
        said("Bo", "D2:3", "Nice."),
      ],
      session_2_date_time: "9 am",
    }
    const [transcript] = read({ sample_id: "conv-0", conversation })
    assert.deepStrictEqual(
      transcript?.messages.map((message) => [message.role, textOf(message.parts)]),
      [
        ["user", "[9 am] Look!\n[shared image: a dog]\nMine."],
        ["assistant", "Nice.\n[1:56 pm on 8 May, 2023] Back again."],
      ],
    )
    assert.deepStrictEqual(transcript?.origins, [{ ids: ["D2:1", "D2:2"] }, { ids: ["D2:3", "D10:1"] }])
    assert.strictEqual(read([{ conversation }, { conversation }])[1]?.name, "a.json#2")
  })
})

describe("the place where JSON breaks", () => {
  it("is found whenever the engine finds a fault, and at the end of each prefix", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.nat(), fc.nat(2), (json, cut, indent) => {
        const text = JSON.stringify(json, null, indent)
        assert.isUndefined(jsonFault(text))
        const prefix = text.slice(0, cut % text.length)
        const found = jsonFault(prefix)
        if (Result.isSuccess(parseJson(prefix))) assert.isUndefined(found)
        else if (found !== undefined) assert.isTrue(found.isCut || /[-.eE+]$/.test(prefix), prefix)
      }),
    )
  })

  it.each<[string, number]>([
    ["{'a': 1}", 1],
    ["[1, 2,]", 6],
    ['{"a": 1,}', 8],
    ["[1 2]", 3],
    ["]", 0],
    ["[1}", 2],
    ['["a"] x', 6],
    ['["a\nb"]', 3],
    ['{"a": undefined}', 6],
  ])("%j", (text, offset) => {
    assert.strictEqual(jsonFault(text)?.offset, offset)
  })
})

const SHARED = new URL("../../../shared/transcripts/", import.meta.url)

/** Files of a folder beside the project, where there is one. */
const filesOf = (folder: string): ReadonlyArray<URL> => {
  try {
    return readdirSync(new URL(folder, SHARED)).map((file) => new URL(`${folder}/${file}`, SHARED))
  } catch {
    console.log(`skipped: no ${folder} transcripts beside the project`)
    return []
  }
}

const recorded = [...filesOf("tau2"), ...filesOf("locomo-cc-by-nc")]

describe.skipIf(recorded.length === 0)("recorded transcripts", () => {
  it.each(recorded.map((file) => [file.pathname.split("/").at(-1) ?? "", file] as const))(
    "%s",
    (name, file) => {
      const text = readFileSync(file, "utf8")
      const transcripts = read(text, name)
      for (const { messages, origins, system } of transcripts) {
        assert.isAbove(messages.length, 5)
        assert.strictEqual(origins.length, messages.length)
        const wire = toOpenAiChat(messages, system === null ? {} : { system })
        assert.deepStrictEqual(validateOpenAiChat(wire), [])
      }
      if (file.pathname.includes("tau2")) {
        const turns = JSON.parse(text).simulations.flatMap(
          (simulation: { messages: unknown }) => simulation.messages,
        )
        const unseen = turns.filter((turn: { requestor?: string }) => turn.requestor === "user").length
        const skipped = transcripts.reduce((sum, transcript) => sum + transcript.skipped, 0)
        assert.strictEqual(skipped, 2 * unseen)
      } else {
        const turns = transcripts.flatMap(({ origins }) => origins.flatMap(({ ids }) => ids))
        const said = Object.entries(JSON.parse(text).conversation).flatMap(([key, value]) =>
          /^session_\d+$/.test(key) && Array.isArray(value) ? value : [],
        )
        assert.strictEqual(turns.length, said.length)
      }
    },
  )
})
