/**
 * Random threads that are valid by construction: each call is followed by its result, in every layout that
 * providers allow.
 *
 * @since 0.1.0
 */
import fc from "fast-check"
import type {
  AssistantMessage,
  Message,
  ToolCallPart,
  ToolMessage,
  ToolResultPart,
  UserMessage,
} from "../../thread/Message.ts"
import { arbitraryArguments, arbitraryContent, arbitraryMedia, arbitraryRemark } from "./Contents.ts"

/**
 * What the threads of `arbitraryThread` may hold.
 *
 * @category models
 * @since 0.1.0
 */
export interface ThreadOptions {
  /** Turns at most: a user message and all that follows it. Default 4. */
  readonly turns?: number
  /** Call groups of an ordinary turn at most. Default 4. */
  readonly groups?: number
  /** Call groups of an endless turn at most; one thread in eight has one. Default 40; 0 for none. */
  readonly endless?: number
  /** Whether the thread may end in calls without results, some of them pending. Default false. */
  readonly open?: boolean
  /** Whether user messages and results may hold images. Default true. */
  readonly images?: boolean
}

/** A call and its result before they have ids. */
interface Exchange {
  readonly call: Omit<ToolCallPart, "type" | "id">
  readonly result: Omit<ToolResultPart, "type" | "call" | "name">
  readonly named: boolean
}

/** A response with calls, before they have ids. */
interface CallGroup {
  readonly text: string
  readonly reasoning: "none" | "plain" | "signed"
  readonly exchanges: ReadonlyArray<Exchange>
  /** Whether the results share one message. */
  readonly together: boolean
}

interface Turn {
  readonly user: UserMessage
  readonly groups: ReadonlyArray<CallGroup>
  readonly reply: string
}

const NAMES = [
  "Read",
  "read_file",
  "write_file",
  "Edit",
  "Bash",
  "shell",
  "Grep",
  "web_fetch",
  "list_orders",
  "deploy",
]

const status = fc.oneof(
  { weight: 8, arbitrary: fc.constant("ok" as const) },
  { weight: 2, arbitrary: fc.constant("error" as const) },
  { weight: 1, arbitrary: fc.constant("denied" as const) },
)

const exchange = (options: ThreadOptions): fc.Arbitrary<Exchange> =>
  fc.record({
    call: fc.record({ name: fc.constantFrom(...NAMES), arguments: arbitraryArguments }),
    result: fc.record({
      status,
      content:
        options.images === false
          ? arbitraryContent.map((items) => items.filter((item) => item.type === "text"))
          : arbitraryContent,
    }),
    named: fc.boolean(),
  })

const callGroup = (options: ThreadOptions): fc.Arbitrary<CallGroup> =>
  fc.record({
    text: fc.oneof(fc.constant(""), arbitraryRemark),
    reasoning: fc.constantFrom("none" as const, "none" as const, "plain" as const, "signed" as const),
    exchanges: fc.array(exchange(options), { minLength: 1, maxLength: 3 }),
    together: fc.boolean(),
  })

const userMessage = (options: ThreadOptions): fc.Arbitrary<UserMessage> =>
  fc
    .tuple(
      arbitraryRemark,
      options.images === false ? fc.constant([]) : fc.array(arbitraryMedia, { maxLength: 1 }),
      fc.nat(9),
    )
    .map(([text, images, dice]) => ({
      role: "user",
      parts: [{ type: "text", text }, ...images],
      ...(dice === 0 ? { synthetic: true } : {}),
    }))

const turn = (options: ThreadOptions, groups: number): fc.Arbitrary<Turn> =>
  fc.record({
    user: userMessage(options),
    groups: fc.array(callGroup(options), { maxLength: groups, size: "max" }),
    reply: arbitraryRemark,
  })

const response = (group: CallGroup, first: number): AssistantMessage => ({
  role: "assistant",
  parts: [
    ...(group.reasoning === "none"
      ? []
      : [
          {
            type: "reasoning" as const,
            text: "Let me think.",
            ...(group.reasoning === "signed" ? { signature: "c2lnbmVk" } : {}),
          },
        ]),
    ...(group.text === "" ? [] : [{ type: "text" as const, text: group.text }]),
    ...group.exchanges.map(({ call }, i) => ({ type: "tool-call" as const, id: `c${first + i}`, ...call })),
  ],
})

const results = (group: CallGroup, first: number): ReadonlyArray<ToolMessage> => {
  const parts = group.exchanges.map(
    ({ call, result, named }, i): ToolResultPart => ({
      type: "tool-result",
      call: `c${first + i}`,
      ...(named ? { name: call.name } : {}),
      ...result,
    }),
  )
  return group.together
    ? [{ role: "tool", parts }]
    : parts.map((part) => ({ role: "tool" as const, parts: [part] }))
}

const build = (turns: ReadonlyArray<Turn>): ReadonlyArray<Message> => {
  let next = 1
  return turns.flatMap(({ user, groups, reply }) => [
    user,
    ...groups.flatMap((group) => {
      const first = next
      next += group.exchanges.length
      return [response(group, first), ...results(group, first)]
    }),
    { role: "assistant" as const, parts: [{ type: "text" as const, text: reply }] },
  ])
}

/** Cuts a thread inside its last group: some of its calls are left without a result, pending or not. */
const leaveOpen = (
  messages: ReadonlyArray<Message>,
  kept: number,
  pending: boolean,
): ReadonlyArray<Message> => {
  const last = messages.findLastIndex((m) => m.parts.some((part) => part.type === "tool-call"))
  const asking = messages[last]
  if (asking?.role !== "assistant") return messages
  const after = messages.slice(last + 1).filter((m) => m.role === "tool")
  const parts = after.flatMap((m) => m.parts).slice(0, kept)
  const calls = asking.parts.filter((part) => part.type === "tool-call").length
  if (parts.length === calls) return messages.slice(0, last)
  const answered = new Set(parts.map((part) => part.call))
  const waiting: AssistantMessage = {
    ...asking,
    parts: asking.parts.map((part) =>
      pending && part.type === "tool-call" && !answered.has(part.id) ? { ...part, pending: true } : part,
    ),
  }
  return [
    ...messages.slice(0, last),
    waiting,
    ...(parts.length > 0 ? [{ role: "tool" as const, parts }] : []),
  ]
}

/**
 * Makes valid threads: several turns or one endless one, parallel calls with results in one message or in
 * several, errors, denials, images, signed reasoning, repeated results, sizes from nothing to many pages.
 *
 * @category arbitraries
 * @since 0.1.0
 */
export const arbitraryThread = (options: ThreadOptions = {}): fc.Arbitrary<ReadonlyArray<Message>> => {
  const { turns = 4, groups = 4, endless = 40 } = options
  const several = fc.array(turn(options, groups), { maxLength: turns })
  const thread = fc
    .oneof(
      { weight: 7, arbitrary: several },
      { weight: endless === 0 ? 0 : 1, arbitrary: turn(options, endless).map((only) => [only]) },
    )
    .map(build)
  return options.open === true
    ? fc
        .tuple(thread, fc.nat(2), fc.boolean(), fc.boolean())
        .map(([messages, kept, pending, open]) => (open ? leaveOpen(messages, kept, pending) : messages))
    : thread
}
