/**
 * Law 3, for any format: what came goes out as it came, what is repaired is valid, and nothing makes it fail.
 *
 * @since 0.1.0
 */
import fc from "fast-check"
import { conversation } from "../../formats/format/Conversation.ts"
import { readExact, writeExact } from "../../formats/format/ExactJson.ts"
import type { Format } from "../../formats/format/Format.ts"
import { mend } from "../../formats/format/Mend.ts"
import type { Message } from "../../thread/Message.ts"
import { arbitraryThread } from "../arbitraries/Messages.ts"
import { type Law, type Property, property } from "../Law.ts"
import { nesting } from "./Nesting.ts"

const same = (a: unknown, b: unknown): boolean => writeExact(a) === writeExact(b)

/** Lists of a format, with fields that it does not know, and the name of the field that holds them in a request. */
export interface WireSamples {
  /** Lists of elements that the format reads, valid for the provider or not. */
  readonly list: fc.Arbitrary<ReadonlyArray<unknown>>
  /** The field of a request that holds the list. */
  readonly field: string
  /** Other fields of a request, valid or not. */
  readonly frame?: fc.Arbitrary<object>
  /** The pieces of an element that an append leaves as they are; the element itself where nothing is joined to it. */
  readonly pieces?: (element: unknown) => ReadonlyArray<unknown>
}

const listOf = (request: unknown, field: string): unknown =>
  typeof request === "object" && request !== null ? Reflect.get(request, field) : undefined

const identity = <R>(format: Format<R>, { list, field }: WireSamples): Property =>
  property(
    "what was read is written the same, byte for byte",
    fc.property(list, fc.dictionary(fc.string(), fc.jsonValue()), (wire, extra) => {
      const request = {
        ...extra,
        [field]: wire,
        zz: "9007199254740993",
        n: readExact("[9007199254740993,1.50]"),
      }
      const [bare, framed] = [format.decode(wire), format.decode(request)]
      if (!bare.ok || !framed.ok) return false
      const again = format.encode(bare.conversation)
      return (
        same(listOf(again.request, field), wire) &&
        again.losses.length === 0 &&
        same(format.encode(framed.conversation).request, request)
      )
    }),
  )

/** Bare lists, requests, and what is neither. */
const requestsOf = ({ list, field, frame = fc.constant({}) }: WireSamples): fc.Arbitrary<unknown> =>
  fc.oneof(
    list,
    fc.tuple(frame, list).map(([others, wire]) => ({ ...others, [field]: wire })),
    fc.array(fc.jsonValue(), { maxLength: 5 }),
  )

const repairs = <R>(format: Format<R>, samples: WireSamples): Property =>
  property(
    "a repaired request breaks no rule, and repairing it again changes nothing",
    fc.property(requestsOf(samples), (wire) => {
      const { request, repairs: made } = format.repair(wire)
      const again = format.repair(request)
      return (
        format.validate(request).length === 0 &&
        again.repairs.length === 0 &&
        same(again.request, request) &&
        (made.length > 0 || format.validate(wire).length === 0)
      )
    }),
  )

/** A thread with all its replies or none, so that neighbours of one role are met, and a place between its groups. */
const appended = fc
  .tuple(arbitraryThread({ endless: 0 }), fc.boolean(), fc.nat())
  .map(([whole, isTerse, pick]) => {
    const isReply = ({ role, parts }: Message) =>
      role === "assistant" && parts.every((part) => part.type !== "tool-call")
    const thread = whole.filter((message) => !isTerse || !isReply(message))
    const places = thread.flatMap((message, i) => (message.role === "tool" ? [] : [i]))
    return { thread, at: places[pick % Math.max(places.length, 1)] ?? 0 }
  })

const keepsPrefix = <R>(
  format: Format<R>,
  { field, pieces = (element) => [element] }: WireSamples,
): Property =>
  property(
    "what is appended leaves the pieces before it as they were written",
    fc.property(appended, ({ thread, at }) => {
      const written = (to: number): ReadonlyArray<unknown> => {
        const list = listOf(format.encode(conversation(thread.slice(0, to))).request, field)
        return Array.isArray(list) ? list.flatMap(pieces) : []
      }
      const before = written(at)
      return same(written(thread.length).slice(0, before.length), before)
    }),
  )

const valid = <R>(format: Format<R>): Property =>
  property(
    "a valid thread makes a request that breaks no rule once it is repaired, and mending it changes nothing",
    fc.property(arbitraryThread(), fc.string({ unit: "binary" }), (thread, system) => {
      const whole = conversation(thread, { system })
      const { items, repairs: mended } = mend(whole.items)
      const { request } = format.encode({ ...whole, items })
      return mended.length === 0 && format.validate(format.repair(request).request).length === 0
    }),
  )

const KINDS = ["getter", "field", "revoked", "has"] as const

/** Makes a value that fails when it is looked at. Samples hold its kind: fast-check looks at what it makes. */
const failing = (kind: (typeof KINDS)[number]): unknown => {
  const fail = (): never => {
    throw new Error("this value fails")
  }
  if (kind === "getter") return Object.defineProperty({}, "role", { get: fail, enumerable: true })
  if (kind === "field") return new Proxy({ role: "user", content: "Hi" }, { get: fail })
  if (kind === "has") return new Proxy({ role: "user", content: "Hi" }, { has: fail, ownKeys: fail })
  const { proxy, revoke } = Proxy.revocable({ role: "user", content: "Hi" }, {})
  revoke()
  return proxy
}

const PLACES = ["alone", "in a list", "in a request", "in a field", "in an element"] as const

const holding = (
  odd: unknown,
  wire: ReadonlyArray<unknown>,
  field: string,
  place: (typeof PLACES)[number],
): unknown => {
  switch (place) {
    case "alone":
      return odd
    case "in a list":
      return [...wire, odd]
    case "in a request":
      return { [field]: [...wire, odd] }
    case "in a field":
      return { [field]: wire, extra: odd }
    case "in an element":
      return [...wire, { role: "user", content: odd, parts: [odd] }]
  }
}

/** Whether a format reads, checks and repairs a value. */
const isTaken = <R>(format: Format<R>, value: unknown): boolean => {
  const decoded = format.decode(value)
  format.validate(value)
  const { request } = format.repair(value)
  return (decoded.ok || decoded.reason !== "") && format.validate(request).length === 0
}

const total = <R>(format: Format<R>): Property =>
  property(
    "anything at all is read, checked and repaired without an exception",
    fc.property(fc.anything({ maxDepth: 4 }), (value) => isTaken(format, value)),
  )

const guards = <R>(format: Format<R>, { list, field }: WireSamples): Property =>
  property(
    "getters and proxies that fail are a fault of the value, and no exception",
    fc.property(list, fc.constantFrom(...KINDS), fc.constantFrom(...PLACES), (wire, kind, place) => {
      const value = holding(failing(kind), wire, field, place)
      return isTaken(format, value) && format.repair(value).repairs.length > 0
    }),
  )

/**
 * Says of a format that reading and writing is the identity, that repair is idempotent and makes valid, that an
 * append leaves what was written before it, and that nothing which is read makes it fail.
 *
 * @category laws
 * @since 0.1.0
 */
export const formatLaw = <R>(format: Format<R>, samples: WireSamples): Law => ({
  number: 3,
  title: `Validity: ${format.name}`,
  properties: [
    identity(format, samples),
    repairs(format, samples),
    valid(format),
    keepsPrefix(format, samples),
    total(format),
    guards(format, samples),
    nesting(format, samples),
  ],
})
