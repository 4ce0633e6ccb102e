import {
  decide,
  defaultAccounting,
  defaultPolicy,
  defaultStubs,
  emptyThread,
  estimateCounter,
  groupsOf,
  layout,
  makeBudget,
  messagesOf,
  openWindow,
  type Prompt,
  redact,
  type Settings,
  type Thread,
} from "@palimpsest/core"
import { toOpenAiChat } from "@palimpsest/core/formats/openai-chat"
import { conversation, rowsOf } from "./Conversation.ts"
import type { Figure } from "./Ratio.ts"

const settings: Settings = {
  counter: estimateCounter,
  accounting: defaultAccounting,
  budget: makeBudget({ window: 2_000_000 }),
  policy: { ...defaultPolicy, trigger: { fraction: 1, tokens: 2_000_000 } },
  stubs: defaultStubs,
  redact,
}

const thread: Thread = { ...emptyThread("Be brief."), rows: rowsOf(conversation(1000), "m") }

const pipeline = (): Prompt => {
  const window = openWindow(thread, settings)
  const grouping = groupsOf(window, settings)
  const decision = decide(window, grouping, settings)
  if (decision._tag !== "Keep")
    throw new Error(`the window was to be kept, and the decision is ${decision._tag}`)
  return layout(window, grouping, settings)
}

/** The pure pipeline beside the one thing that every host does anyway: writing the prompt as JSON. */
export const pipelineFigure = (): Figure => {
  const prompt = pipeline()
  const messages = toOpenAiChat(messagesOf(prompt), { system: prompt.system })
  return {
    name: "open, group, decide and lay out 1,000 counted rows / JSON.stringify of that prompt",
    bound: 1,
    times: 60,
    measured: pipeline,
    yardstick: () => JSON.stringify(messages),
  }
}
