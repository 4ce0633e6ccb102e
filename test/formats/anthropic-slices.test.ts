import { groupsOf, type Message, openWindow, toolResult, user } from "@palimpsest/core"
import { conversation } from "@palimpsest/core/formats"
import { anthropic } from "@palimpsest/core/formats/anthropic"
import { assert, describe, it } from "vitest"
import { calls, settings, threadOf, used } from "../cases/Kit.ts"

const messages: ReadonlyArray<Message> = [
  user("Go"),
  calls("c1", "c2"),
  toolResult("c1", "one"),
  toolResult("c2", "two"),
  ...used("c3", 5),
  user("Next"),
  ...used("c4", 5),
]

/** Rules that a slice breaks, but for that of its first message: a request puts the user's words there. */
const brokenBy = (slice: ReadonlyArray<Message>): ReadonlyArray<string> => [
  ...new Set(
    anthropic
      .validate(anthropic.encode(conversation(slice)).request)
      .map(({ rule }) => rule)
      .filter((rule) => rule !== "AN1"),
  ),
]

/** Numbers of messages before the start of each group, and of all. */
const borders = (): ReadonlyArray<number> => {
  const options = settings(100_000)
  const { groups } = groupsOf(openWindow(threadOf(messages), options), options)
  return [...groups.map((group) => group.from), messages.length]
}

describe("what the provider is asked to count", () => {
  it("AN24 accepts: a slice of whole groups breaks no rule", () => {
    const places = borders()
    assert.deepStrictEqual(places, [0, 1, 4, 6, 7, 9])
    for (const from of places)
      for (const to of places)
        if (from < to) assert.deepStrictEqual(brokenBy(messages.slice(from, to)), [], `${from} to ${to}`)
  })

  it("AN24 refuses: a slice that splits a group is told before it is sent, and repaired", () => {
    const places = new Set(borders())
    for (let at = 0; at <= messages.length; at++) {
      if (places.has(at)) continue
      const [before, after] = [messages.slice(0, at), messages.slice(at)]
      assert.deepStrictEqual(brokenBy(before), ["AN3"], `before ${at}`)
      assert.deepStrictEqual(brokenBy(after), ["AN5"], `after ${at}`)
      for (const slice of [before, after]) {
        const { request } = anthropic.repair(anthropic.encode(conversation(slice)).request)
        assert.deepStrictEqual(anthropic.validate(request), [])
      }
    }
  })
})
