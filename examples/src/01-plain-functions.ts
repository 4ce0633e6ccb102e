/**
 * The pure pipeline by hand, without Effect and without a store: for hosts that keep messages and await models
 * in their own way. `npm run -s example -- 01-plain-functions`
 */
import {
  advance,
  applyPatches,
  assistant,
  capAtIngest,
  countMessage,
  decide,
  defaultAccounting,
  defaultPolicy,
  defaultStubs,
  emptyThread,
  explain,
  groupsOf,
  layout,
  limitsOf,
  type Message,
  makeBudget,
  messagesOf,
  openWindow,
  redact,
  type Thread,
  toolResult,
  user,
} from "@palimpsest/core"
import { toOpenAiChat } from "@palimpsest/core/formats/openai-chat"
import { loadO200k } from "@palimpsest/core/o200k"

const counter = await loadO200k()
const settings = {
  counter,
  accounting: defaultAccounting,
  budget: makeBudget({ window: 4_000 }),
  policy: defaultPolicy,
  stubs: defaultStubs,
  redact,
}

/** A row of the host's: counted once, and capped before it is first sent. */
const push = (thread: Thread, message: Message, position: number): Thread => {
  const id = `m${position}`
  const { result } = limitsOf(settings.policy, settings.budget, 0)
  const cap = capAtIngest({ id, message }, { ...settings, maxTokens: result })
  const tokens = countMessage(applyPatches(message, cap), counter, settings.accounting)
  return advance(thread, { kind: "message", id, position, message, tokens, tokenizer: counter.name, cap })
}

const log = Array.from({ length: 60 }, (_, i) => `12:${i} GET /orders/44${i} 200 ${i * 3} ms`).join("\n")
const messages: ReadonlyArray<Message> = [
  user("Which requests were slow this noon?"),
  assistant("I will read the log.", [{ id: "c1", name: "read_file", arguments: '{"path":"logs/noon.txt"}' }]),
  toolResult("c1", log, { name: "read_file" }),
  assistant("Those after 12:50 took more than 150 ms."),
  user("Thanks. And which order was the slowest?"),
]

const thread = messages.reduce((all, message, i) => push(all, message, i + 1), emptyThread("You read logs."))
const window = openWindow(thread, settings)
const grouping = groupsOf(window, settings)
console.log(explain(decide(window, grouping, settings)))
const prompt = layout(window, grouping, settings)
console.log(
  toOpenAiChat(messagesOf(prompt), { system: prompt.system })
    .map(({ role }) => role)
    .join(" → "),
)
