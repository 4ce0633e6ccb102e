/**
 * Makes a format of what is its own: the reading, writing, checking and repairing that all formats share.
 *
 * @since 0.1.0
 */
import type { Repair } from "../../thread/Group.ts"
import type { Conversation, FormatName, Item, Loss } from "./Conversation.ts"
import { isWritable, writeExact } from "./ExactJson.ts"
import type { DecodeFault, Fields } from "./Fields.ts"
import type { Decoded, Encoded, Format, FormatSpec, Repaired } from "./Format.ts"
import { elementPath, framed, systemIn, type Taken, take } from "./Frame.ts"
import { guarded } from "./Guarded.ts"
import { type IdRule, withLegalIds } from "./Ids.ts"
import { mend } from "./Mend.ts"
import { withoutReferred } from "./Referred.ts"
import { type Rule, runRules, type Violation, type WireRepair } from "./Rule.ts"
import { keptUnits, readUnits, writeUnits } from "./Units.ts"
import { loneSurrogates, wellFormedDeep } from "./WellFormed.ts"

const NOT_JSON = "it holds a value that JSON cannot hold, or is nested too deep"

/** Levels by which a repair may move what a request holds: from a message to a field of one of its parts, and the like. */
const MOVED = 16

/** Whether JSON can hold an element where it will stand: in the list of a request, or that many levels deeper. */
const fits = (element: unknown, list: string, deeper = 0): boolean =>
  isWritable({ [list]: [element] }, deeper)

/** Whether JSON can hold a whole request, which a bare list becomes. */
const isWhole = (input: unknown, { frame, list }: Taken, name: string, deeper = 0): boolean =>
  isWritable(frame === null ? { [name]: list } : input, deeper)

const isTaken = (checked: Taken | DecodeFault): checked is Taken => !("ok" in checked)

/** The list of a request, when each element of it is of the format. */
const taken = <Request, Element>(
  input: unknown,
  { frame: spec, check }: FormatSpec<Request, Element>,
): Taken | DecodeFault => {
  const found = take(input, spec)
  if (found === null)
    return { ok: false, path: "", reason: `expected a list of messages, or a request with ${spec.list}` }
  for (const [i, element] of found.list.entries()) {
    const fault = check(element, elementPath(found.frame, spec, i))
    if (fault !== null) return fault
  }
  if (isWhole(input, found, spec.list)) return found
  const odd = found.list.findIndex((element) => !fits(element, spec.list))
  return { ok: false, path: odd === -1 ? "" : elementPath(found.frame, spec, odd), reason: NOT_JSON }
}

const decodeWith =
  <Request, Element>(format: FormatSpec<Request, Element>) =>
  (input: unknown): Decoded => {
    const { codec, frame: spec } = format
    const found = taken(input, format)
    if (!isTaken(found)) return found
    const { frame, list } = found
    const own = systemIn(frame, spec)
    const first = own === null && spec.isSystemMessage(list[0]) ? spec.readSystem(list[0]) : null
    const isPlain =
      spec.system === null && first !== null && writeExact(spec.writeSystem(first)) === writeExact(list[0])
    const rest = (first === null ? list : list.slice(1)) as ReadonlyArray<Element>
    return {
      ok: true,
      conversation: {
        system: own ?? first,
        ...(first === null || isPlain
          ? {}
          : { systemRaw: { format: codec.name, text: writeExact(list[0]) ?? "" } }),
        items: readUnits(rest, codec, format.ids),
        ...(frame === null ? {} : { frame: { format: codec.name, text: writeExact(frame) ?? "" } }),
      },
    }
  }

/** What the form of the system prompt and the frame said beyond their text, when they are of another format. */
const frameLosses = ({ systemRaw, frame }: Conversation, name: FormatName): ReadonlyArray<Loss> => [
  ...(systemRaw === undefined || systemRaw.format === name
    ? []
    : [lossOf("the form of the system prompt", systemRaw.format, name)]),
  ...(frame === undefined || frame.format === name
    ? []
    : [lossOf("the other fields of the request", frame.format, name)]),
]

const lossOf = (what: string, from: string, name: FormatName): Loss => ({
  kind: "dropped",
  message: -1,
  what,
  why: `${name} has no place for what ${from} said`,
})

const encodeWith =
  <Request, Element>({ codec, frame, ids: rule }: FormatSpec<Request, Element>) =>
  (conversation: Conversation): Encoded<Request> => {
    const given = withoutReferred(conversation.items)
    const kept = keptUnits(given.items, codec)
    const keptAt = new Set([...kept].flatMap(([at, { length }]) => Array.from({ length }, (_, i) => at + i)))
    const { items, ids, losses } = withLegalIds(given.items, rule, (at) => keptAt.has(at))
    const { wire, losses: unsaid } = writeUnits(items, codec, kept)
    return {
      request: framed(conversation, wire, frame, codec.name) as Request,
      losses: [...frameLosses(conversation, codec.name), ...given.losses, ...losses, ...unsaid],
      ids,
    }
  }

