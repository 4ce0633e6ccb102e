import { isWellFormed, shorten, takeEnd, takeStart, wellFormed } from "@palimpsest/core"
import { assert, describe, it } from "vitest"

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
})
