/**
 * Law 3, for any format: what came goes out as it came, what is repaired is valid, and nothing makes it fail.
 *
 * @since 0.1.0
 */
import fc from "fast-check"
import { conversation } from "../../formats/format/Conversation.ts"
import { writeExact } from "../../formats/format/ExactJson.ts"
import type { Format } from "../../formats/format/Format.ts"
import { mend } from "../../formats/format/Mend.ts"
import { arbitraryThread } from "../arbitraries/Messages.ts"
import { type Law, type Property, property } from "../Law.ts"

const same = (a: unknown, b: unknown): boolean => writeExact(a) === writeExact(b)

/** Lists of a format, with fields that it does not know, and the name of the field that holds them in a request. */
export interface WireSamples {
  /** Lists of elements that the format reads, valid for the provider or not. */
  readonly list: fc.Arbitrary<ReadonlyArray<unknown>>
  /** The field of a request that holds the list. */
  readonly field: string
}

const listOf = (request: unknown, field: string): unknown =>
  typeof request === "object" && request !== null ? Reflect.get(request, field) : undefined

const identity = <R>(format: Format<R>, { list, field }: WireSamples): Property =>
  property(
    "what was read is written the same, byte for byte",
    fc.property(list, fc.object(), (wire, extra) => {
      const request = { ...extra, [field]: wire, zz: "9007199254740993" }
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

const repairs = <R>(format: Format<R>, { list }: WireSamples): Property =>
  property(
    "a repaired request breaks no rule, and repairing it again changes nothing",
    fc.property(fc.oneof(list, fc.array(fc.jsonValue(), { maxLength: 5 })), (wire) => {
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

const total = <R>(format: Format<R>): Property =>
  property(
    "anything at all is read, checked and repaired without an exception",
    fc.property(fc.anything({ maxDepth: 4 }), (value) => {
      const decoded = format.decode(value)
      format.validate(value)
      const { request } = format.repair(value)
      return (decoded.ok || decoded.reason !== "") && format.validate(request).length === 0
    }),
  )

/**
 * Says of a format that reading and writing is the identity, that repair is idempotent and makes valid, and that
 * nothing which is read makes it fail.
 *
 * @category laws
 * @since 0.1.0
 */
export const formatLaw = <R>(format: Format<R>, samples: WireSamples): Law => ({
  number: 3,
  title: `Validity: ${format.name}`,
  properties: [identity(format, samples), repairs(format, samples), valid(format), total(format)],
})