/** The elements that are of the format, and a repair for each other one. */
const cleaned = <Request, Element>(
  input: unknown,
  { frame: spec, check }: FormatSpec<Request, Element>,
  deeper: number,
): { readonly input: unknown; readonly repairs: ReadonlyArray<WireRepair> } => {
  const taken = take(input, spec)
  if (taken === null)
    return { input: [], repairs: [{ rule: "shape", path: "", detail: "left out what is no request" }] }
  const { frame, list } = taken
  const isSound = isWhole(input, taken, spec.list, deeper)
  const faults = list.map((element, i): DecodeFault | null => {
    const path = elementPath(frame, spec, i)
    return (
      check(element, path) ??
      (isSound || fits(element, spec.list, deeper) ? null : { ok: false, path, reason: NOT_JSON })
    )
  })
  const sound = list.filter((_, i) => faults[i] === null)
  const repairs = faults.flatMap((fault, i) =>
    fault === null
      ? []
      : [
          {
            rule: fault.rule ?? "shape",
            path: elementPath(frame, spec, i),
            detail: `left out: ${fault.reason}`,
          },
        ],
  )
  if (frame === null) return { input: sound, repairs }
  const around = isSound ? { frame, repairs: [] } : writable(frame, deeper)
  return { input: { ...around.frame, [spec.list]: sound }, repairs: [...repairs, ...around.repairs] }
}

/** The fields of a request that JSON can hold, and a repair for each other one. */
const writable = (
  frame: Fields,
  deeper: number,
): { readonly frame: Fields; readonly repairs: ReadonlyArray<WireRepair> } => {
  const odd = new Set(Object.keys(frame).filter((key) => !isWritable({ [key]: frame[key] }, deeper)))
  return {
    frame: Object.fromEntries(Object.entries(frame).filter(([key]) => !odd.has(key))),
    repairs: [...odd].map((path) => ({ rule: "shape", path, detail: `left out: ${NOT_JSON}` })),
  }
}

/** Calls and results that fit each other, with ids that the provider takes. */
const mended = (
  given: ReadonlyArray<Item>,
  rule: IdRule,
  pairs: Readonly<Record<Repair["kind"] | "id", string>>,
): { readonly items: ReadonlyArray<Item>; readonly repairs: ReadonlyArray<WireRepair> } => {
  const { items, repairs } = mend(given)
  const named = withLegalIds(items, rule)
  const toWire = ({ kind, row, reason }: Repair): WireRepair => ({
    rule: pairs[kind],
    path: `message ${row}`,
    detail: `${kind}: ${reason}`,
  })
  const renamed = named.losses.map(({ message, what, why }) => ({
    rule: pairs.id,
    path: `message ${message}`,
    detail: `changed ${what}: ${why}`,
  }))
  return { items: named.items, repairs: [...repairs.map(toWire), ...renamed] }
}

/** What JSON holds otherwise, such as NaN, is mended by being written: that is a repair too. */
const byWriting = ({ rule, path }: Violation): WireRepair => ({
  rule,
  path,
  detail: "changed to what JSON holds of it",
})

/**
 * Makes a format of its parts.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeFormat = <Request, Element>(spec: FormatSpec<Request, Element>): Format<Request> => {
  const decode = decodeWith(spec)
  const encode = encodeWith(spec)
  const asRequest = (input: unknown): Request =>
    (Array.isArray(input) ? { [spec.frame.list]: input } : input) as Request
  const wholeCharacters: Rule<Request> = {
    id: spec.wellFormed,
    check: (request) => loneSurrogates(request).map((path) => ({ path, detail: "half of a character" })),
  }
  const { rules } = spec
  const check = typeof rules === "function" ? rules : (request: Request) => runRules(rules, request)
  const validate = (input: unknown): ReadonlyArray<Violation> => {
    const found = taken(input, spec)
    return isTaken(found)
      ? [...check(asRequest(input)), ...runRules([wholeCharacters], asRequest(input))]
      : [{ rule: found.rule ?? "shape", path: found.path, detail: found.reason }]
  }
  const repairOnce = (input: unknown, deeper: number): Repaired<Request> => {
    const clean = cleaned(input, spec, deeper)
    const settled = spec.settle?.(asRequest(clean.input)) ?? { request: clean.input, repairs: [] }
    const decoded = decode(settled.request)
    const conversation: Conversation = decoded.ok ? decoded.conversation : { system: null, items: [] }
    const { items, repairs } = mended(conversation.items, spec.ids, spec.pairs)
    const encoded = encode({ ...conversation, items }).request
    const { request, repairs: signed } = spec.unaltered?.(encoded) ?? { request: encoded, repairs: [] }
    const halves = loneSurrogates(request).map((path) => ({
      rule: spec.wellFormed,
      path,
      detail: "replaced half of a character",
    }))
    const polished = spec.polish(wellFormedDeep(request))
    const made = [...clean.repairs, ...settled.repairs, ...repairs, ...signed, ...halves, ...polished.repairs]
    return { request: polished.request, repairs: made }
  }
  const repair = (input: unknown): Repaired<Request> => {
    const broken = validate(input)
    if (broken.length === 0) return { request: asRequest(input), repairs: [] }
    const first = repairOnce(input, 0)
    // A repair that moves what is nested deeply may nest it too deeply: then such elements are left out before it.
    const { request, repairs } = isWritable(first.request) ? first : repairOnce(input, MOVED)
    return { request, repairs: repairs.length > 0 ? repairs : broken.map(byWriting) }
  }
  return guarded({ name: spec.codec.name, decode, encode, validate, repair })
}
