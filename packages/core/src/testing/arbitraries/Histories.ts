/**
 * Random histories of a chat: what is said, what is asked of the engine, what fails, who else is at work.
 *
 * @since 0.1.0
 */
import fc from "fast-check"
import type { BudgetInput } from "../../decide/Budget.ts"
import type { Policy } from "../../decide/Policy.ts"
import { arbitraryMove, type Move } from "./Moves.ts"
import { arbitraryBudget, arbitraryPolicy, arbitrarySystem } from "./Policies.ts"

/**
 * How the summariser behaves.
 *
 * @category models
 * @since 0.1.0
 */
export type SummariserMode =
  | "good"
  | "every-rule"
  | "down"
  | "busy"
  | "refusal"
  | "garbage"
  | "echo"
  | "twice"
  | "forgetful"

/**
 * What fails from now on.
 *
 * @category models
 * @since 0.1.0
 */
export type Trouble =
  | { readonly of: "summariser"; readonly mode: SummariserMode }
  | { readonly of: "facts"; readonly down: boolean }
  | { readonly of: "memory"; readonly down: boolean }
  /** The n-th operation of the store fails: before it did anything, or when its answer was lost. */
  | { readonly of: "store"; readonly call: number; readonly done: boolean }

/**
 * Something that happens in a history.
 *
 * @category models
 * @since 0.1.0
 */
export type Action =
  | { readonly tag: "move"; readonly move: Move }
  | { readonly tag: "prompt" | "compact" | "checkpoint" | "reset" }
  /** The process dies with what it had not stored, and another one opens the thread. */
  | { readonly tag: "kill" }
  /** The step ends, and another process opens the thread. */
  | { readonly tag: "reopen"; readonly budget: BudgetInput | null }
  /** Another worker opens the same thread, says something or not, makes a prompt and ends. */
  | { readonly tag: "foreign"; readonly move: Move | null; readonly compact: boolean }
  | { readonly tag: "trouble"; readonly trouble: Trouble }

/**
 * A history and the settings under which it runs.
 *
 * @category models
 * @since 0.1.0
 */
export interface History {
  readonly system: string
  readonly policy: Policy
  readonly budget: BudgetInput
  readonly actions: ReadonlyArray<Action>
}

const tag = <T extends string>(name: T) => fc.constant({ tag: name })

const trouble: fc.Arbitrary<Trouble> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      of: fc.constant("summariser" as const),
      mode: fc.constantFrom<SummariserMode>(
        "good",
        "every-rule",
        "down",
        "busy",
        "refusal",
        "garbage",
        "echo",
        "twice",
        "forgetful",
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ of: fc.constantFrom("facts" as const, "memory" as const), down: fc.boolean() }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      of: fc.constant("store" as const),
      call: fc.integer({ min: 1, max: 6 }),
      done: fc.boolean(),
    }),
  },
)

const calm: fc.Arbitrary<Action> = fc.oneof(
  { weight: 20, arbitrary: arbitraryMove.map((move) => ({ tag: "move" as const, move })) },
  { weight: 10, arbitrary: tag("prompt") },
  { weight: 2, arbitrary: tag("checkpoint") },
  { weight: 1, arbitrary: tag("compact") },
  { weight: 1, arbitrary: tag("reset") },
  { weight: 2, arbitrary: tag("kill") },
  {
    weight: 2,
    arbitrary: fc.record({
      tag: fc.constant("reopen" as const),
      budget: fc.option(arbitraryBudget, { freq: 2 }),
    }),
  },
)

const rough: fc.Arbitrary<Action> = fc.oneof(
  { weight: 10, arbitrary: calm },
  {
    weight: 1,
    arbitrary: fc.record({
      tag: fc.constant("foreign" as const),
      move: fc.option(arbitraryMove),
      compact: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: trouble.map((one) => ({ tag: "trouble" as const, trouble: one })) },
)

const history = (action: fc.Arbitrary<Action>): fc.Arbitrary<History> =>
  fc.record({
    system: arbitrarySystem,
    policy: arbitraryPolicy,
    budget: arbitraryBudget,
    actions: fc.array(action, { maxLength: 22, size: "max" }),
  })

/**
 * Makes histories in which anything may fail, and others write too.
 *
 * @category arbitraries
 * @since 0.1.0
 */
export const arbitraryHistory: fc.Arbitrary<History> = history(rough)

/**
 * Makes histories of one worker at a time, in which nothing fails.
 *
 * @category arbitraries
 * @since 0.1.0
 */
export const arbitraryCalmHistory: fc.Arbitrary<History> = history(calm)
