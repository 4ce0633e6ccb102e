/** Whose memory a chat belongs to is said when it is first opened; flush and retrieval hear of nobody else. */
import { assistant, user } from "@palimpsest/core"
import { Engine, Facts, LongTermMemory, Tokens } from "@palimpsest/core/engine"
import { makeMemoryState } from "@palimpsest/core/testing"
import { Effect, Layer } from "effect"
import { assert, describe, it } from "vitest"

const words = Array.from({ length: 80 }, (_, i) => `word${i}`).join(" ")

/** Plays a chat in which each process says another owner. */
const ownersHeard = (said: ReadonlyArray<string | undefined>) => {
  const heard: Array<string> = []
  const facts = Layer.succeed(
    Facts,
    Facts.of({ flush: ({ owner }) => Effect.sync(() => heard.push(`flush ${owner}`)).pipe(Effect.as(0)) }),
  )
  const memory = Layer.succeed(
    LongTermMemory,
    LongTermMemory.of({
      retrieve: ({ owner }) =>
        Effect.sync(() => {
          heard.push(`retrieve ${owner}`)
          return { memories: [] }
        }),
    }),
  )
  const engine = Engine.layer.pipe(Layer.provide([makeMemoryState().layer, facts, memory, Tokens.layer]))
  const play = Effect.gen(function* () {
    for (const [i, owner] of said.entries()) {
      const step = yield* (yield* Engine).open(
        { tenant: "acme", chat: "7" },
        { budget: { window: 2_000 }, policy: { tailGroups: 1 }, ...(owner === undefined ? {} : { owner }) },
      )
      for (let turn = 0; turn < 8; turn++)
        yield* step.append([
          { message: assistant(`${i}.${turn} ${words}`) },
          { message: user(`Go on ${i}.${turn}`) },
        ])
      yield* step.prompt
      yield* step.end
    }
    return heard
  })
  return Effect.runPromise(Effect.provide(play, engine))
}

describe("the owner of a chat", () => {
  it.each([
    ["ada", ["ada", "bob", undefined, ""]],
    ["", [undefined, "ada"]],
  ] as const)("is %j for every flush and retrieval, whoever is named later", async (owner, said) => {
    const heard = await ownersHeard(said)
    assert.deepStrictEqual([...new Set(heard)].sort(), [`flush ${owner}`, `retrieve ${owner}`])
  })
})
