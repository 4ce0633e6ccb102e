/**
 * The state of a step: the thread as this process knows it, and what of it is not stored yet.
 *
 * @since 0.1.0
 */

import type { Reading } from "../count/Calibrate.ts"
import { countMessage } from "../count/Count.ts"
import { countingName } from "../count/CountingName.ts"
import { limitsOf } from "../decide/Policy.ts"
import type { Settings } from "../decide/Settings.ts"
import { capAtIngest } from "../prepass/Cap.ts"
import { scrubAtIngest } from "../prepass/Leak.ts"
import { filterMessage } from "../prompt/Outbound.ts"
import type { OutboundFilter } from "../prompt/OutboundText.ts"
import { advance } from "../thread/Advance.ts"
import { messageId } from "../thread/Id.ts"
import type { Message } from "../thread/Message.ts"
import { applyPatches } from "../thread/Patch.ts"
import { sameContent } from "../thread/References.ts"
import type { MessageRow, Raw, ThreadKey } from "../thread/Row.ts"
import type { Thread } from "../thread/Thread.ts"
import type { AskedPrompt } from "./PromptUsage.ts"
import type { Degradation } from "./Report.ts"
import type { NewMessage } from "./ThreadStore.ts"

/**
 * A message that a host appends. Without an id one is derived from the thread, the message before it and its content,
 * so that a retry of the same append is the same row.
 *
 * @category models
 * @since 0.1.0
 */
export interface Input {
  readonly message: Message
  readonly id?: string
  readonly raw?: Raw
  /** When it was said, in milliseconds since 1970, for chats that are brought in later; the time of the step by default. */
  readonly at?: number
  /**
   * Of a response: the provider's usage object as it came, of any provider. Counts are corrected by it when the step
   * names its model.
   */
  readonly usage?: unknown
}

/**
 * A thread in the process. Positions of unsaved rows are a guess that the store corrects.
 *
 * @category models
 * @since 0.1.0
 */
export interface StepState {
  readonly thread: Thread
  readonly unsaved: ReadonlyArray<NewMessage>
  /** The store is known to hold something else, or may: the thread is read again before the next pass. */
  readonly isStale: boolean
  /** Id of the first appended message that a cut may cover: the store is asked for it before the next prompt. */
  readonly unsure: string | null
  /** Nothing was appended in this step yet. */
  readonly isFresh: boolean
  /** Id of the user message for which long-term memory was asked last: a step asks once for each. */
  readonly recalledFor: string | null
  /** The prompt that was made last, until it is answered. */
  readonly asked: AskedPrompt | null
  /** Readings of prompts that the provider refused: no row holds them. */
  readonly refused: ReadonlyArray<Reading>
  /** What the next prompt has to tell. */
  readonly noted: ReadonlyArray<Degradation>
  /** Large values by id: those that are not stored yet, and those that the last prompt was sent with. */
  readonly values: ReadonlyMap<string, string>
}

/**
 * The state of a step that has just read its thread.
 *
 * @category constructors
 * @since 0.1.0
 */
export const stateOf = (thread: Thread): StepState => ({
  thread,
  unsaved: [],
  isStale: false,
  unsure: null,
  isFresh: true,
  recalledFor: null,
  asked: null,
  refused: [],
  noted: [],
  values: new Map(),
})

const messagesOf = (thread: Thread): ReadonlyArray<MessageRow> =>
  thread.rows.filter((row) => row.kind === "message")

/**
 * Finds the id and the position of the last message of a thread; those of the start for an empty one.
 *
 * @category getters
 * @since 0.1.0
 */
export const lastOf = (thread: Thread): { readonly id: string; readonly position: number } => {
  const last = messagesOf(thread).at(-1)
  if (last !== undefined) return { id: last.id, position: last.position }
  return { id: thread.cut?.anchor ?? "", position: thread.cut?.position ?? 0 }
}

/**
 * Counts a message as it will be stored: a result that is too large is capped before it is ever sent, and a fence that
 * the model repeated is taken out.
 *
 * @category constructors
 * @since 0.1.0
 */
export const newMessage = (
  key: ThreadKey,
  previous: string,
  input: Input,
  system: number,
  settings: Settings,
  outbound: OutboundFilter | null = null,
): NewMessage => {
  const { counter, accounting } = settings
  const { message } = input
  const id = input.id ?? messageId(key, previous, message)
  const { result } = limitsOf(settings.policy, settings.budget, system)
  // Filtered before it is cut: half of what must not leave would not be known any more.
  const sent = outbound === null ? message : filterMessage(message, outbound)
  const cap = [
    ...scrubAtIngest(sent),
    ...capAtIngest({ id, message: sent }, { maxTokens: result, counter, accounting }),
  ]
  return {
    id,
    message,
    tokens: countMessage(applyPatches(message, cap), counter, accounting),
    tokenizer: countingName(settings),
    ...(cap.length === 0 ? {} : { cap }),
    ...(input.raw === undefined ? {} : { raw: input.raw }),
    ...(input.at === undefined ? {} : { at: input.at }),
  }
}

/**
 * Counts how many of the first inputs of a step are the last rows of the thread already: a step that died after it had
 * stored them is tried again, and says the same again.
 *
 * @category getters
 * @since 0.1.0
 */
export const alreadySaid = (key: ThreadKey, thread: Thread, inputs: ReadonlyArray<Input>): number => {
  const rows = messagesOf(thread)
  // An id of the host says nothing of the content: with another one it is refused, and not taken for said.
  const isSame = (row: MessageRow | undefined, previous: string, { id, message }: Input) =>
    id === undefined
      ? row?.id === messageId(key, previous, message)
      : row?.id === id && sameContent(row.message, message)
  const areLast = (count: number) => {
    const start = rows.length - count
    const before = (i: number) => rows[start + i - 1]?.id ?? thread.cut?.anchor ?? ""
    return inputs.slice(0, count).every((input, i) => isSame(rows[start + i], before(i), input))
  }
  for (let count = Math.min(inputs.length, rows.length); count > 0; count--) if (areLast(count)) return count
  return 0
}

/**
 * Adds a message to the thread in the process.
 *
 * @category combinators
 * @since 0.1.0
 */
export const push = (state: StepState, message: NewMessage): StepState => ({
  ...state,
  thread: advance(state.thread, { kind: "message", position: lastOf(state.thread).position + 1, ...message }),
  unsaved: [...state.unsaved, message],
})

/**
 * Finds a message of the thread by its id, also one that is covered and kept.
 *
 * @category getters
 * @since 0.1.0
 */
export const find = (thread: Thread, id: string): MessageRow | undefined =>
  [...thread.kept, ...messagesOf(thread)].find((row) => row.id === id)

/**
 * Tells whether the store put the unsaved rows where the process thought they were: if not, somebody else wrote.
 *
 * @category guards
 * @since 0.1.0
 */
export const agrees = (thread: Thread, stored: ReadonlyArray<MessageRow>): boolean =>
  stored.every((row) => find(thread, row.id)?.position === row.position)

/**
 * Gives the messages of a thread the times that are stored: a message that another process, or this one before it died, stored
 * first keeps the time of then.
 *
 * @category combinators
 * @since 0.1.0
 */
export const datedAs = (thread: Thread, stored: ReadonlyArray<MessageRow>): Thread => {
  const times = new Map(stored.map((row) => [row.id, row.at]))
  const rows = thread.rows.map((row) => {
    const at = row.kind === "message" ? times.get(row.id) : undefined
    return at === undefined || row.kind !== "message" || row.at === at ? row : { ...row, at }
  })
  return { ...thread, rows }
}
