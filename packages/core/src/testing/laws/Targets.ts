/**
 * Law 3, for the models that a prompt may be sent to: whatever the pipeline makes of a thread, each of them takes it.
 *
 * @since 0.1.0
 */
import fc from "fast-check"
import { aiSdk } from "../../formats/ai-sdk/Format.ts"
import { aiSdkUi } from "../../formats/ai-sdk-ui/Format.ts"
import { anthropic } from "../../formats/anthropic/Format.ts"
import { effectPrompt } from "../../formats/effect-prompt/Format.ts"
import type { Format } from "../../formats/format/Format.ts"
import { gemini } from "../../formats/gemini/Format.ts"
import { langchain } from "../../formats/langchain/Format.ts"
import { openAiChatFor } from "../../formats/openai-chat/Format.ts"
import { openAiResponses } from "../../formats/openai-responses/Format.ts"
import { requestFor } from "../../formats/target/RequestFor.ts"
import { makeTarget, type Target } from "../../formats/target/Target.ts"
import type { Prompt, Slot } from "../../prompt/Layout.ts"
import { isRealUser } from "../../thread/Message.ts"
import { arbitraryScene } from "../arbitraries/Scenes.ts"
import { type Law, property } from "../Law.ts"
import { look } from "./Look.ts"

/** A request for a target, and what its own format says of it. */
interface Asking {
  readonly name: string
  readonly ask: (prompt: Pick<Prompt, "system" | "slots">) => {
    readonly faults: number
    readonly wire: string
  }
}

const asking = <Request>(format: Format<Request>, model: string, own: Partial<Target> = {}): Asking => {
  const target = makeTarget({ ...own, format: format.name, model, window: 100_000 })
  return {
    name: `${format.name} of ${model}`,
    ask: (prompt) => {
      const { request } = requestFor(prompt, format, target, { model })
      return { faults: format.validate(request).length, wire: JSON.stringify(request) }
    },
  }
}

const ASKED: ReadonlyArray<Asking> = [
  asking(anthropic, "claude-sonnet-4-5"),
  asking(anthropic, "claude-fable-5-1"),
  asking(openAiChatFor("openai"), "gpt-5"),
  asking(openAiChatFor("mistral"), "mistral-small", { images: false }),
  asking(openAiChatFor("deepseek"), "deepseek-chat", { images: false }),
  asking(openAiChatFor("strict"), "qwen3"),
  asking(openAiChatFor("bedrock"), "nova-lite"),
  asking(openAiResponses, "gpt-5"),
  asking(gemini, "gemini-3-pro"),
  asking(aiSdk, "claude-sonnet-4-5"),
  asking(aiSdkUi, "gpt-5"),
  asking(langchain, "gemini-3-pro"),
  asking(effectPrompt, "gpt-5"),
]

/** Who wrote the responses of a thread: one model after the other, or nobody knows. */
const authors = fc.array(
  fc.constantFrom(
    {},
    { model: "claude-sonnet-4-5", format: "anthropic" as const },
    { model: "gpt-5", format: "openai-responses" as const },
    { model: "gemini-3-pro", format: "gemini" as const },
  ),
  { minLength: 1, maxLength: 3 },
)

const written = fc.record({ scene: arbitraryScene, by: authors, asked: fc.constantFrom(...ASKED) })

const signedBy =
  (by: ReadonlyArray<object>) =>
  (slot: Slot, at: number): Slot =>
    slot.message.role === "assistant"
      ? { ...slot, message: { ...slot.message, ...by[at % by.length] } }
      : slot

/** Half of a character has no place in JSON, and comes as its replacement. */
const isLoneHalf = /\p{Surrogate}/u

const newestText = ({ slots }: Pick<Prompt, "slots">): string | undefined =>
  slots
    .findLast(({ message }) => isRealUser(message))
    ?.message.parts.flatMap((part) => (part.type === "text" ? [part.text] : []))
    .find((text) => text.trim() !== "" && !isLoneHalf.test(text))

const accepted = property(
  "each prompt makes a request that its model takes, whoever wrote the responses in it, with the user's newest words",
  fc.property(written, ({ scene, by, asked }) => {
    const { prompt } = look(scene)
    if (prompt === null) return true
    const sent = { ...prompt, slots: prompt.slots.map(signedBy(by)) }
    const { faults, wire } = asked.ask(sent)
    const text = newestText(sent)
    return faults === 0 && (text === undefined || wire.includes(JSON.stringify(text).slice(1, -1)))
  }),
)

/**
 * Says that what the pipeline makes of a thread is taken by every kind of model that it may be sent to.
 *
 * @category laws
 * @since 0.1.0
 */
export const targetsLaw: Law = { number: 3, title: "Validity for every target", properties: [accepted] }
