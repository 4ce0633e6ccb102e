/**
 * Law 4: protection.
 *
 * @since 0.1.0
 */
import type { StepPrompt } from "../../engine/Report.ts"
import type { Prompt } from "../../prompt/Layout.ts"
import type { Item } from "../../summary/Item.ts"
import { isRealUser, type Message } from "../../thread/Message.ts"
import type { MessageRow, Row, SummaryRow } from "../../thread/Row.ts"
import { isPrompt, type Observation, onHistories, onPrompts } from "../History.ts"
import type { Law } from "../Law.ts"
import { type Look, onScenes, referred, same } from "./Look.ts"

const newestUser = (rows: ReadonlyArray<Row>): MessageRow | undefined =>
  rows.filter((row) => row.kind === "message").findLast((row) => isRealUser(row.message))

/** Whether a row is sent once, as it was said. */
const isVerbatim = (prompt: Prompt, row: MessageRow | undefined): boolean =>
  row === undefined ||
  same(
    prompt.slots.filter((slot) => slot.row === row.id).map((slot) => referred(slot.message)),
    [referred(row.message)],
  )

/** Whether a prompt tells that it has not all of a row, since its large values could not be read. */
const isToldLost = ({ coverage, degraded }: StepPrompt, row: MessageRow | undefined): boolean =>
  row !== undefined &&
  coverage.reduced.includes(row.id) &&
  degraded.some(({ stage, reason }) => stage === "store" && reason.includes(row.id))

const sayings = onScenes("the newest message of the user is sent verbatim", ({ prompt, thread }) =>
  prompt === null ? true : isVerbatim(prompt, newestUser([...thread.kept, ...thread.rows])),
)

/** The newest user message of the whole thread since it was last started over. */
const newestSaying = ({ after, stored, isStale }: Observation): MessageRow | undefined => {
  const rows = isStale ? [] : stored.rows
  const reset = rows.findLast((row) => row.kind === "reset")?.position ?? 0
  const known = newestUser([...after.kept, ...after.rows])
  const said = newestUser(rows.filter((row) => row.position > reset))
  return (known?.position ?? 0) >= (said?.position ?? 0) ? known : said
}

const runs = onPrompts(
  "system prompt and newest user message are in each prompt, byte for byte, or what is missing is told",
  (seen) => {
    if (!isPrompt(seen.result)) return true
    const { result } = seen
    const row = newestSaying(seen)
    return result.system === seen.before.system && (isVerbatim(result, row) || isToldLost(result, row))
  },
)

const newest = onScenes("the newest group is never left out, and reduced only to fit", (seen) => {
  const { decision, grouping, prompt } = seen
  const ids = grouping.groups.at(-1)?.entries.map(({ row }) => row.id) ?? []
  if (decision._tag === "Prune" && !decision.squeezed)
    return decision.reductions.every(({ row }) => !ids.includes(row))
  if (decision._tag === "Summarize") return ids.some((id) => !decision.span.includes(id))
  return prompt === null || ids.every((id) => prompt.slots.some((slot) => slot.row === id))
})

const reducesOnlyWhatItMay = onScenes(
  "the pre-pass touches neither head nor protected tools",
  (seen: Look) => {
    const { decision, window, settings } = seen
    if (decision._tag !== "Prune") return true
    const tools = settings.policy.protectedTools
    return decision.reductions.every(({ row, patches }) => {
      const entry = window.entries.find((one) => one.row.id === row)
      return patches.every(({ part }) => {
        const touched = entry?.row.message.parts[part]
        const name =
          touched?.type === "tool-call" || touched?.type === "tool-result" ? touched.name : undefined
        const isCap = entry?.row.cap?.some((patch) => patch.part === part) ?? false
        return isCap || name === undefined || !tools.includes(name)
      })
    })
  },
)

const holdsSigned = (messages: ReadonlyArray<Message>): boolean =>
  messages.some(({ parts }) =>
    parts.some((part) => part.type === "reasoning" && part.signature !== undefined),
  )

/** Whether calls of the newest response are answered, and the model has yet to go on from signed reasoning. */
const isInLoop = ({ prompt }: Look): boolean => {
  const sent = prompt === null ? [] : prompt.slots.map(({ message }) => message)
  const turn = sent.slice(sent.findLastIndex(isRealUser) + 1)
  return turn.at(-1)?.role === "tool" && holdsSigned(turn)
}

const loops = onScenes(
  "where the host asks for it, a tool loop with signed reasoning is rewritten only to fit",
  (seen) => {
    const { decision, settings } = seen
    if (settings.policy.openLoops !== "hold" || !isInLoop(seen)) return true
    return (
      decision._tag === "Keep" || decision._tag === "Hold" || decision.parts.total > decision.limits.limit
    )
  },
)

const constraintsOf = (row: SummaryRow): ReadonlyArray<Item> =>
  row.summary.items.filter((item) => item.kind === "constraint")

/** Whether a summary builds on another: its rows follow it, and nothing was started over between them. */
const pairs = (rows: ReadonlyArray<Row>): ReadonlyArray<readonly [SummaryRow, SummaryRow]> => {
  const cuts = rows.filter((row) => row.kind === "summary" || row.kind === "reset")
  return cuts.flatMap((cut, i) => {
    const before = cuts[i - 1]
    return cut.kind === "summary" &&
      before?.kind === "summary" &&
      cut.pass.generation === before.pass.generation + 1
      ? [[before, cut] as const]
      : []
  })
}

const pinned = onHistories("the user's constraints survive each pass, byte for byte", (trace) =>
  pairs(trace.prompts.at(-1)?.stored.rows ?? []).every(([before, after]) =>
    constraintsOf(before).every((item) => after.summary.items.some((other) => same(other, item))),
  ),
)

/**
 * Holds law 4: the system prompt, the newest user message, the newest group and the user's constraints stay.
 *
 * @category laws
 * @since 0.1.0
 */
export const protectionLaw: Law = {
  number: 4,
  title: "Protection",
  properties: [sayings, newest, reducesOnlyWhatItMay, loops, runs, pinned],
}
