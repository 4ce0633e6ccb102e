/** What the cases of the outbound filter share: a chat that tells a secret everywhere, and a record of what leaves. */
import { summariserFrom } from "@palimpsest/adapter-llm"
import { assistant, type Message, type OutboundFilter, toolResult, user } from "@palimpsest/core"
import {
  Facts,
  type FlushRequest,
  LongTermMemory,
  type StepPrompt,
  type SummaryRequest,
} from "@palimpsest/core/engine"
import { makeMemoryState } from "@palimpsest/core/testing"
import { Effect, Layer } from "effect"
import { inputs, open, words } from "./Kit.ts"

export const SECRET = "a@b.c"
export const addresses: OutboundFilter = (text) => text.replace(/\b[\w.]+@[\w.]+\b/g, "[address]")

/** Every place of a message in which a model can read something. */
const telling = (i: number): ReadonlyArray<Message> => [
  user(`Question ${i} of ${SECRET}`),
  {
    role: "assistant",
    parts: [
      { type: "reasoning", text: `Who is ${SECRET}?` },
      { type: "text", text: `I look for ${SECRET}.` },
      { type: "tool-call", id: `c${i}`, name: "find", arguments: JSON.stringify({ who: SECRET, n: i }) },
    ],
  },
  toolResult(`c${i}`, `found ${SECRET} in row ${i} ${words(60)}`),
  assistant(`${SECRET} wrote ${words(60)}`),
]

/** Everything that leaves a step but its prompts, as it left. */
export const outside = () => {
  const asked: Array<SummaryRequest> = []
  const flushed: Array<FlushRequest> = []
  const queries: Array<string> = []
  const summariser = summariserFrom({
    name: "mine",
    window: 50_000,
    summarise: async (request) => {
      asked.push(request)
      const line = /row (m\d+) user\] (.*)/.exec(request.transcript)
      const text = `They asked: ${line?.[2] ?? "nothing"}`
      return { add: [{ kind: "fact", text, sources: request.rows.slice(0, 1) }], resolve: [], drop: [] }
    },
  })
  const facts = Layer.succeed(
    Facts,
    Facts.of({ flush: (request) => Effect.sync(() => flushed.push(request)) }),
  )
  const memory = Layer.succeed(
    LongTermMemory,
    LongTermMemory.of({
      retrieve: ({ query }) =>
        Effect.sync(() => {
          queries.push(query)
          return {
            memories: [{ id: `k${queries.length}`, text: `Once, ${SECRET} said so`, origin: "elsewhere" }],
          }
        }),
    }),
  )
  const said = () => JSON.stringify([asked, flushed, queries])
  return { asked, flushed, queries, said, plugs: { summariser, facts, memory, state: makeMemoryState() } }
}

/** A chat of so many turns, each in a step of its own; the last one compacts. */
export const chat = Effect.fnUntraced(function* (
  turns: number,
  outbound: OutboundFilter | undefined,
  last = true,
) {
  const prompts: Array<StepPrompt> = []
  for (let i = 0; i < turns; i++) {
    const step = yield* open(4_000, {
      policy: { tailGroups: 1 },
      ...(outbound === undefined ? {} : { outbound }),
    })
    const [question, ...rest] = inputs(telling(i), 1 + 4 * i)
    yield* step.append(question === undefined ? [] : [question])
    prompts.push(yield* step.prompt)
    yield* step.append(rest)
    if (last && i === turns - 1) prompts.push(yield* step.compact({ focus: `what ${SECRET} wants` }))
    yield* step.end
  }
  return prompts
})

/** The passes that ran before some prompts. */
export const passed = (prompts: ReadonlyArray<StepPrompt>) => prompts.flatMap(({ passes }) => passes)
