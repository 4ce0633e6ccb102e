import {
  groupsOf,
  isWellFormed,
  layout,
  messagesOf,
  reduceWindow,
  type StubRegistry,
  shorten,
  takeEnd,
  takeStart,
  toolResult,
  user,
  wellFormed,
} from "@palimpsest/core"
import { toOpenAiChat } from "@palimpsest/core/formats/openai-chat"
import { Effect } from "effect"
import { assert, describe, it } from "vitest"
import {
  allRows,
  calls,
  faultsOf,
  inputs,
  look,
  open,
  run,
  sentTexts,
  settings,
  threadOf,
  used,
} from "./Kit.ts"

describe("texts that are shortened or come from tools", () => {
  it("UNI-01 a cut through an emoji leaves no half of it", () => {
    const text = `${"a".repeat(99)}🚀${"b".repeat(99)}`
    assert.strictEqual(takeStart(text, 100), "a".repeat(99))
    assert.strictEqual(takeEnd(text, 100), "b".repeat(99))
    for (let units = 0; units <= text.length; units++) assert.isTrue(isWellFormed(shorten(text, units)))
  })

  it("UNI-03 what a host's own cut has halved is well formed before it is sent", () => {
    const halved = "Deploy 🚀 now".slice(0, 8)
    assert.isFalse(isWellFormed(halved))
    assert.strictEqual(wellFormed(halved), "Deploy \ufffd")
  })

  it("UNI-04 halves from a binary tool are replaced, and the rest stays equal", () => {
    assert.strictEqual(wellFormed("ok \udc00 \ud800 end"), "ok \ufffd \ufffd end")
    assert.strictEqual(wellFormed("\ud800\ud83d\ude80\ude80"), "\ufffd🚀\ufffd")
  })

  it("UNI-03 what a host's own one-liner has halved is whole on the wire", () => {
    const stubs: StubRegistry = new Map([["read", () => "Deploy 🚀 now".slice(0, 8)]])
    const messages = [user("Go"), ...used("c1", 2_200), user("Next"), ...used("c2", 100)]
    const options = { ...settings(4_000, { tailGroups: 0 }), stubs }
    const { decision, window } = look(threadOf(messages), options)
    if (decision._tag !== "Prune") return assert.fail(decision._tag)
    assert.deepStrictEqual(
      decision.reductions.map(({ row }) => row),
      ["m3"],
    )
    const reduced = reduceWindow(window, decision.reductions)
    const prompt = layout(reduced, groupsOf(reduced, options), options)
    assert.include(sentTexts(prompt)[2], "Deploy")
    assert.deepStrictEqual(faultsOf(prompt), [])
  })

  it("UNI-04 halves from a tool are replaced on the wire, and come back from the store as they were", () =>
    run(
      Effect.gen(function* () {
        const halves = toolResult("c1", "ok \udc00 \ud800 end")
        const step = yield* open(4_000)
        yield* step.append(inputs([user("Go"), calls("c1"), halves]))
        const wire = JSON.stringify(toOpenAiChat(messagesOf(yield* step.prompt)))
        assert.include(wire, "ok \ufffd \ufffd end")
        assert.isTrue(isWellFormed(JSON.parse(wire)[2].content))
        yield* step.end
        const stored = (yield* allRows()).at(-1)
        assert.deepStrictEqual(stored?.kind === "message" && stored.message, halves)
      }),
    ))
})
