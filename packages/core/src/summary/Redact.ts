/**
 * Secrets are kept out of summaries: found by the form of their value, whatever the name beside them.
 *
 * Each pattern starts where no earlier start can reach, or is bounded: the time is linear in the text.
 *
 * @since 0.1.0
 */

const PEM = /-----BEGIN [A-Z0-9 ]{1,40}-----/g
const PEM_END = /-----END [A-Z0-9 ]{1,40}-----/g
const PEM_LINES = /(?:(?:\s|\\[nr])*[A-Za-z0-9+/=]{16,})*/y

/** Values that may follow a name such as `api_key`: not one that was redacted before. */
const VALUE = "(?!\\[redacted )[^\\s\"'&,;<>\\\\(){}]{6,}"

const NAMES =
  "(?:api|access|auth|secret|private|client|refresh|id|bearer|session)[_-]?(?:key|token|secret)|token|secret|passw(?:or)?d|pwd"

const PATTERNS: ReadonlyArray<readonly [RegExp, string]> = [
  [/(?<![A-Za-z0-9_-])sk-(?=[A-Za-z_-]{0,80}[0-9])[A-Za-z0-9_-]{12,}/g, "[redacted api-key]"],
  [/(?<![A-Za-z0-9_])[srp]k_(?:live|test)_[A-Za-z0-9_]{8,}/g, "[redacted api-key]"],
  [/(?<![A-Za-z0-9_])AIza[A-Za-z0-9_-]{30,}/g, "[redacted api-key]"],
  [/(?<![A-Za-z0-9_])gh[oprsu]_[A-Za-z0-9_]{16,}/g, "[redacted github-token]"],
  [/(?<![A-Za-z0-9_])github_pat_[A-Za-z0-9_]{16,}/g, "[redacted github-token]"],
  [/(?<![A-Za-z0-9_])glpat-[A-Za-z0-9_-]{16,}/g, "[redacted gitlab-token]"],
  [/(?<![A-Za-z0-9])A[KS]IA[A-Z0-9]{16,}/g, "[redacted aws-key]"],
  [/(?<![A-Za-z0-9])xox[a-z]-[A-Za-z0-9-]{10,}/g, "[redacted slack-token]"],
  [/(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?/g, "[redacted jwt]"],
  [
    /(?<![A-Za-z0-9])(bearer\s{1,4})(?=[A-Za-z._~+/=-]{0,80}[0-9])[A-Za-z0-9._~+/=-]{16,}/gi,
    "$1[redacted bearer-token]",
  ],
  [/(authorization["']?\s{0,4}[:=]\s{0,4}["']?basic\s{1,4})[A-Za-z0-9+/=]{6,}/gi, "$1[redacted password]"],
  [
    /(?<![a-z0-9+.-])([a-z][a-z0-9+.-]{1,20}:\/\/[^\s/@:"']{0,256}:)[^\s/@"']{1,256}@/gi,
    "$1[redacted password]@",
  ],
  [new RegExp(`(?<![A-Za-z0-9])((?:${NAMES})=["']?)${VALUE}`, "gi"), "$1[redacted value]"],
  [
    new RegExp(`(?<![A-Za-z0-9])((?:${NAMES})\\\\?["']\\s{0,4}:\\s{0,4}\\\\?["'])${VALUE}`, "gi"),
    "$1[redacted value]",
  ],
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
 * tokens, passwords in URLs, and values of names such as `api_key`. Doing it again changes nothing.
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
      redactPem(clean),
    )
    if (next === clean) return clean
    clean = next
  }
  return clean
}
