/**
 * What a host states, as a fact: checked, and with an id that a retry computes alike.
 *
 * @since 0.1.0
 */
import { Result, Schema } from "effect"
import { canonicalJson, uuid5 } from "../thread/Id.ts"
import type { Fact } from "./FactStore.ts"

/**
 * What a host wants to be remembered.
 *
 * @category models
 * @since 0.1.0
 */
export interface Statement {
  readonly tenant: string
  /** Whose memory it is; that which the tenant shares by default. */
  readonly owner?: string
  /** Whom or what it is about, such as `user`. */
  readonly subject: string
  /** Which property, such as `email`. */
  readonly attribute: string
  readonly value: string
  /** When it was said, in milliseconds since 1970; now by default. */
  readonly at?: number
}

/**
 * A statement that is not remembered: it names the field, and never quotes it.
 *
 * @category errors
 * @since 0.1.0
 */
export class FactError extends Schema.TaggedError<FactError>("@palimpsest/core/FactError")("FactError", {
  field: Schema.String,
  /** Such as `Empty`, `TooLong`, `Secret`, `NotText`, `NoTime`, `Forgotten`. */
  reason: Schema.String,
  remedy: Schema.String,
}) {
  override get message() {
    return `remember: ${this.field}: ${this.reason}. ${this.remedy}`
  }
}

/**
 * Longest subject and attribute, and longest value of a statement, in characters.
 *
 * @category constants
 * @since 0.1.0
 */
export const statementLimits = { name: 120, value: 1_000 } as const

const refuse = (field: string, reason: string, remedy: string) =>
  Result.fail(new FactError({ field, reason, remedy }))

const checkText = (
  field: string,
  text: unknown,
  longest: number,
  redact: (text: string) => string,
): Result.Result<string, FactError> => {
  if (typeof text !== "string") return refuse(field, "NotText", "Give a string")
  const told = text.trim()
  if (told === "") return refuse(field, "Empty", "Say what is to be remembered")
  if (told.length > longest) return refuse(field, "TooLong", `Use at most ${longest} characters`)
  const isSecret = redact(told) !== told
  return isSecret ? refuse(field, "Secret", "Keep secrets where secrets are kept") : Result.succeed(told)
}

/** Secrets show by the name before them as well, such as `password=`. */
const checkTogether = (
  { attribute, value }: Pick<Fact, "attribute" | "value">,
  redact: (text: string) => string,
): Result.Result<void, FactError> => {
  const said = [`${attribute}=${value}`, `"${attribute}": "${value}"`]
  const isSecret = said.some((text) => redact(text) !== text)
  return isSecret
    ? refuse("value", "Secret", "Keep secrets where secrets are kept")
    : Result.succeed(undefined)
}

/**
 * Makes the fact that a statement says, or says why it is none: blank, too long, or a secret by the redactor. Blanks
 * around a text do not count. The same statement of the same time has the same id.
 *
 * **Example** (A secret is refused by name)
 *
 * ```ts
 * import { redact } from "@palimpsest/core"
 * import { factOfStatement } from "@palimpsest/core/engine"
 *
 * const about = { tenant: "acme", owner: "ada", subject: "user", attribute: "token" }
 * const made = factOfStatement({ ...about, value: "ghp_0123456789abcdefABCD" }, redact, 0)
 * made._tag === "Failure" && made.failure.message // => "remember: value: Secret. Keep secrets where secrets are kept"
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const factOfStatement = (
  statement: Statement,
  redact: (text: string) => string,
  now: number,
): Result.Result<Fact, FactError> =>
  Result.gen(function* () {
    const { tenant, owner = "", at = now } = statement
    const subject = yield* checkText("subject", statement.subject, statementLimits.name, redact)
    const attribute = yield* checkText("attribute", statement.attribute, statementLimits.name, redact)
    const value = yield* checkText("value", statement.value, statementLimits.value, redact)
    yield* checkTogether({ attribute, value }, redact)
    if (!Number.isFinite(at)) return yield* refuse("at", "NoTime", "Give milliseconds since 1970")
    const id = uuid5(canonicalJson(["stated", tenant, owner, subject, attribute, value, at]))
    return { id, owner, chat: "", subject, attribute, value, quote: "", row: "", position: 0, at }
  })
