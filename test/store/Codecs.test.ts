import type { Failure, Mark, Message, MessageRow, Pass, Patch, Summary } from "@palimpsest/core"
import { user } from "@palimpsest/core"
import type {
  FailureCodec,
  MarkPayloadCodecs,
  MessageCodec,
  PassCodec,
  PatchesCodec,
  SummaryCodec,
} from "@palimpsest/core/engine"
import { decodeMark, decodeMessage, encodeMark, encodeMessage, samePayload } from "@palimpsest/core/engine"
import { arbitraryRows } from "@palimpsest/core/testing"
import { Result } from "effect"
import fc from "fast-check"
import { assert, describe, expectTypeOf, it } from "vitest"

type Place = "id" | "kind" | "position" | "anchor" | "revision"
type Payload<K extends Mark["kind"]> = Omit<Extract<Mark, { readonly kind: K }>, Place>
type Codec<K extends Mark["kind"]> = (typeof MarkPayloadCodecs)[K]["Type"]

describe("codecs and hand-written types", () => {
  it("are the same types", () => {
    expectTypeOf<typeof MessageCodec.Type>().toExtend<Message>()
    expectTypeOf<Message>().toExtend<typeof MessageCodec.Type>()
    expectTypeOf<typeof SummaryCodec.Type>().toExtend<Summary>()
    expectTypeOf<Summary>().toExtend<typeof SummaryCodec.Type>()
    expectTypeOf<typeof PassCodec.Type>().toExtend<Pass>()
    expectTypeOf<Pass>().toExtend<typeof PassCodec.Type>()
    expectTypeOf<typeof FailureCodec.Type>().toExtend<Failure>()
    expectTypeOf<Failure>().toExtend<typeof FailureCodec.Type>()
    expectTypeOf<typeof PatchesCodec.Type>().toExtend<ReadonlyArray<Patch>>()
    expectTypeOf<ReadonlyArray<Patch>>().toExtend<typeof PatchesCodec.Type>()
    expectTypeOf<Codec<"summary">>().toExtend<Payload<"summary">>()
    expectTypeOf<Payload<"summary">>().toExtend<Codec<"summary">>()
    expectTypeOf<Codec<"prune">>().toExtend<Payload<"prune">>()
    expectTypeOf<Payload<"prune">>().toExtend<Codec<"prune">>()
    expectTypeOf<Codec<"recall">>().toExtend<Payload<"recall">>()
    expectTypeOf<Payload<"recall">>().toExtend<Codec<"recall">>()
  })
})

describe("stored rows", () => {
  it("a message comes back as it was", () => {
    fc.assert(
      fc.property(arbitraryRows(), (rows) =>
        rows.every((row) => {
          const stored = Result.getOrThrow(encodeMessage(row))
          const read: MessageRow = Result.getOrThrow(decodeMessage({ ...stored, position: row.position }))
          assert.deepStrictEqual(read, row)
          return true
        }),
      ),
      { numRuns: 200 },
    )
  })

  it("a mark's own kind counts, and not one in its payload", () => {
    const stored = Result.getOrThrow(encodeMark({ kind: "reset", id: "r", anchor: "m1", revision: 0 }))
    const read = decodeMark({ ...stored, payload: '{"kind":"summary","id":"x","position":9}', position: 3 })
    assert.deepInclude(Result.getOrThrow(read), { kind: "reset", id: "r", position: 3 })
  })

  it.each([
    ["another order of keys", '{"a":1,"b":[{"c":1,"d":2}]}', '{"b":[{"d":2,"c":1}],"a":1}', true],
    ["another order of items", "[1,2]", "[2,1]", false],
    ["a list and an object like it", '{"0":1}', "[1]", false],
    ["another value", '{"a":1}', '{"a":2}', false],
    ["no JSON", "x", "y", false],
  ])("payloads with %s", (_, a, b, same) => {
    assert.strictEqual(samePayload(a, b), same)
  })

  it.each([
    ["a bigint", { ...user("x"), extra: 1n }],
    ["no parts", { role: "user" }],
    ["a part of no kind", { role: "user", parts: [{ type: "video" }] }],
    ["nothing", undefined],
  ])("a message with %s is refused", (_, message) => {
    const result = encodeMessage({ id: "m", message: message as Message, tokens: 1, tokenizer: "t" })
    assert.isTrue(Result.isFailure(result))
  })
})
