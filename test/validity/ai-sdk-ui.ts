import { aiSdkUi, type UiRequest } from "@palimpsest/core/formats/ai-sdk-ui"
import type { Validity } from "./RuleCase.ts"

const said = (text: string) => ({ type: "text", text })
const hello = { id: "m1", role: "user", parts: [said("Hello")] }
const start = { type: "step-start" }
const turn = (...parts: ReadonlyArray<object>) => ({ id: "m2", role: "assistant", parts: [start, ...parts] })
const tool = (more: object, toolCallId = "c1") => ({
  type: "tool-find",
  toolCallId,
  input: { id: 7 },
  ...more,
})
const found = tool({ state: "output-available", output: { found: true } })
const asked = tool({ state: "approval-requested", approval: { id: "a1" } })
const allowed = tool({ state: "approval-responded", approval: { id: "a1", approved: true } })
const refused = { id: "a1", approved: false, reason: "no" }
const file = (url: string) => ({ type: "file", mediaType: "image/png", url })
const metadata = { openai: { itemId: "fc_1" } }

/** One turn after a greeting. */
const after = (...parts: ReadonlyArray<object>) => [hello, turn(...parts)]

/** The rules of the AI SDK's UI messages. */
export const aiSdkUiRules: Validity<UiRequest> = {
  title: "AI SDK UI messages",
  format: aiSdkUi,
  cases: [
    {
      rule: "VA1",
      says: "each call of the host's own tools has a result, or a person's decision in the last step",
      accepts: [
        after(found),
        after(allowed),
        after(tool({ state: "input-streaming" })),
        after(tool({ state: "input-available", providerExecuted: true })),
      ],
      refuses: [
        after(tool({ state: "input-available" })),
        after(asked),
        after(allowed, start, said("Wait.")),
        [...after(allowed), { ...hello, id: "m3" }],
      ],
    },
    {
      rule: "VA2",
      says: "no two calls have one id, and each has one that every provider takes",
      accepts: [after(found, tool({ state: "output-error", errorText: "no" }, "c2"))],
      refuses: [
        after(found, start, found),
        [...after(found), { ...turn(found), id: "m3" }],
        after(found, { ...found, providerExecuted: true }),
        after({ ...found, toolCallId: "call|fc_1" }),
      ],
    },
    {
      rule: "VA3",
      says: "there are messages that reach a model, and the system prompt is the first or none",
      accepts: [[{ id: "m0", role: "system", parts: [said("Be brief.")] }, hello]],
      refuses: [
        { messages: [] },
        [{ id: "m0", role: "system", parts: [said("Be brief.")] }],
        [turn({ type: "data-city", data: { name: "Kyiv" } })],
        [hello, { id: "m0", role: "system", parts: [said("Be brief.")] }],
      ],
    },
    {
      rule: "VA5",
      says: "no text is blank, no message and no result says nothing, and no step is of reasoning alone",
      accepts: [
        [{ id: "m1", role: "user", parts: [{ type: "data-city", data: { name: "Kyiv" } }] }],
        after({ ...said(""), providerMetadata: { google: { thoughtSignature: "c2ln" } } }, found),
        after({ type: "reasoning", text: "Hm." }, said("Hello.")),
        [hello, { id: "m2", role: "assistant", parts: [] }],
      ],
      refuses: [
        [{ id: "m1", role: "user", parts: [] }],
        [{ id: "m1", role: "user", parts: [said(" ")] }],
        after(said(""), found),
        after({ type: "reasoning", text: "Hm." }),
        after({ type: "reasoning", text: "Hm." }, start, found),
        after({ ...said(""), providerMetadata: { anthropic: { type: "compaction" } } }, found),
        after(tool({ state: "output-available", output: "" })),
        after(tool({ state: "output-error", errorText: " " })),
        after(tool({ state: "output-denied", approval: { ...refused, reason: "" } })),
      ],
    },
    {
      rule: "VA8",
      says: "a file has data that can be sent, and a call an object",
      accepts: [
        [{ id: "m1", role: "user", parts: [file("data:image/png;base64,aGVs")] }],
        [{ id: "m1", role: "user", parts: [file("https://example.org/a.png")] }],
        after(file("https://example.org/a.png"), found),
        after(tool({ state: "output-error", errorText: "no", input: undefined, rawInput: { id: 7 } })),
      ],
      refuses: [
        [{ id: "m1", role: "user", parts: [file("")] }],
        [{ id: "m1", role: "user", parts: [file("blob:1")] }],
        after(file("data:image/png;base64,"), found),
        after(tool({ state: "output-available", output: 1, input: null })),
        after(tool({ state: "output-error", errorText: "no", input: "{" })),
        after(tool({ state: "output-error", errorText: "no", input: undefined, rawInput: '{"id"' })),
      ],
    },
    {
      rule: "VA9",
      says: "a call has what its state demands, and the metadata of its result only with a result",
      accepts: [
        after(
          tool({ state: "output-available", output: 1, preliminary: true, resultProviderMetadata: metadata }),
        ),
        after(tool({ state: "output-error", errorText: "no", approval: { id: "a1", approved: true } })),
        after(tool({ state: "output-denied", approval: refused })),
        after({ ...found, type: "dynamic-tool", toolName: "find", callProviderMetadata: metadata }),
      ],
      refuses: [
        after(tool({ state: "output-error" })),
        after(tool({ state: "output-denied" })),
        after(tool({ state: "output-available", output: 1, approval: refused })),
        after(tool({ state: "output-available", output: 1, errorText: "no" })),
        after(tool({ state: "approval-responded", approval: { id: "a1" } })),
        after(tool({ state: "input-streaming", resultProviderMetadata: metadata })),
        after(tool({ state: "call" })),
        after({ type: "tool-find", toolCallId: "c1", state: "output-available", output: 1 }),
        after(tool({ state: "output-available" })),
        after({ type: "data-city" }, found),
      ],
    },
    {
      rule: "VA10",
      says: "each message has an id of its own: a step is named by it and by the number of the step",
      accepts: [[hello, { ...hello, id: "m2" }]],
      refuses: [[hello, hello], [{ ...hello, id: "" }], [{ role: "user", parts: [said("Hello")] }]],
    },
    {
      rule: "PG2",
      says: "no string holds half of a character",
      accepts: [[{ id: "m1", role: "user", parts: [said("🚀")] }]],
      refuses: [[{ id: "m1", role: "user", parts: [said("\ud83d")] }]],
    },
  ],
  elsewhere: [],
}
