/**
 * What may happen in a chat, as small values that shrink; and the messages that they stand for.
 *
 * @since 0.1.0
 */
import fc from "fast-check"
import type {
  AssistantMessage,
  MediaPart,
  Message,
  ToolCallPart,
  ToolMessage,
  ToolResultPart,
  UserMessage,
} from "../../thread/Message.ts"

/**
 * A call of a response, and what becomes of it: answered, never answered, answered later, or waiting for a person.
 *
 * @category models
 * @since 0.1.0
 */
export interface MoveCall {
  readonly tool: "read" | "shell" | "deploy"
  readonly outcome: "ok" | "error" | "denied" | "missing" | "late" | "pending"
  /** Tokens of its result, about. */
  readonly size: number
  /** Tokens of its arguments, about. */
  readonly asks: number
  readonly image: boolean
  /** The same result as others of this size. */
  readonly same: boolean
}

/**
 * Something that is said or done in a chat. Sizes are tokens, about.
 *
 * @category models
 * @since 0.1.0
 */
export type Move =
  | { readonly tag: "say"; readonly size: number; readonly synthetic: boolean; readonly image: boolean }
  | { readonly tag: "reply"; readonly size: number }
  | {
      readonly tag: "work"
      readonly calls: ReadonlyArray<MoveCall>
      readonly together: boolean
      /** Ids that earlier responses used as well. */
      readonly sameIds: boolean
      readonly signed: boolean
    }
  | { readonly tag: "deliver"; readonly together: boolean }
  | { readonly tag: "stray" }
  | { readonly tag: "empty" }

/**
 * What a chat remembers between moves.
 *
 * @category models
 * @since 0.1.0
 */
export interface Talk {
  /** Moves so far: what makes texts and ids differ. */
  readonly moves: number
  /** Results that are still to come. */
  readonly late: ReadonlyArray<ToolResultPart>
}

/**
 * A chat in which nothing happened.
 *
 * @category constructors
 * @since 0.1.0
 */
export const emptyTalk: Talk = { moves: 0, late: [] }

const size = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 30 }) },
  { weight: 5, arbitrary: fc.integer({ min: 30, max: 400 }) },
  { weight: 1, arbitrary: fc.integer({ min: 250, max: 2_500 }) },
)

const small = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 1, max: 25 }) },
  { weight: 1, arbitrary: fc.integer({ min: 25, max: 200 }) },
)

const rarely = (odds: number): fc.Arbitrary<boolean> => fc.nat(odds).map((n) => n === odds)

const call: fc.Arbitrary<MoveCall> = fc.record({
  tool: fc.constantFrom("read" as const, "read" as const, "shell" as const, "deploy" as const),
  outcome: fc.oneof(
    { weight: 12, arbitrary: fc.constant("ok" as const) },
    { weight: 2, arbitrary: fc.constantFrom("error" as const, "denied" as const) },
    { weight: 2, arbitrary: fc.constantFrom("late" as const, "pending" as const, "missing" as const) },
  ),
  size,
  asks: small,
  image: rarely(12),
  same: rarely(4),
})

/**
 * Makes moves.
 *
 * @category arbitraries
 * @since 0.1.0
 */
export const arbitraryMove: fc.Arbitrary<Move> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      tag: fc.constant("say" as const),
      size: small,
      synthetic: rarely(7),
      image: rarely(9),
    }),
  },
  { weight: 2, arbitrary: fc.record({ tag: fc.constant("reply" as const), size: small }) },
  {
    weight: 10,
    arbitrary: fc.record({
      tag: fc.constant("work" as const),
      calls: fc.array(call, { minLength: 1, maxLength: 3 }),
      together: fc.boolean(),
      sameIds: rarely(5),
      signed: rarely(8),
    }),
  },
  { weight: 2, arbitrary: fc.record({ tag: fc.constant("deliver" as const), together: fc.boolean() }) },
  { weight: 1, arbitrary: fc.constantFrom({ tag: "stray" as const }, { tag: "empty" as const }) },
)

const PIECES = [
  "The order ord_4711 was shipped to Oslo on 2026-03-02. ",
  "Never touch the prod database. ",
  "src/thread/Row.ts:12 exports rank. ",
  "Please fix the login page 🚀. ",
  "Die Rechnung INV-2026-0042 über 129.90 EUR ist offen. ",
]

