/**
 * The port to what takes secrets out of a text.
 *
 * @since 0.1.0
 */
import { Context } from "effect"
import { redact } from "../summary/Redact.ts"
import type { Redact } from "../summary/SafeRedact.ts"

/**
 * Takes secrets out of every text that leaves a thread for a summariser, a summary, a fact, an index or an embedder.
 * It must be pure, and doing it again must change nothing. The default is `redact`, which knows common forms; one of the
 * host stands instead of it, and calls it first if it wants both. A line stands for each text on which it throws, or gives
 * no text: the step goes on, and tells.
 *
 * **Gotchas**
 *
 * Ids of rows and of calls are not redacted: summaries refer to rows by them. Nor is the prompt of a step: what its model
 * may read is the business of the option `outbound`.
 *
 * @category services
 * @since 0.1.0
 */
export const Redactor = Context.Reference<Redact>("@palimpsest/core/Redactor", {
  defaultValue: () => redact,
})
