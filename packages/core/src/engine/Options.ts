/**
 * What a host gives when it opens a step.
 *
 * @since 0.1.0
 */
import { type Accounting, defaultAccounting } from "../count/Accounting.ts"
import { countTools, type Tool } from "../count/Count.ts"
import type { TokenCounter } from "../count/TokenCounter.ts"
import { type BudgetInput, makeBudget } from "../decide/Budget.ts"
import { defaultPolicy, type Policy } from "../decide/Policy.ts"
import type { Settings } from "../decide/Settings.ts"
import { defaultStubs, type StubRegistry } from "../prepass/Stub.ts"
import type { OutboundFilter } from "../prompt/OutboundText.ts"
import { redact } from "../summary/Redact.ts"
import type { Redact } from "../summary/SafeRedact.ts"

/**
 * How often and how long the flush before a summary is tried, before the pass is put off.
 *
 * @category models
 * @since 0.1.0
 */
export interface FlushPatience {
  /** Tries in all, of those that may be repeated; 3 by default. */
  readonly tries?: number
  /** Milliseconds before the second try, which double with each one; 500 by default. */
  readonly pause?: number
  /** Milliseconds for all tries and pauses; 60,000 by default. */
  readonly timeout?: number
}

/**
 * Options of a step. Only the model's window must be said.
 *
 * @category models
 * @since 0.1.0
 */
export interface StepOptions {
  /** Tokens of the model's window, and what is kept free of it. `tools` is counted from the schemas when absent. */
  readonly budget: BudgetInput
  /** Name of the model that is asked: usage is learnt from for each model apart, and not at all without a name. */
  readonly model?: string
  /** Kept on the chat when it is opened first; later values are ignored, so that the prefix stays the same. */
  readonly system?: string
  /**
   * Whose memory the chat feeds and reads, within its tenant: such as the id of a person. Kept on the chat when it is opened
   * first, like the system prompt; later values are ignored. Without one it is the memory that all chats of the tenant
   * without one share.
   */
  readonly owner?: string
  /** Replaces the system prompt that is kept, on purpose. */
  readonly replaceSystem?: boolean
  /** The tools that the model is offered: they are counted in the budget. */
  readonly tools?: ReadonlyArray<Tool>
  readonly policy?: Partial<Policy>
  readonly accounting?: Accounting
  /**
   * What each text of the thread passes before it leaves: in the prompt, and in what is sent to the summariser, to the
   * extractor of facts and to the search of memories. Rows are stored as they were said; summaries and facts are made
   * of what passed. A text on which it throws is withheld, no pass covers it, and the prompt tells.
   */
  readonly outbound?: OutboundFilter
  /** One-liners for the results of the host's own tools. */
  readonly stubs?: StubRegistry
  /**
   * Milliseconds without a sign of life after which the process that makes a summary counts as dead; others wait for
   * it so long. 15,000 by default. A number above 0 that a timer can wait, like the next one.
   */
  readonly lease?: number
  /** Milliseconds that one request to the summariser may take; 120,000 by default. */
  readonly summariserTimeout?: number
  /** How often and how long the flush before a summary is tried. */
  readonly flush?: FlushPatience
}

/**
 * Fills in the defaults.
 *
 * @category combinators
 * @since 0.1.0
 */
export const settingsOf = (options: StepOptions, counter: TokenCounter, clean: Redact = redact): Settings => {
  const accounting = options.accounting ?? defaultAccounting
  const tools = options.budget.tools ?? countTools(options.tools ?? [], counter, accounting)
  return {
    counter,
    accounting,
    budget: makeBudget({ ...options.budget, tools }),
    policy: { ...defaultPolicy, ...options.policy },
    stubs: options.stubs ?? defaultStubs,
    redact: clean,
  }
}

/** Milliseconds: timers of JavaScript count them in 31 bits. */
const LONGEST_WAIT = 2 ** 31 - 1

interface Fault {
  readonly field: string
  readonly reason: string
}

const checkTries = (tries: number | undefined): ReadonlyArray<Fault> =>
  tries === undefined || (Number.isInteger(tries) && tries >= 1)
    ? []
    : [{ field: "flush.tries", reason: `must be a whole number of at least 1, and is ${tries}` }]

/**
 * Checks the times of a step: without one above 0 a lease would be prolonged without a pause, and with one that never
 * ends a step would wait for a process that died.
 *
 * @category guards
 * @since 0.1.0
 */
export const checkTimes = ({ lease, summariserTimeout, flush = {} }: StepOptions): ReadonlyArray<Fault> => {
  const times = {
    lease,
    summariserTimeout,
    "flush.pause": flush.pause,
    "flush.timeout": flush.timeout,
  }
  const faults = Object.entries(times)
    .filter(([, value]) => value !== undefined && !(value > 0 && value <= LONGEST_WAIT))
    .map(([field, value]) => ({
      field,
      reason: `must be milliseconds above 0 and at most ${LONGEST_WAIT}, and is ${value}`,
    }))
  return [...faults, ...checkTries(flush.tries)]
}
