/**
 * A format: how a provider's or a framework's requests are read, written, checked and repaired.
 *
 * @since 0.1.0
 */
import type { Repair } from "../../thread/Group.ts"
import type { Conversation, FormatName, Loss } from "./Conversation.ts"
import type { DecodeFault } from "./Fields.ts"
import type { FrameSpec } from "./Frame.ts"
import type { IdRule } from "./Ids.ts"
import type { Rule, Violation, WireRepair } from "./Rule.ts"
import type { UnitCodec } from "./Units.ts"

/**
 * What reading gives: the conversation, or where the value is not of the format.
 *
 * @category models
 * @since 0.1.0
 */
export type Decoded = { readonly ok: true; readonly conversation: Conversation } | DecodeFault

/**
 * A request, and what of the conversation it could not say.
 *
 * @category models
 * @since 0.1.0
 */
export interface Encoded<Request> {
  readonly request: Request
  readonly losses: ReadonlyArray<Loss>
  /** Ids of calls that changed: from the one that is sent to the one of the thread. */
  readonly ids: ReadonlyMap<string, string>
}

/**
 * A valid request, and what was done for it.
 *
 * @category models
 * @since 0.1.0
 */
export interface Repaired<Request> {
  readonly request: Request
  readonly repairs: ReadonlyArray<WireRepair>
}

/**
 * A format. All four are pure and total.
 *
 * @category models
 * @since 0.1.0
 */
export interface Format<Request> {
  readonly name: FormatName
  /** Reads a request, or a bare list of messages: what came from a file or another program, unchecked. */
  readonly decode: (input: unknown) => Decoded
  /** Writes a request. What was read from this format comes out as it came. */
  readonly encode: (conversation: Conversation) => Encoded<Request>
  /** Lists the rules of the provider that a request breaks; empty for a valid one. */
  readonly validate: (request: unknown) => ReadonlyArray<Violation>
  /** Makes a request valid. A valid one comes back as it is. */
  readonly repair: (request: unknown) => Repaired<Request>
}

/**
 * Everything that makes a format.
 *
 * @category models
 * @since 0.1.0
 */
export interface FormatSpec<Request, Element> {
  readonly codec: UnitCodec<Element>
  readonly frame: FrameSpec
  readonly ids: IdRule
  /** Null for an element of the format, its fault for another value. */
  readonly check: (element: unknown, path: string) => DecodeFault | null
  /** The rules, or what runs them where they share one view of the request. */
  readonly rules: ReadonlyArray<Rule<Request>> | ((request: Request) => ReadonlyArray<Violation>)
  /** The rule that no string holds half a character. */
  readonly wellFormed: string
  /** The rule that each kind of mending is for, and the one of ids. */
  readonly pairs: Readonly<Record<Repair["kind"] | "id", string>>
  /** Repairs in the form in which it came what would be written anew, and lose more, if its messages were mended. */
  readonly settle?: (request: Request) => Repaired<Request>
  /** Leaves out what is signed and holds half of a character: to replace the half would break the signature. */
  readonly unaltered?: (request: Request) => Repaired<Request>
  /** Makes a request valid whose calls and results fit each other already: roles, blanks, alphabets. */
  readonly polish: (request: Request) => Repaired<Request>
}
