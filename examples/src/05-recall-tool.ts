/**
 * The recall tool in a plain loop over Chat Completions: an old result is sent as one line, and the model reads it in full.
 * The model is a script, so that nothing leaves the machine. `npm run -s example -- 05-recall-tool`
 */
import { assistant, messagesOf, toolResult, user } from "@palimpsest/core"
import { toOpenAiChat } from "@palimpsest/core/formats/openai-chat"
import { memoryStore } from "@palimpsest/core/memory"
import { makePalimpsest } from "@palimpsest/core/promise"
import { scriptedModel } from "./recall-tool/ScriptedModel.ts"

const palimpsest = makePalimpsest({ store: memoryStore })
const step = await palimpsest.open(
  { tenant: "acme", chat: "7" },
  {
    system: "You help customers of a shop.",
    budget: { window: 16_000 },
    // A tail of nothing: so short a chat would be sent as it is.
    policy: { head: { fraction: 0, tokens: 0 }, tail: { fraction: 0, tokens: 0 }, tailGroups: 0 },
  },
)
const orders = Array.from({ length: 60 }, (_, i) => ({ order: 4_400 + i, city: i === 17 ? "Lviv" : "Kyiv" }))
await step.append(
  { id: "m1", message: user("Which orders are on their way?") },
  { id: "m2", message: assistant("", [{ id: "c1", name: "orders", arguments: "{}" }]) },
  { id: "m3", message: toolResult("c1", JSON.stringify(orders), { name: "orders" }) },
  { id: "m4", message: assistant("Sixty of them.") },
  ...Array.from({ length: 6 }, (_, i) => [user(`And what is ${i}?`), assistant("A digit.")]).flat(),
)
await step.compact() // What a pass does by itself once the window is full: the list is a line from now on.
await step.append({ id: "m17", message: user("Where does order 4417 go?") })

const tools = [{ type: "function", function: { ...step.tool, strict: true } }]
for (let turn = 0; turn < 4; turn++) {
  const prompt = await step.prompt()
  const messages = toOpenAiChat(messagesOf(prompt), { system: prompt.system })
  const said = scriptedModel({ messages, tools })
  await step.append(assistant(said.content, said.calls))
  if (said.calls.length === 0) {
    console.log(said.content)
    break
  }
  for (const call of said.calls) {
    const answer = await step.handle(call.arguments)
    console.log(`recall ${call.arguments}: ${answer.tokens} tokens`)
    const status = answer.isError ? "error" : "ok"
    await step.append(toolResult(call.id, answer.text, { name: call.name, status }))
  }
}
await step.end()
await palimpsest.close()
