/** A model that is a script: it does what a hint says, and answers from what it read. */

interface Answer {
  readonly content: string
  readonly calls: ReadonlyArray<{ readonly id: string; readonly name: string; readonly arguments: string }>
}

/** Answers a request of Chat Completions. */
export const scriptedModel = (request: { readonly messages: unknown; readonly tools: unknown }): Answer => {
  const text = JSON.stringify(request.messages)
  const city = /order[^a-z]+4417[^}]*?city[^a-z]*([A-Z][a-z]+)/.exec(text)?.[1]
  if (city !== undefined) return { content: `Order 4417 goes to ${city}.`, calls: [] }
  const row = /recall\([^a-z]*(\w+)/.exec(text)?.[1] ?? "m3"
  const given = JSON.stringify({ ids: [row], query: "", page: "" })
  return { content: "", calls: [{ id: "r1", name: "recall", arguments: given }] }
}
