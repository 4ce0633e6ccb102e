/**
 * Identifiers and digests that each process computes alike.
 *
 * @since 0.1.0
 */
import { sha1 } from "@noble/hashes/legacy.js"
import { sha256 as sha256Of } from "@noble/hashes/sha2.js"
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js"
import type { Message } from "./Message.ts"
import type { Mark, MessageRow, ThreadKey } from "./Row.ts"

/** Namespace of all identifiers made here. Changing it changes every id. */
const NAMESPACE = "6f1d3b0e-58c7-4a57-9d43-2c9a7be0f415"

/** An object with its keys in order of code units; `bigint` as its digits. Other values as they are. */
const sorted = (_: string, value: unknown): unknown => {
  if (typeof value === "bigint") return value.toString()
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/**
 * Encodes plain data as JSON whose bytes do not depend on the order of keys. Lone surrogates are escaped, so that
 * different texts have different encodings in UTF-8 too.
 *
 * **Example** (Two orders, one text)
 *
 * ```ts
 * import { canonicalJson } from "@palimpsest/core"
 *
 * canonicalJson({ b: 1, a: [true] }) // => "{\"a\":[true],\"b\":1}"
 * ```
 *
 * @category encoding
 * @since 0.1.0
 */
export const canonicalJson = (value: unknown): string => JSON.stringify(value, sorted) ?? "null"

/**
 * Computes the SHA-256 of a text in UTF-8, as 64 hexadecimal digits.
 *
 * **Gotchas**
 *
 * UTF-8 has no lone surrogates: hash `canonicalJson(text)` where a text may hold them.
 *
 * @category encoding
 * @since 0.1.0
 */
export const sha256 = (text: string): string => bytesToHex(sha256Of(utf8ToBytes(text)))

/**
 * Computes the version 5 UUID (RFC 9562) of a name in a namespace, itself a UUID.
 *
 * **Example** (The example of the RFC)
 *
 * ```ts
 * import { uuidIn } from "@palimpsest/core"
 *
 * const dns = "6ba7b810-9dad-11d1-80b4-00c04fd430c8"
 * uuidIn(dns, "www.example.com") // => "2ed6657d-e927-568b-95e1-2665a8aea6a2"
 * ```
 *
 * @category identifiers
 * @since 0.1.0
 */
export const uuidIn = (namespace: string, name: string): string => {
  const space = hexToBytes(namespace.replaceAll("-", ""))
  const hex = bytesToHex(sha1(concatBytes(space, utf8ToBytes(name))))
  const variant = (Number.parseInt(hex.slice(16, 17), 16) & 0x3) | 0x8
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `5${hex.slice(13, 16)}`,
    `${variant.toString(16)}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ]
  return parts.join("-")
}

/**
 * Computes the version 5 UUID of a name in this library's own namespace. Different names give different ids, lone
 * surrogates included: the name is hashed in its JSON form.
 *
 * @category identifiers
 * @since 0.1.0
 */
export const uuid5 = (name: string): string => uuidIn(NAMESPACE, JSON.stringify(name))

/**
 * Computes the id of a mark: the same thread, kind, anchor and revision give the same id in every process, so that
 * two workers write one row.
 *
 * @category identifiers
 * @since 0.1.0
 */
export const markId = (key: ThreadKey, kind: Mark["kind"], anchor: string, revision: number): string =>
  uuid5(canonicalJson(["mark", key.tenant, key.chat, kind, anchor, revision]))

/** Enough that a thread of a million rows has two of the same with a chance below 1 in 100,000. */
const MESSAGE_ID_DIGITS = 14

/**
 * Computes an id for a message whose host has none, from its content and the id of the message before it (empty for
 * the first), so that a retry computes the same one. It is short, since models read it: summaries and reduced rows
 * name the rows that they stand for.
 *
 * **Example** (The order of keys does not matter)
 *
 * ```ts
 * import { messageId, user } from "@palimpsest/core"
 *
 * const key = { tenant: "acme", chat: "7" }
 * const same = { parts: user("Hello").parts, role: "user" } as const
 * messageId(key, "", user("Hello")) === messageId(key, "", same) // => true
 * ```
 *
 * @category identifiers
 * @since 0.1.0
 */
export const messageId = (key: ThreadKey, previousId: string, message: Message): string => {
  const uuid = uuid5(canonicalJson(["message", key.tenant, key.chat, previousId, message]))
  return `m${uuid.replaceAll("-", "").slice(0, MESSAGE_ID_DIGITS)}`
}

/**
 * Computes a SHA-256 over ids and contents of rows, in order: an edit of what a mark covers shows.
 *
 * @category encoding
 * @since 0.1.0
 */
export const digestRows = (rows: ReadonlyArray<MessageRow>): string => {
  const hash = sha256Of.create()
  for (const row of rows) hash.update(utf8ToBytes(`${canonicalJson([row.id, row.message])}\n`))
  return bytesToHex(hash.digest())
}
