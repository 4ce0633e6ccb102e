/**
 * A host's outbound filter on single texts and on JSON: whatever it does, nothing leaves that it did not pass.
 *
 * @since 0.1.0
 */
import { decodeLiteral, isJson, literalEnd } from "../prepass/Json.ts"

/**
 * What a text becomes before it leaves: personal data masked, secrets taken out. The same text must always give the same
 * answer, and an answer given to it again must stay as it is. It may throw, to say that a text must not leave.
 *
 * @category models
 * @since 0.1.0
 */
export type OutboundFilter = (text: string) => string

/**
 * Stands for a text on which the filter threw, or gave what is no text.
 *
 * @category constants
 * @since 0.1.0
 */
export const WITHHELD = "[withheld: the outbound filter failed on this text]"

/**
 * Passes a text through a filter; null when it must not leave.
 *
 * @category combinators
 * @since 0.1.0
 */
export const passOutbound = (filter: OutboundFilter, text: string): string | null => {
  try {
    const passed: unknown = filter(text)
    return typeof passed === "string" ? passed : null
  } catch {
    return null
  }
}

/** A filter that keeps account of what it did. */
export interface Sieve {
  readonly text: (given: string) => string
  /** For JSON: its strings are passed as what they say, and then the whole, for what is no string. */
  readonly json: (given: string) => string
  readonly hasChanged: () => boolean
  readonly hasFailed: () => boolean
}

/** JSON with its string literals passed; those that do not change keep their bytes. */
const passLiterals = (json: string, pass: (text: string) => string): string => {
  let out = ""
  let done = 0
  for (let at = json.indexOf('"'); at >= 0; at = json.indexOf('"', done)) {
    const end = literalEnd(json, at)
    const literal = json.slice(at, end)
    const said = decodeLiteral(literal)
    const passed = pass(said)
    out += json.slice(done, at) + (passed === said ? literal : JSON.stringify(passed))
    done = end
  }
  return out + json.slice(done)
}

/** Makes a sieve of a filter. */
export const makeSieve = (filter: OutboundFilter): Sieve => {
  let changed = false
  let failed = false
  const text = (given: string): string => {
    const passed = passOutbound(filter, given)
    failed ||= passed === null
    changed ||= passed !== given
    return passed ?? WITHHELD
  }
  return {
    text,
    json: (given) => text(isJson(given) ? passLiterals(given, text) : given),
    hasChanged: () => changed,
    hasFailed: () => failed,
  }
}
