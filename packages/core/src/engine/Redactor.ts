/**
 * The port to what takes secrets out of a text.
 *
 * @since 0.1.0
 */
import { Context } from "effect"
import { redact } from "../summary/Redact.ts"

/**
 * Takes secrets out of every text that leaves a thread for a summariser, a summary, a fact, an index or an embedder.
 * It must be pure, and doing it again must change nothing. The default is `redact`, which knows common forms.
 *
 * @category services
 * @since 0.1.0
 */
export const Redactor = Context.Reference<(text: string) => string>("@palimpsest/core/Redactor", {
  defaultValue: () => redact,
})
