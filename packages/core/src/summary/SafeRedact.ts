/**
 * A host's redactor, made total: whatever it does, no text gets out that it did not pass.
 *
 * @since 0.1.0
 */

/**
 * What takes secrets out of a text. It is pure, and doing it again changes nothing; it may throw, to say that it cannot
 * tell.
 *
 * @category models
 * @since 0.1.0
 */
export type Redact = (text: string) => string

/**
 * Stands for a text on which the redactor threw, or gave what is no text.
 *
 * @category constants
 * @since 0.1.0
 */
export const UNREDACTED = "[withheld: the redactor failed on this text]"

/**
 * Makes a redactor total: a line stands for each text on which it fails, and `onFailure` is told.
 *
 * **Example** (A redactor with a fault)
 *
 * ```ts
 * import { failClosed, UNREDACTED } from "@palimpsest/core"
 *
 * const redact = failClosed((text) => JSON.parse(text).words)
 * redact("no JSON") === UNREDACTED // => true
 * ```
 *
 * @category security
 * @since 0.1.0
 */
export const failClosed =
  (given: Redact, onFailure: () => void = () => undefined): Redact =>
  (text) => {
    try {
      const passed: unknown = given(text)
      if (typeof passed === "string") return passed
    } catch {
      // The words of the error may quote the text.
    }
    onFailure()
    return UNREDACTED
  }
