/**
 * Law 5: determinism.
 *
 * @since 0.1.0
 */
import { Effect } from "effect"
import { toOpenAiChat } from "../../formats/openai-chat/Encode.ts"
import { messagesOf, type Prompt } from "../../prompt/Layout.ts"
import { canonicalJson } from "../../thread/Id.ts"
import { copyOf, onHistories, openIn } from "../History.ts"
import type { Law } from "../Law.ts"
import { calmDown, makeWorld } from "../World.ts"
import { look, onScenes } from "./Look.ts"

/**
 * A value with the keys of its objects the other way round.
 *
 * @category getters
 * @since 0.1.0
 */
export const reversedKeys = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(reversedKeys)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, one]) => [key, reversedKeys(one)]),
  )
}

/**
 * The bytes that go to a provider.
 *
 * @category getters
 * @since 0.1.0
 */
export const bytesOf = (prompt: Prompt): string =>
  JSON.stringify(toOpenAiChat(messagesOf(prompt), { system: prompt.system }))

const freeze = <A>(value: A): A => {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value) && !(value instanceof Map)) {
    Object.freeze(value)
    Object.values(value).forEach(freeze)
  }
  return value
}

const pure = onScenes("the order of keys does not matter, and nothing given is changed", (seen) => {
  const { thread, settings, circumstances } = seen
  const other = look({ thread: freeze(reversedKeys(thread) as typeof thread), settings, circumstances })
  return (
    canonicalJson(other.decision) === canonicalJson(seen.decision) &&
    (other.prompt === null
      ? seen.prompt === null
      : seen.prompt !== null && bytesOf(other.prompt) === bytesOf(seen.prompt))
  )
})

const data = onScenes("a decision is plain data", ({ decision }) => {
  return canonicalJson(JSON.parse(JSON.stringify(decision))) === canonicalJson(decision)
})

/** What a fresh process sends for the rows of a store, or why it cannot. */
const fresh = (trace: Parameters<Parameters<typeof onHistories>[1]>[0], change: (json: string) => string) =>
  Effect.gen(function* () {
    const world = makeWorld(copyOf(trace.world.memory, change))
    const step = yield* openIn(world, trace.history, trace.budget)
    return yield* step.prompt.pipe(
      Effect.map(bytesOf),
      Effect.catch((error) => Effect.succeed(error.message)),
    )
  })

const runs = onHistories(
  "two processes send the same bytes for the same rows, in any order of keys",
  (trace) =>
    Effect.gen(function* () {
      calmDown(trace.world)
      const one = yield* fresh(trace, (json) => json)
      const two = yield* fresh(trace, (json) => JSON.stringify(reversedKeys(JSON.parse(json))))
      return one === two
    }),
)

/**
 * Holds law 5: the same rows and settings give the same bytes.
 *
 * @category laws
 * @since 0.1.0
 */
export const determinismLaw: Law = { number: 5, title: "Determinism", properties: [pure, data, runs] }
