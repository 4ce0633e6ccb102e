import { type GeminiRequest, gemini, geminiFor } from "@palimpsest/core/formats/gemini"
import type { Validity } from "./RuleCase.ts"

const said = (text: string) => ({ role: "user", parts: [{ text }] })
const answered = (text: string) => ({ role: "model", parts: [{ text }] })
const call = (name: string, others: object = {}) => ({
  functionCall: { name, args: {} },
  thoughtSignature: "c2ln",
  ...others,
})
const unsigned = (name: string) => ({ functionCall: { name, args: {} } })
const result = (name: string) => ({ functionResponse: { name, response: { output: "ok" } } })
const calls = (...parts: ReadonlyArray<object>) => ({ role: "model", parts })
const results = (...parts: ReadonlyArray<object>) => ({ role: "user", parts })
const of = (...contents: ReadonlyArray<object>) => ({ contents })

const hello = said("Hello")
const found = of(hello, calls(call("find")), results(result("find")))
const image = { inlineData: { mimeType: "image/png", data: "iVBORw0KGgo=" } }

const FILE = "test/formats/gemini-write.test.ts"

/** The rules of Gemini's contents. */
export const geminiRules: Validity<GeminiRequest> = {
  title: "Gemini contents",
  format: gemini,
  cases: [
    {
      rule: "GE1",
      says: "the first and the last content are the user's",
      accepts: [of(hello), found, of({ parts: [{ text: "Hello" }] })],
      refuses: [of(answered("Hi"), hello), of(hello, answered("Hi")), of()],
    },
    {
      rule: "GE2",
      says: "contents of user and model alternate",
      accepts: [of(hello, answered("Hi"), hello)],
      refuses: [of(hello, hello), of(hello, answered("Hi"), answered("there"), hello)],
    },
    {
      rule: "GE3",
      says: "calls come right after a content of the user, and are the model's",
      accepts: [found, of(hello, calls({ text: "I look" }, call("find")), results(result("find")))],
      refuses: [
        of(calls(call("find")), results(result("find"))),
        of(hello, answered("I look"), calls(call("find")), results(result("find"))),
        of(results({ text: "Hello" }, call("find"))),
      ],
    },
    {
      rule: "GE4",
      says: "the content after calls starts with as many responses, in their order",
      accepts: [
        found,
        of(
          hello,
          calls(call("find"), unsigned("read")),
          results(result("find"), result("read"), { text: "so?" }),
        ),
        of(
          hello,
          calls({ ...call("find"), functionCall: { id: "a", name: "find" } }),
          results(result("find")),
        ),
      ],
      refuses: [
        of(hello, calls(call("find"), unsigned("read")), results(result("find"))),
        of(hello, calls(call("find"), unsigned("read")), results(result("read"), result("find"))),
        of(hello, calls(call("find")), results({ text: "so?" }, result("find"))),
        of(hello, calls(call("find")), results(result("find"), result("find"))),
        of(hello, calls(call("find")), results(result("read"))),
        of(hello, calls(call("find")), hello),
        of(hello, calls(call("find"))),
        of(results(result("find"))),
        of(hello, calls({ text: "Hi" }, result("find")), hello),
        of(
          hello,
          calls({ ...call("find"), functionCall: { id: "a", name: "find" } }),
          results({ functionResponse: { id: "b", name: "find", response: {} } }),
        ),
      ],
    },
    {
      rule: "GE5",
      says: "in the current turn the first call of each step has its signature, or what stands for it",
      accepts: [
        found,
        of(hello, calls(call("find"), unsigned("read")), results(result("find"), result("read"))),
        of(
          hello,
          calls(call("find", { thoughtSignature: "skip_thought_signature_validator" })),
          results(result("find")),
        ),
        of(hello, calls(unsigned("find")), results(result("find")), answered("It is here"), said("And now?")),
        of(
          hello,
          calls({ functionCall: { name: "find" }, thought_signature: "c2ln" }),
          results(result("find")),
        ),
      ],
      refuses: [
        of(hello, calls(unsigned("find")), results(result("find"))),
        of(hello, calls(unsigned("find"), call("read")), results(result("find"), result("read"))),
        of(
          hello,
          calls(call("find")),
          results(result("find")),
          calls(unsigned("read")),
          results(result("read")),
        ),
        of(hello, calls(call("find", { thoughtSignature: "" })), results(result("find"))),
      ],
    },
    {
      rule: "GE7",
      says: "no content and no part is empty",
      accepts: [of(hello, calls({ text: "", thoughtSignature: "c2ln" }), hello), of(said(" "))],
      refuses: [of(), of({ role: "user", parts: [] }), of(said("")), of(results({ text: "Hello" }, {}))],
    },
    {
      rule: "GE8",
      says: "args and response are objects",
      accepts: [
        found,
        of(hello, calls(call("find", { functionCall: { name: "find" } })), results(result("find"))),
      ],
      refuses: [
        of(
          hello,
          calls(call("find", { functionCall: { name: "find", args: "{}" } })),
          results(result("find")),
        ),
        of(hello, calls(call("find", { functionCall: { name: "find", args: [] } })), results(result("find"))),
        of(hello, calls(call("find")), results({ functionResponse: { name: "find", response: "ok" } })),
        of(hello, calls(call("find")), results({ functionResponse: { name: "find" } })),
      ],
    },
    {
      rule: "GE9",
      says: "there is no field that the API does not know, and one kind of data in a part",
      accepts: [
        of({ role: "user", parts: [{ text: "Hello", partMetadata: {} }] }),
        of(results({ inline_data: { mime_type: "image/png", data: "iVBORw0KGgo=" }, video_metadata: {} })),
        of(hello, calls({ toolCall: { id: "s", toolType: "GOOGLE_SEARCH" } }), hello),
      ],
      refuses: [
        of({ ...hello, id: "m1" }),
        of({ role: "user", parts: [{ type: "text", text: "Hello" }] }),
        of(
          hello,
          calls(call("find", { functionCall: { name: "find", type: "function" } })),
          results(result("find")),
        ),
        of(hello, calls({ text: "I look", ...call("find") }), results(result("find"))),
      ],
    },
    {
      rule: "GE11",
      says: "the roles are user and model; a system prompt stands apart",
      accepts: [{ systemInstruction: { role: "system", parts: [{ text: "Be brief." }] }, ...of(hello) }],
      refuses: [
        of({ role: "system", parts: [{ text: "Be brief." }] }, hello),
        { system_instruction: "Be brief.", ...of({ role: "system", parts: [{ text: "And kind." }] }, hello) },
        of({ role: "assistant", parts: [{ text: "Hi" }] }),
        of(hello, calls(call("find")), { role: "function", parts: [result("find")] }),
      ],
    },
  ],
  elsewhere: [
    {
      rule: "GE6",
      says: "a signature stays on its part, and goes to no other provider's model",
      file: FILE,
      accepts: "GE6: signatures come back on the part on which they came",
      refuses: "GE6: a signature of another provider is not sent",
    },
  ],
}

/** The rules that hold for some models and routes only. */
export const geminiDialectRules: Validity<GeminiRequest> = {
  title: "Gemini contents, before generation 3 and without ids",
  format: geminiFor({ generation: 2, ids: false }),
  cases: [
    {
      rule: "GE9",
      says: "calls and results have no id, where the route does not know it",
      accepts: [found, of(hello, calls(unsigned("find")), results(result("find")))],
      refuses: [
        of(
          hello,
          calls({ functionCall: { id: "a", name: "find" } }),
          results({ functionResponse: { id: "a", name: "find", response: { output: "ok" } } }),
        ),
      ],
    },
    {
      rule: "GE10",
      says: "before generation 3 images stand beside a response, not inside it",
      accepts: [of(hello, calls(unsigned("find")), results(result("find"), image))],
      refuses: [
        of(
          hello,
          calls(unsigned("find")),
          results({ functionResponse: { name: "find", response: { output: "ok" }, parts: [image] } }),
        ),
      ],
    },
  ],
  elsewhere: [],
}
