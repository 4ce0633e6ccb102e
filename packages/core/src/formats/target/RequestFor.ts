/**
 * From a prompt to the request of a model: what it takes, valid, with everything that had to give way listed.
 *
 * @since 0.1.0
 */
import type { Prompt } from "../../prompt/Layout.ts"
import type { Conversation, Item, Loss } from "../format/Conversation.ts"
import { writeExact } from "../format/ExactJson.ts"
import type { Fields } from "../format/Fields.ts"
import type { Format } from "../format/Format.ts"
import type { WireRepair } from "../format/Rule.ts"
import { leaveToRun } from "./Approved.ts"
import { withoutImages } from "./Images.ts"
import type { Target } from "./Target.ts"
import { type Remembered, type Thought, thinkingPolicy } from "./Thinking.ts"

/**
 * A request, and what became of the prompt on the way.
 *
 * @category models
 * @since 0.1.0
 */
export interface Outgoing<Request> {
  readonly request: Request
  /** What the format or the model has no place for. */
  readonly losses: ReadonlyArray<Loss>
  /** What had to be changed so that the provider accepts it. */
  readonly repairs: ReadonlyArray<WireRepair>
  /** Reasoning that is not sent, by index of its message. */
  readonly reasoning: Thought["dropped"]
  /** `off` when the request must not ask the model to think. */
  readonly thinking: Thought["thinking"]
  /** Ids of calls that changed: from the one that is sent to the one of the thread. See `originalIds`. */
  readonly ids: ReadonlyMap<string, string>
}

/**
 * The messages of a prompt, each with what a target must know of it.
 *
 * @category getters
 * @since 0.1.0
 */
export const rememberedOf = ({ slots }: Pick<Prompt, "slots">): ReadonlyArray<Remembered> =>
  slots.map(({ message, prefix, raw }) => ({ message, prefix, ...(raw === undefined ? {} : { raw }) }))

/** The fields of the request besides its messages, as the frame of a conversation. */
const frameOf = (fields: Fields | undefined, name: Target["format"]): Pick<Conversation, "frame"> => {
  const text = fields === undefined ? undefined : writeExact(fields)
  return text === undefined ? {} : { frame: { format: name, text } }
}

/**
 * Writes a prompt as the request of a target: reasoning that the provider would refuse is left out, images give way
 * where the model takes none, ids are what it allows, and the result breaks none of its rules.
 *
 * **Example** (From a prompt to Anthropic)
 *
 * ```ts
 * import { user } from "@palimpsest/core"
 * import { makeTarget, requestFor } from "@palimpsest/core/formats"
 * import { anthropic } from "@palimpsest/core/formats/anthropic"
 * import { makePalimpsest } from "@palimpsest/core/promise"
 * import { memoryStore } from "@palimpsest/core/memory"
 *
 * const target = makeTarget({ format: "anthropic", model: "claude-sonnet-4-5", window: 200_000 })
 * const palimpsest = makePalimpsest({ store: memoryStore })
 * const step = await palimpsest.open({ tenant: "acme", chat: "7" }, { budget: target, system: "Be kind." })
 * await step.append(user("Where is my order?"))
 * const { request, repairs } = requestFor(await step.prompt(), anthropic, target, { max_tokens: 1000 })
 * await palimpsest.close()
 * request.messages.length // => 1
 * repairs // => []
 * ```
 *
 * @category codecs
 * @since 0.1.0
 */
export const requestFor = <Request>(
  prompt: Pick<Prompt, "system" | "slots">,
  format: Format<Request>,
  target: Target,
  fields?: Fields,
): Outgoing<Request> => {
  const thought = thinkingPolicy(rememberedOf({ slots: leaveToRun(prompt.slots, format.name) }), target)
  const seen: { readonly items: ReadonlyArray<Item>; readonly losses: ReadonlyArray<Loss> } = target.images
    ? { items: thought.items, losses: [] }
    : withoutImages(thought.items)
  const conversation: Conversation = {
    system: prompt.system === "" ? null : prompt.system,
    items: seen.items,
    ...frameOf(fields, format.name),
  }
  const encoded = format.encode(conversation)
  const { request, repairs } = format.repair(encoded.request)
  return {
    request,
    losses: [...seen.losses, ...encoded.losses],
    repairs,
    reasoning: thought.dropped,
    thinking: thought.thinking,
    ids: encoded.ids,
  }
}
