/** Searches by the recall tool: with an index, without one, and with one that fails. */
import { StoreError } from "@palimpsest/core/engine"
import { Effect } from "effect"
import { assert, describe, it } from "vitest"
import { answer, answers, document, finding, indexOf, SECRET } from "./ToolKit.ts"

describe("a search", () => {
  it("without an index finds what the chat says, and says that it is all", async () => {
    const policy = { trigger: { fraction: 0.05, tokens: 400 }, result: { fraction: 1, tokens: 1_500 } }
    const { text } = await answer({ query: "where is parcel 4417" }, { options: { policy } })
    assert.include(text, 'recall("m3")')
    assert.include(text, "(only this conversation was searched, by words)")
  })

  it("asks the index of the owner, without what the model sees", async () => {
    const seen: Array<unknown> = []
    const layer = indexOf((request) => {
      seen.push(request)
      return Effect.succeed({ found: [], scan: "none", degraded: ["no vectors"] })
    })
    const { text, degraded } = await answer({ query: `tea ${SECRET}` }, { layer })
    assert.deepInclude(seen[0], { tenant: "acme", owner: "", query: "tea [secret]" })
    assert.deepNestedInclude(seen[0], { "except.chat": "7" })
    assert.include(text, "Nothing was found for it.")
    assert.deepStrictEqual(
      degraded.map(({ stage, reason }) => `${stage}: ${reason}`),
      ["recall: no vectors"],
    )
  })

  it("gives a text once, with its day and its row, and nothing of another owner", async () => {
    const layer = finding(
      document("I take tea."),
      document("I take\ntea.", { row: "m9" }),
      document("I take coffee.", { owner: "bob" }),
      document("Tea it is.", { chat: "7", row: "old", role: "assistant" }),
    )
    const { text } = await answer({ query: "tea" }, { layer })
    assert.deepStrictEqual(text.split("\n").slice(2, -1), [
      '- I take tea. [user, 2026-10-05, recall("chat:3/m5")]',
      '- Tea it is. [assistant, 2026-10-05, recall("old")]',
    ])
  })

  it("goes on where the page before ended", async () => {
    const layer = finding(
      ...Array.from({ length: 25 }, (_, i) => document(`memory ${i} of tea`, { row: `m${i}` })),
    )
    const [first, second, third] = await answers(
      [{ query: "tea" }, { query: "tea", page: "10" }, { query: "tea", page: 20 }],
      { layer },
    )
    assert.include(first?.text, 'page "10"')
    assert.include(second?.text, "memory 10 of tea")
    assert.notInclude(third?.text, "there is more")
  })

  it.each([
    [
      "fails",
      indexOf(() => Effect.fail(new StoreError({ operation: "search", reason: "down", isRetryable: true }))),
    ],
    ["dies", indexOf(() => Effect.die("no"))],
  ])("searches the chat where the index %s, and tells", async (_, layer) => {
    const { text, isError, degraded } = await answer({ query: "parcel" }, { layer })
    assert.isFalse(isError)
    assert.include(text, "(only this conversation was searched, by words)")
    assert.lengthOf(degraded, 1)
  })
})
