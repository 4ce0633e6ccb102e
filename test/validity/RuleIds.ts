/** Every rule that must have a case: what providers and stores do with messages, by the subject that it is about. */

/** Rules of one subject: `AN1` to `AN24`. */
interface RuleFamily {
  readonly prefix: string
  readonly subject: string
  readonly count: number
}

export const families: ReadonlyArray<RuleFamily> = [
  { prefix: "OC", subject: "OpenAI's Chat Completions", count: 10 },
  { prefix: "OR", subject: "OpenAI's Responses", count: 13 },
  { prefix: "AN", subject: "Anthropic's Messages", count: 24 },
  { prefix: "VA", subject: "the AI SDK's messages", count: 10 },
  { prefix: "LC", subject: "LangChain's messages", count: 8 },
  { prefix: "EF", subject: "Effect's prompts", count: 7 },
  { prefix: "GE", subject: "Gemini's contents", count: 11 },
  { prefix: "OT", subject: "other servers that speak a known format", count: 6 },
  { prefix: "PG", subject: "messages stored in Postgres", count: 5 },
]

/** The ids of all rules, in the order of the page. */
export const ruleIds: ReadonlyArray<string> = families.flatMap(({ prefix, count }) =>
  Array.from({ length: count }, (_, i) => `${prefix}${i + 1}`),
)
