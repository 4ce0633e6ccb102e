/**
 * What the pure pipeline is given besides rows: how to count, how to reduce, and what the host chose.
 *
 * @since 0.1.0
 */
import type { Counting } from "../count/Count.ts"
import type { StubRegistry } from "../prepass/Stub.ts"
import type { Redact } from "../summary/SafeRedact.ts"
import type { Budget } from "./Budget.ts"
import type { Policy } from "./Policy.ts"

/**
 * Settings of a step.
 *
 * @category models
 * @since 0.1.0
 */
export interface Settings extends Counting {
  readonly budget: Budget
  readonly policy: Policy
  readonly stubs: StubRegistry
  /** Takes secrets out of what a summary is made of. It never throws: see `failClosed`. */
  readonly redact: Redact
}