/** A text of about so many tokens of four units, which a number makes different from others. */
const textOf = (tokens: number, seed: number): string => {
  const piece = `${seed}: ${PIECES[seed % PIECES.length]}`
  return piece.repeat(Math.ceil((tokens * 4) / piece.length)).slice(0, Math.max(6, tokens * 4))
}

/** Long enough that some policies keep it out of its row. */
const image = (seed: number): MediaPart => ({
  type: "media",
  mediaType: "image/png",
  data: `data:image/png;base64,${`${seed}AAAA`.repeat(60)}`,
  width: 32,
  height: 32,
  detail: "low",
})

const say = (move: Extract<Move, { tag: "say" }>, seed: number): UserMessage => ({
  role: "user",
  parts: [{ type: "text", text: textOf(move.size, seed) }, ...(move.image ? [image(seed)] : [])],
  ...(move.synthetic ? { synthetic: true } : {}),
})

const callPart = (of: MoveCall, id: string, seed: number): ToolCallPart => ({
  type: "tool-call",
  id,
  name: of.tool,
  arguments: JSON.stringify({ path: `src/${seed}.ts`, content: textOf(of.asks, seed) }),
  ...(of.outcome === "pending" ? { pending: true } : {}),
})

const resultPart = (of: MoveCall, id: string, seed: number): ToolResultPart => ({
  type: "tool-result",
  call: id,
  name: of.tool,
  status: of.outcome === "error" || of.outcome === "denied" ? of.outcome : "ok",
  content: [{ type: "text", text: textOf(of.size, of.same ? 1 : seed) }, ...(of.image ? [image(seed)] : [])],
})

const messages = (parts: ReadonlyArray<ToolResultPart>, together: boolean): ReadonlyArray<ToolMessage> =>
  parts.length === 0
    ? []
    : together
      ? [{ role: "tool", parts }]
      : parts.map((part) => ({ role: "tool" as const, parts: [part] }))

const work = (move: Extract<Move, { tag: "work" }>, talk: Talk) => {
  const seed = (i: number) => talk.moves * 10 + i
  const id = (i: number) => (move.sameIds ? `same${i}` : `c${seed(i)}`)
  const signature = { type: "reasoning" as const, text: "Let me see.", signature: "c2ln" }
  const response: AssistantMessage = {
    role: "assistant",
    parts: [
      ...(move.signed ? [signature] : []),
      ...move.calls.map((one, i) => callPart(one, id(i), seed(i))),
    ],
  }
  const at = (outcomes: ReadonlyArray<MoveCall["outcome"]>) =>
    move.calls.flatMap((one, i) => (outcomes.includes(one.outcome) ? [resultPart(one, id(i), seed(i))] : []))
  return {
    messages: [response, ...messages(at(["ok", "error", "denied"]), move.together)],
    late: [...talk.late, ...at(["late", "pending"])],
  }
}

const happen = (
  move: Move,
  talk: Talk,
): { readonly messages: ReadonlyArray<Message>; readonly late: ReadonlyArray<ToolResultPart> } => {
  const { late, moves } = talk
  switch (move.tag) {
    case "say":
      return { messages: [say(move, moves)], late }
    case "reply": {
      const text = textOf(move.size, moves)
      return { messages: [{ role: "assistant", parts: [{ type: "text", text }] }], late }
    }
    case "work":
      return work(move, talk)
    case "deliver":
      return { messages: messages(late, move.together), late: [] }
    case "stray": {
      const content = [{ type: "text" as const, text: "nobody asked" }]
      const part = { type: "tool-result" as const, call: "never", status: "ok" as const, content }
      return { messages: [{ role: "tool", parts: [part] }], late }
    }
    case "empty":
      return { messages: [{ role: "assistant", parts: [] }], late }
  }
}

/**
 * Finds the messages of a move, and what the chat remembers after it.
 *
 * @category combinators
 * @since 0.1.0
 */
export const play = (
  move: Move,
  talk: Talk,
): { readonly messages: ReadonlyArray<Message>; readonly talk: Talk } => {
  const { messages: said, late } = happen(move, talk)
  return { messages: said, talk: { moves: talk.moves + 1, late } }
}
