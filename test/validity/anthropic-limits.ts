import { call, heard, hello, marked, result, said, says } from "../formats/AnthropicWire.ts"
import { png } from "../formats/Pictures.ts"
import type { RuleCase } from "./RuleCase.ts"

const search = { type: "server_tool_use", id: "s1", name: "web_search", input: { query: "q" } }
const searched = { type: "web_search_tool_result", tool_use_id: "s1", content: [] }
const byProgram = { ...call("c1"), caller: { type: "code_execution_20250825", tool_id: "s1" } }
const image = (width: number, height: number) => ({
  type: "image",
  source: { type: "base64", media_type: "image/png", data: png(width, height) },
})
const of = (...messages: ReadonlyArray<unknown>) => ({ messages })
const used = [hello, said(call("c1")), heard(result("c1"))]

/** An image of so much data. */
const heavy = (letters: number) => ({
  type: "image",
  source: { type: "base64", media_type: "image/png", data: "A".repeat(letters) },
})

/** The rules of Anthropic's Messages about what a request holds beside talk: tools that it runs, caches, images. */
export const anthropicLimits: ReadonlyArray<RuleCase> = [
  {
    rule: "AN18",
    says: "calls of the provider, their results and their callers are in one response",
    accepts: [
      of(hello, said(search, searched, says("So.")), hello),
      of(hello, said(search), said(searched, says("So.")), hello),
      of(hello, said(search)),
      of(hello, said(search, byProgram), heard(result("c1"))),
      of(
        hello,
        said(search, byProgram),
        heard(result("c1")),
        said({ ...searched, type: "code_execution_tool_result" }, says("So.")),
        hello,
      ),
      of(hello, said({ ...call("c1"), caller: { type: "direct" } }), heard(result("c1"))),
    ],
    refuses: [
      of(hello, said(searched, says("So.")), hello),
      of(hello, said(searched, search, says("So.")), hello),
      of(hello, said(search), hello, said(searched)),
      of(hello, said(search, says("So.")), hello),
      of(hello, said(byProgram), heard(result("c1"))),
      of(heard(says("Hi"), search, searched)),
    ],
  },
  {
    rule: "AN19",
    says: "at most four cache breakpoints, and none on an empty block",
    accepts: [
      {
        tools: [{ name: "find", input_schema: { type: "object" }, ...marked }],
        system: [{ ...says("Be brief."), ...marked }],
        ...of(heard({ ...says("Hi"), ...marked }, { ...says("you"), ...marked }), said()),
      },
      of(heard({ ...says("Hi"), cache_control: null })),
    ],
    refuses: [
      of(heard(...Array.from({ length: 5 }, () => ({ ...says("Hi"), ...marked })))),
      {
        cache_control: { type: "ephemeral" },
        tools: [
          { name: "f", input_schema: { type: "object" }, ...marked },
          { name: "g", input_schema: { type: "object" }, ...marked },
        ],
        system: [
          { ...says("a"), ...marked },
          { ...says("b"), ...marked },
        ],
        ...of(
          hello,
          said(call("c1")),
          heard(result("c1", [{ ...says("x"), ...marked }], marked), { ...says("y"), ...marked }),
        ),
      },
      of(heard({ ...says(" "), ...marked }, says("Hi"))),
    ],
  },
  {
    rule: "AN20",
    says: "images are few enough and small enough",
    accepts: [
      of(heard(image(8_000, 8_000))),
      of(heard(...Array.from({ length: 21 }, () => image(2_000, 10)))),
      of(heard(...Array.from({ length: 20 }, () => image(2_001, 10)))),
    ],
    refuses: [
      of(heard(image(8_001, 10))),
      of(hello, said(call("c1")), heard(result("c1", [image(10, 9_000)]))),
      of(heard(...Array.from({ length: 21 }, () => image(2_001, 10)))),
      of(heard(...Array.from({ length: 101 }, () => image(10, 10)))),
      of(heard(...Array.from({ length: 121 }, (_, i) => image(10, i === 120 ? 2_001 : 1_000)))),
      of(heard({ ...heavy(11_000_000), ...marked })),
      of(heard(...Array.from({ length: 4 }, () => heavy(9_000_000)))),
    ],
  },
  {
    rule: "AN21",
    says: "at most 100,000 messages",
    accepts: [of(...Array.from({ length: 100_000 }, () => hello))],
    refuses: [of(...Array.from({ length: 100_001 }, (_, i) => (i % 2 === 0 ? hello : said(says("Hi")))))],
  },
  {
    rule: "AN22",
    says: "a compaction says something, or null, and is the model's",
    accepts: [
      of(hello, said({ type: "compaction", content: "Summary" }, says("Hi")), hello),
      of(said({ type: "compaction", content: null }), hello),
    ],
    refuses: [
      of(said({ type: "compaction", content: "" }), hello),
      of(heard({ type: "compaction", content: "Summary" })),
    ],
  },
  {
    rule: "AN23",
    says: "a request whose history holds calls comes with tools",
    accepts: [
      { model: "claude", tools: [{ name: "other", input_schema: { type: "object" } }], ...of(...used) },
      { model: "claude", ...of(hello) },
      of(...used),
    ],
    refuses: [
      { model: "claude", ...of(...used) },
      { model: "claude", tools: [], ...of(...used) },
      { model: "claude", ...of(hello, said({ ...call("c1"), name: "a.b" }), heard(result("c1"))) },
    ],
  },
  {
    rule: "AN25",
    says: "the result of a call that failed says something, in text only",
    accepts: [of(hello, said(call("c1")), heard(result("c1", [says("no")], { is_error: true })))],
    refuses: [
      of(hello, said(call("c1")), heard(result("c1", [], { is_error: true }))),
      of(hello, said(call("c1")), heard({ type: "tool_result", tool_use_id: "c1", is_error: true })),
      of(hello, said(call("c1")), heard(result("c1", [image(1, 1)], { is_error: true }))),
    ],
  },
  {
    rule: "PG2",
    says: "no string holds half of a character",
    accepts: [of({ role: "user", content: "🚀" })],
    refuses: [of({ role: "user", content: "\ud83d" })],
  },
]
