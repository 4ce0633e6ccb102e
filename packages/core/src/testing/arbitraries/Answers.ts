/**
 * Random chats in which providers report usage: of the prompt that was sent, of another one, or nonsense.
 *
 * @since 0.1.0
 */
import fc from "fast-check"
import { oddUsage } from "./Usages.ts"

/**
 * Something that happens in such a chat. `times` is the provider's count to ours.
 *
 * @category models
 * @since 0.1.0
 */
export type AnswerAction =
  | { readonly tag: "say"; readonly size: number }
  | { readonly tag: "prompt" | "compact" | "reset" | "overflowed" | "kill" }
  /** A response with the usage of the prompt before it; `after` puts a user message between the two. */
  | { readonly tag: "answer"; readonly size: number; readonly times: number; readonly after: boolean }
  | { readonly tag: "odd"; readonly usage: unknown }
  /** Another process goes on, and asks this model. */
  | { readonly tag: "reopen"; readonly model: string | null }

/**
 * A chat, its window, and the model that it begins with.
 *
 * @category models
 * @since 0.1.0
 */
export interface Answers {
  readonly window: number
  readonly tools: number
  readonly model: string | null
  readonly actions: ReadonlyArray<AnswerAction>
}

const size = fc.integer({ min: 1, max: 300 })

const model = fc.constantFrom("m", "m", "m", "n", null)

const times = fc.constantFrom(0.4, 0.8, 1, 1.2, 1.6, 2.2, 7)

const after = fc.nat(5).map((n) => n === 0)

const action: fc.Arbitrary<AnswerAction> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ tag: fc.constant("say" as const), size }) },
  { weight: 8, arbitrary: fc.constant({ tag: "prompt" as const }) },
  { weight: 7, arbitrary: fc.record({ tag: fc.constant("answer" as const), size, times, after }) },
  { weight: 1, arbitrary: oddUsage.map((usage) => ({ tag: "odd" as const, usage })) },
  {
    weight: 2,
    arbitrary: fc.constantFrom<AnswerAction>(
      { tag: "overflowed" },
      { tag: "compact" },
      { tag: "reset" },
      { tag: "kill" },
    ),
  },
  { weight: 1, arbitrary: fc.record({ tag: fc.constant("reopen" as const), model }) },
)

/**
 * Makes chats whose prompts are large enough to be learnt from.
 *
 * @category arbitraries
 * @since 0.1.0
 */
export const arbitraryAnswers: fc.Arbitrary<Answers> = fc.record({
  window: fc.constantFrom(3_000, 6_000, 20_000),
  tools: fc.constantFrom(0, 100),
  model,
  actions: fc.array(action, { maxLength: 16, size: "max" }),
})
