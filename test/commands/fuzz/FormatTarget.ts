/** What every format must do with anything at all: read it or say why not, write it back, check it, repair it. */
import type { Conversation, Format } from "@palimpsest/core/formats"
import { writeExact } from "@palimpsest/core/formats"
import type fc from "fast-check"
import type { Failure, Target, Verdict } from "./Target.ts"

/** Where two texts part, and what stands there. */
const difference = (found: unknown, expected: unknown): string => {
  const [a, b] = [writeExact(found) ?? "nothing", writeExact(expected) ?? "nothing"]
  let at = 0
  while (at < a.length && a[at] === b[at]) at += 1
  const around = (text: string) => text.slice(Math.max(0, at - 40), at + 60)
  return `at ${at}: ${around(a)} … instead of … ${around(b)}`
}

const same = (a: unknown, b: unknown): boolean => writeExact(a) === writeExact(b)

const isText = (value: unknown): value is string => typeof value === "string"

const isViolation = (value: unknown): boolean =>
  typeof value === "object" &&
  value !== null &&
  ["rule", "path", "detail"].every((key) => isText(Reflect.get(value, key)))

const identity = <R>(
  { encode }: Format<R>,
  field: string,
  input: unknown,
  conversation: Conversation,
): Failure | null => {
  const isBare = Array.isArray(input)
  const { request, losses } = encode(conversation)
  const found: unknown = isBare ? Reflect.get(request ?? {}, field) : request
  if (!same(found, input)) return { kind: "identity", detail: difference(found, input) }
  if (losses.length > 0) return { kind: "losses", detail: JSON.stringify(losses[0]) }
  const stored: Conversation = JSON.parse(JSON.stringify(conversation))
  return same(encode(stored).request, request)
    ? null
    : { kind: "storage", detail: "a conversation that was stored as JSON is written otherwise" }
}

const isSound = <R>({ validate }: Format<R>, request: unknown): boolean => validate(request).length === 0

const repairs = <R>(format: Format<R>, input: unknown): Failure | null => {
  const violations = format.validate(input)
  if (!violations.every(isViolation)) return { kind: "untyped violation", detail: JSON.stringify(violations) }
  const { request, repairs: made } = format.repair(input)
  if (!made.every(isViolation)) return { kind: "untyped repair", detail: JSON.stringify(made) }
  const left = format.validate(request)
  const rules = [...new Set(left.map(({ rule }) => rule))].join(" ")
  if (left.length > 0) return { kind: `still broken: ${rules}`, detail: JSON.stringify(left[0]) }
  if (violations.length > 0 && made.length === 0)
    return { kind: "silent repair", detail: "no repair is listed" }
  if (violations.length === 0 && made.length > 0)
    return { kind: "needless repair", detail: JSON.stringify(made[0]) }
  const again = format.repair(request)
  return again.repairs.length === 0 && same(again.request, request)
    ? null
    : {
        kind: "repaired twice",
        detail: JSON.stringify(again.repairs[0] ?? difference(again.request, request)),
      }
}

/** What one format read is written by another, and repaired. */
const across = <R>(other: Format<R>, conversation: Conversation): Failure | null => {
  const { request } = other.encode(conversation)
  if (writeExact(request) === undefined)
    return { kind: `no JSON for ${other.name}`, detail: "it cannot be sent" }
  return isSound(other, other.repair(request).request)
    ? null
    : {
        kind: `invalid for ${other.name}`,
        detail: JSON.stringify(other.validate(other.repair(request).request)[0]),
      }
}

/** A request of some format, whatever its type. */
export type AnyFormat = Pick<Format<unknown>, "name" | "decode" | "encode" | "validate" | "repair">

/** Where the samples of a format come from. */
export interface Samples {
  readonly samples: fc.Arbitrary<ReadonlyArray<unknown>>
  readonly field: string
}

/** Samples of a format that are what it writes of another one's. */
export const written = (
  format: AnyFormat,
  field: string,
  from: AnyFormat,
  { samples }: Samples,
): Samples => ({
  field,
  samples: samples.map((list) => {
    const read = from.decode(list)
    const request: unknown = read.ok ? format.encode(read.conversation).request : null
    const own: unknown = typeof request === "object" && request !== null ? Reflect.get(request, field) : null
    return Array.isArray(own) ? own : []
  }),
})

/** Makes a target of a format; what it reads goes to the other formats too, one at a time. */
export const formatTarget = (
  format: AnyFormat,
  { samples, field }: Samples,
  others: () => ReadonlyArray<AnyFormat>,
): Target => {
  let turn = 0
  const check = (input: unknown): Verdict => {
    const decoded = format.decode(input)
    if (!decoded.ok && !(isText(decoded.path) && isText(decoded.reason) && decoded.reason !== ""))
      return { kind: "untyped fault", detail: JSON.stringify(decoded) }
    const mended = repairs(format, input)
    if (mended !== null || !decoded.ok) return mended ?? "refused"
    const all = others()
    turn += 1
    const other = all[turn % all.length]
    return (
      identity(format, field, input, decoded.conversation) ??
      (other === undefined ? null : across(other, decoded.conversation)) ??
      "read"
    )
  }
  return {
    name: format.name,
    takes: "value",
    samples,
    field,
    reads: (element) => format.decode([element]).ok,
    check,
  }
}
