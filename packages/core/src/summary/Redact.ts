/**
 * Secrets are kept out of summaries: found by the form of their value, whatever the name beside them.
 *
 * Each pattern starts where no earlier start can reach, or is bounded: the time is linear in the text.
 *
 * @since 0.1.0
 */

import { redactCards } from "./Cards.ts"
import { infixForms, tokenForms } from "./TokenForms.ts"

const PEM = /-----BEGIN [A-Z0-9 ]{1,40}-----/g
const PEM_END = /-----END [A-Z0-9 ]{1,40}-----/g
const PEM_LINES = /(?:(?:\s|\\[nr])*[A-Za-z0-9+/=]{16,})*/y

/** Values that may follow a name such as `api_key`: not one that was redacted before. */
const VALUE = "(?!\\[redacted )[^\\s\"'&,;<>\\\\(){}]{6,}"

/** Such a value with a digit early in it: beside words of prose, what has none is a word. */
const NUMBERED = `(?=[^\\s"'&,;<>\\\\(){}0-9]{0,80}[0-9])${VALUE}`

/** One that a line ends with, as in YAML. */
const LINE_VALUE = NUMBERED.replace("{6,}", "{6,512}")

const NAMES =
  "(?:api|access|auth|secret|private|client|refresh|id|bearer|session|account|master|signing|encryption|deploy|webhook)[_-]?(?:access[_-]?)?(?:key|token|secret)|token|secret|passw(?:or)?d|passphrase|pwd|(?<=_)pass"

/** The end of such a name, which few words share, and only then what stands before it: a long text is searched fast. */
const NAME = `(?:key|token|secret|passw(?:or)?d|passphrase|pwd|pass)(?=\\\\?["']?\\s{0,4}[:=])(?<=(?<![A-Za-z0-9])(?:${NAMES}))`

/** Headers that carry a key of their own. */
const HEADERS =
  "x-api-key|api-key|x-auth-token|x-access-token|private-token|job-token|x-goog-api-key|x-amz-security-token|ocp-apim-subscription-key|x-vault-token"

/** A parameter of a signed address opens what the address names. */
const SIGNATURES = "sig|x-amz-signature|x-amz-security-token|x-goog-signature"

/** All forms with a prefix in one pattern, so that a text is gone through once; the group that matched tells the kind. */
const TOKENS = new RegExp(
  `(?<![A-Za-z0-9])(?:${tokenForms.map(({ forms }) => `(${forms.join("|")})`).join("|")})`,
  "g",
)

const redactTokens = (text: string): string =>
  infixForms
    .reduce(
      (sofar, { holds, form }) => (sofar.includes(holds) ? sofar.replace(form, "[redacted api-key]") : sofar),
      text,
    )
    .replace(TOKENS, (_, ...groups: ReadonlyArray<unknown>) => {
      const at = groups.findIndex((group) => group !== undefined)
      return `[redacted ${tokenForms[at]?.kind ?? "api-key"}]`
    })

const PATTERNS: ReadonlyArray<readonly [RegExp, string]> = [
  [/(?<![A-Za-z0-9_-])sk-(?=[A-Za-z_-]{0,80}[0-9])[A-Za-z0-9_-]{12,}/g, "[redacted api-key]"],
  [/(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?/g, "[redacted jwt]"],
  [
    /(?<![A-Za-z0-9])(bearer\s{1,4})(?=[A-Za-z._~+/=-]{0,80}[0-9])[A-Za-z0-9._~+/=-]{16,}/gi,
    "$1[redacted bearer-token]",
  ],
  [/(authorization["']?\s{0,4}[:=]\s{0,4}["']?basic\s{1,4})[A-Za-z0-9+/=]{6,}/gi, "$1[redacted password]"],
  [
    /(?<![A-Za-z0-9-])((?:set-)?cookie["']?\s{0,4}:\s{0,4}["']?)[^=;\s"'[]{1,128}=[^;\s"']{1,4096}(?:;\s{0,2}[^=;\s"']{1,128}=[^;\s"']{1,4096}){0,200}/gi,
    "$1[redacted cookie]",
  ],
  [
    /(?<![A-Za-z0-9])(curl\s[^\r\n]{0,120}?\s(?:-u|--user)[\s=]["']?[^\s:"']{1,64}:)(?!\[redacted )[^\s"']{1,256}/g,
    "$1[redacted password]",
  ],
  [
    /(?<![a-z0-9+.-])([a-z][a-z0-9+.-]{1,20}:\/\/[^\s/@:"']{0,256}:)[^\s/@"']{1,256}@/gi,
    "$1[redacted password]@",
  ],
  [new RegExp(`([?&](?:${SIGNATURES})=)[A-Za-z0-9%+/=_-]{16,}`, "gi"), "$1[redacted value]"],
  [
    new RegExp(`(?<![A-Za-z0-9])((?:${HEADERS})["']?\\s{0,4}:\\s{0,4}["']?)${NUMBERED}`, "gi"),
    "$1[redacted value]",
  ],
  [new RegExp(`(${NAME}(?:=["']?|\\\\?["']\\s{0,4}:\\s{0,4}\\\\?["']))${VALUE}`, "gi"), "$1[redacted value]"],
  [new RegExp(`(${NAME}:[ \\t]{1,4})${LINE_VALUE}(?=[ \\t]{0,4}(?:[\\r\\n]|$))`, "gi"), "$1[redacted value]"],
]

/** A closing line farther away than this belongs to something else. */
const PEM_UNITS = 16_384

const pemLines = (text: string, from: number): number => {
  PEM_LINES.lastIndex = from
  return from + (PEM_LINES.exec(text)?.[0].length ?? 0)
}

/** A block ends at its closing line, or else after its lines of base64. All closing lines are looked up once. */
const redactPem = (text: string): string => {
  const ends = [...text.matchAll(PEM_END)].map((end) => [end.index, end.index + end[0].length] as const)
  let out = ""
  let done = 0
  let next = 0
  for (const start of text.matchAll(PEM)) {
    if (start.index < done) continue
    const from = start.index + start[0].length
    while ((ends[next]?.[0] ?? from) < from) next++
    const [at, past] = ends[next] ?? [Number.POSITIVE_INFINITY, 0]
    out += `${text.slice(done, start.index)}[redacted pem]`
    done = at - from <= PEM_UNITS ? past : pemLines(text, from)
  }
  return out + text.slice(done)
}

/** A secret glued to another shows only when that one is gone. */
const ROUNDS = 4

/**
 * Replaces common secrets by `[redacted KIND]`: private keys, API keys and tokens of known forms, JWTs, bearer
 * tokens, cookies, passwords in URLs, signatures of addresses, numbers of payment cards, and values of names such as
 * `api_key`. Doing it again changes nothing.
 *
 * **Gotchas**
 *
 * It knows forms, not meanings: a password said in plain words is not found.
 *
 * **Example** (A token in a URL)
 *
 * ```ts
 * import { redact } from "@palimpsest/core"
 *
 * redact("GET https://x.test/?token=s3cr3t-value") // => "GET https://x.test/?token=[redacted value]"
 * ```
 *
 * @category security
 * @since 0.1.0
 */
export const redact = (text: string): string => {
  let clean = text
  for (let round = 0; round < ROUNDS; round++) {
    const next = PATTERNS.reduce(
      (sofar, [pattern, marker]) => sofar.replace(pattern, marker),
      redactCards(redactTokens(redactPem(clean))),
    )
    if (next === clean) return clean
    clean = next
  }
  return clean
}
