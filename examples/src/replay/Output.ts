/** What a replay leaves behind: a line for each prompt, and a picture for people. */
import { explain, messagesOf, type Row } from "@palimpsest/core"
import { toOpenAiChat } from "@palimpsest/core/formats/openai-chat"
import type { Transcript } from "../transcripts/Transcript.ts"
import { many, thousands } from "./Columns.ts"
import type { Played, PlayedCall } from "./Play.ts"
import { promptBar } from "./PromptBar.ts"
import type { Tally } from "./Tally.ts"
import { threadView } from "./ThreadView.ts"
import { type Total, totals } from "./Totals.ts"

/** How wide, and whether in colour. */
export interface Look {
  readonly width: number
  readonly color: boolean
}

/** One model call as a JSON line: exactly what would be sent. A call that cannot fit sends nothing. */
export const dumpLine = (chat: string, call: PlayedCall): string => {
  const { prompt, number, limit } = call
  const last = prompt?.decisions.at(-1)?._tag ?? "CannotFit"
  return JSON.stringify({
    chat,
    call: number,
    decision:
      prompt?.passes.at(-1)?.kind === "summary" ? "Summarize" : prompt?.passes.length ? "Prune" : last,
    budget: limit,
    tokens: prompt?.tokens.total ?? call.cannotFit?.needed ?? 0,
    messages: prompt === null ? [] : toOpenAiChat(messagesOf(prompt), { system: prompt.system }),
    tools: [],
  })
}

const marksOf = (rows: ReadonlyArray<Row>): number => rows.filter((row) => row.kind !== "message").length

/** The chat with the most boundaries tells the most. */
export const mostTelling = (played: ReadonlyArray<Played>): Played | undefined =>
  played.toSorted((a, b) => marksOf(b.rows) - marksOf(a.rows) || b.rows.length - a.rows.length)[0]

/** The last prompt of a chat as a bar, with the decision behind it in words. */
export const lastPrompt = (played: Played, look: Look): string => {
  const call = played.calls.at(-1)
  if (call === undefined) return "no model call"
  if (call.prompt === null) return call.cannotFit?.message ?? ""
  const { system, head, summary, carried, tail, recall } = call.prompt.tokens
  const parts = Object.entries({ system, head, summary, carried, tail, recall })
    .filter(([, tokens]) => tokens > 0)
    .map(([name, tokens]) => ({ name, tokens }))
  const why = call.prompt.decisions.map(explain).join("\n")
  return `${promptBar(parts, call.limit, look)}\n${why}`
}

const list = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([name, n]) => `${name} ${thousands(n)}`)
    .join(", ")

const figures = (tally: Tally): ReadonlyArray<Total> => [
  { name: "chats", value: tally.chats },
  { name: "model calls", value: tally.calls, note: list(tally.decisions) },
  { name: "prompt tokens, sum", value: tally.promptTokens.sum },
  {
    name: "prompt tokens, max",
    value: tally.promptTokens.max,
    note: `of a budget of ${thousands(tally.budget)}`,
  },
  { name: "summaries", value: tally.passes.summary, note: many(tally.summariserCalls, "summariser call") },
  { name: "prunes", value: tally.passes.prune },
  {
    name: "rows read per step, max",
    value: tally.rowsReadPerStep.max,
    note: `mean ${thousands(tally.rowsReadPerStep.mean)}`,
  },
  { name: "prompts that cannot fit", value: tally.cannotFit },
  {
    name: "broken laws",
    value: Object.values(tally.violations).reduce((sum, n) => sum + n, 0),
    note: list(tally.violations),
  },
]

/** How a replay ended, in one line: which laws are broken, and which prompts cannot fit, which breaks none. */
export const ending = ({ calls, cannotFit, violations }: Tally): string => {
  const broken = Object.values(violations).reduce((sum, n) => sum + n, 0)
  const laws =
    broken === 0
      ? "no law is broken"
      : `${broken === 1 ? "1 law is" : `${thousands(broken)} laws are`} broken`
  const fit =
    cannotFit === 0
      ? ""
      : `; ${thousands(cannotFit)} of them cannot fit the window, which is told and breaks no law`
  return `${many(calls, "prompt")}: ${laws}${fit}`
}

/** The whole picture of a replay. */
export const picture = (
  transcripts: ReadonlyArray<Transcript>,
  played: ReadonlyArray<Played>,
  tally: Tally,
  look: Look,
): string => {
  const shown = mostTelling(played)
  const notes = transcripts.find((each) => shown?.key.chat.startsWith(each.name))?.notes ?? []
  const head =
    shown === undefined
      ? []
      : [`── ${shown.key.chat}, as a person sees it`, "", threadView(shown.rows, look), ""]
  const prompt = shown === undefined ? [] : ["── its last prompt", "", lastPrompt(shown, look), ""]
  return [
    ...head,
    ...prompt,
    "── totals",
    "",
    totals(figures(tally), look),
    ...notes.map((note) => `note: ${note}`),
    "",
    ending(tally),
  ].join("\n")
}
