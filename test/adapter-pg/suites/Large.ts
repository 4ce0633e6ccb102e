import { textOf, type user } from "@palimpsest/core"
import { BlobStore, ThreadStore } from "@palimpsest/core/engine"
import { Effect } from "effect"
import { assert, describe, it } from "vitest"
import { type Bench, freshKey, message, messages, summary } from "./Damage.ts"

const MEGABYTE = 1_000_000

/** Of every sort that needs an escape somewhere on its way. */
const awkward = (length: number): string =>
  '\u0000\\"\ud800\u001a\n😀é'.repeat(Math.ceil(length / 9)).slice(0, length)

/** Text compared by equality first: a difference of megabytes is nothing to print. */
const assertSame = (actual: string | undefined, expected: string) =>
  assert.isTrue(actual === expected, `${actual?.length} units came back for ${expected.length}`)

const textIn = (row: { readonly kind: string; readonly message?: unknown } | null | undefined) =>
  row?.kind === "message" ? textOf((row.message as ReturnType<typeof user>).parts) : undefined

export const largeSuite = (bench: Bench) =>
  describe("large values", () => {
    for (const [what, text] of [
      ["a message of 16 MB", () => "0123456789abcdef".repeat(MEGABYTE)],
      ["a message of nothing but escapes", () => awkward(300_000)],
    ] as const) {
      it(`${what} comes back whole, and a window after it does not read it`, () =>
        bench.runPromise(
          Effect.gen(function* () {
            const store = yield* ThreadStore
            const key = freshKey()
            const large = text()
            yield* store.append(key, [message(1, large), ...messages(2, 4)])
            assertSame(textIn((yield* store.load(key)).rows[0]), large)
            assertSame(textIn(yield* store.row(key, "m1")), large)
            yield* store.mark(key, summary("m2"))
            assert.isBelow(JSON.stringify(yield* store.load(key)).length, 2_000)
          }),
        ))
    }

    it("a message that is larger than a row may be is refused by name", () =>
      bench.runPromise(
        Effect.gen(function* () {
          const store = yield* ThreadStore
          const error = yield* Effect.flip(store.append(freshKey(), [message(1, "x".repeat(26 * MEGABYTE))]))
          assert.strictEqual(error._tag, "RowError")
        }),
      ))

    it("values of 16 MiB and of 30 MB are kept apart from the rows", () =>
      bench.runPromise(
        Effect.gen(function* () {
          const blobs = yield* BlobStore
          const key = freshKey()
          const values = new Map([
            ["a", "x".repeat(16 * 1024 * 1024)],
            ["b", "y".repeat(30 * MEGABYTE)],
          ])
          yield* blobs.put(
            key,
            [...values].map(([id, text]) => ({ id, text })),
          )
          const read = yield* blobs.get(key, ["a", "b"])
          for (const [id, text] of values) assertSame(read.get(id), text)
        }),
      ))
  })
