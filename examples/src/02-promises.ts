/**
 * The Promise façade over an embedded Postgres: an agent's loop in a few lines, and a second process that goes on.
 * `npm run -s example -- 02-promises`
 */
import { layerMemory } from "@palimpsest/adapter-pg/pglite"
import { assistant, messagesOf, toolResult, user } from "@palimpsest/core"
import { toOpenAiChat } from "@palimpsest/core/formats/openai-chat"
import { makePalimpsest } from "@palimpsest/core/promise"

const palimpsest = makePalimpsest({ store: layerMemory })
const key = { tenant: "acme", chat: "7" }
const options = { system: "You help customers of a shop.", budget: { window: 32_000 } }

const first = await palimpsest.open(key, options)
await first.append(user("Where is order 4417?"))
const prompt = await first.prompt()
console.log(toOpenAiChat(messagesOf(prompt), { system: prompt.system }))

// What the model answered, and what its tool gave back.
await first.append(
  assistant("", [{ id: "c1", name: "find_order", arguments: '{"order":4417}' }]),
  toolResult("c1", '{"status":"shipped","carrier":"DHL"}', { name: "find_order" }),
)
await first.checkpoint()

// Another process: it reads the thread, and the prompt goes on where the first one left it.
const second = await palimpsest.open(key, options)
const next = await second.prompt()
console.log(
  `${next.slots.length} messages, ${next.tokens.total} tokens, decision ${next.decisions.at(-1)?._tag}`,
)
await palimpsest.close()
