/**
 * Contract: any text in any field comes back as it was.
 *
 * @since 0.1.0
 */
import { Effect } from "effect"
import type { Message } from "../../thread/Message.ts"
import type { ThreadKey } from "../../thread/Row.ts"
import { message, recall, type StoreCase, same, storeCase, summary } from "./Case.ts"

const TEXTS: ReadonlyArray<readonly [name: string, text: string]> = [
  ["STORE-02 NUL", "a\u0000b\u0000"],
  [
    "STORE-02 NUL and half a character in nested JSON, its keys included",
    '{"a\u0000b":["x\u0000","\ud83d",{"\udc00":"\\u0000"}]}',
  ],
  ["a lone high surrogate", "x\ud83d y"],
  ["a lone low surrogate", "\ude00x"],
  ["surrogates the wrong way round", "\ude00\ud83d"],
  ["control characters", "\u0001\u001a\u001a0000\u001b[31m\u007f\u0085"],
  [
    "STORE-16 quotes, backslashes and look-alikes of parameters",
    `"'\\\\ \n\r\t $1 $$ ${"$"}{x} %s :a ?::json --;`,
  ],
  ["emoji and combining marks", "👩‍👩‍👧‍👦 e\u0301 \u202e אב ﷽"],
  ["text that looks escaped", "\\u0000 \\x00 &amp; %00 \u2028\u2029"],
  ["JSON that looks like a row", '{"kind":"summary","id":"m1","position":99}'],
  ["a very deep JSON text", "[".repeat(10_000) + "]".repeat(10_000)],
  ["integers beyond 2^53", '{"id":12345678901234567890,"x":0.1e400}'],
]

const everyPart = (text: string): ReadonlyArray<Message> => [
  {
    role: "user",
    name: text,
    synthetic: true,
    parts: [
      { type: "text", text },
      { type: "media", mediaType: text, data: text, name: text, width: 1, height: 2, detail: "low" },
      { type: "opaque", format: text, json: text },
    ],
  },
  {
    role: "assistant",
    name: text,
    parts: [
      { type: "reasoning", text, signature: text },
      { type: "tool-call", id: text, name: text, arguments: text, pending: true },
    ],
  },
  {
    role: "tool",
    parts: [
      { type: "tool-result", call: text, name: text, status: "denied", content: [{ type: "text", text }] },
    ],
  },
]

/** Ids are short texts: a very long one may be refused. */
const asId = (text: string): string => text.slice(0, 100)

const roundTrip = (name: string, text: string) =>
  storeCase(`round trip: ${name}`, (store, fresh) =>
    Effect.gen(function* () {
      const key: ThreadKey = { tenant: fresh.tenant + asId(text), chat: fresh.chat + asId(text) }
      yield* same("system", yield* store.open(key, text), text)
      const batch = everyPart(text).map((one, i) => ({
        ...message(`${asId(text)}${i}`, one),
        tokenizer: text,
        cap: [{ part: 0, item: 0, text }],
        raw: { format: text, text },
        usage: { model: text, counter: text, boundary: text, estimated: 1200, real: 1500 },
      }))
      const rows = yield* store.append(key, batch)
      yield* same(
        "appended",
        rows,
        batch.map((row, i) => ({ ...row, kind: "message", position: rows[i]?.position })),
      )
      const anchor = batch[0]?.id ?? ""
      const item = { id: text, kind: "fact", text, sources: [text] } as const
      const cut = { ...summary(anchor, { text, head: [anchor], summary: { items: [item] } }), id: asId(text) }
      yield* store.mark(key, cut)
      const block = { ...recall(batch[2]?.id ?? ""), text, sources: [text] }
      yield* store.mark(key, block)
      yield* store.fail(key, { anchor: batch[1]?.id ?? "", stage: "flush", reason: text, tokens: 1 })
      yield* store.saveDraft(key, asId(text), text)
      const thread = yield* store.load(key)
      yield* same("loaded system", thread.system, text)
      yield* same("cut", thread.cut, { ...cut, position: rows[0]?.position })
      yield* same("kept", thread.kept, [rows[0]])
      yield* same("rows", thread.rows, [rows[1], rows[2], { ...block, position: rows[2]?.position }])
      yield* same("failures", thread.failures, [
        { anchor: rows[1]?.id, stage: "flush", reason: text, tokens: 1 },
      ])
      yield* same("draft", yield* store.draft(key, asId(text)), text)
      yield* same("row", yield* store.row(key, rows[1]?.id ?? ""), rows[1])
      yield* same("again", yield* store.append(key, batch), rows)
      yield* same("faults", thread.faults, [])
    }),
  )

/** Texts. */
export const textCases: ReadonlyArray<StoreCase> = [
  ...TEXTS.map(([name, text]) => roundTrip(name, text)),
  storeCase("STORE-02 fields that this version does not know survive, whatever their names", (store, key) =>
    Effect.gen(function* () {
      const odd = {
        role: "user",
        kind: "summary",
        parts: [
          { type: "text", text: "x", kind: "reset", extra: { a: [1], "b\u0000c": ["x\u0000", "\ud83d"] } },
        ],
      }
      const rows = yield* store.append(key, [message("m1", odd as never)])
      yield* same("message", rows[0]?.message, odd)
      yield* same("kind", rows[0]?.kind, "message")
      yield* store.mark(key, { ...summary("m1"), extra: 7 } as never)
      const thread = yield* store.load(key)
      yield* same("cut", { ...thread.cut }, { ...summary("m1"), extra: 7, position: rows[0]?.position })
    }),
  ),
]
