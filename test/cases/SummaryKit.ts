/** What the cases of summaries share. */
import {
  checkDelta,
  type Delta,
  emptyDelta,
  emptySummary,
  type MergeOptions,
  type MessageRow,
  merge,
  type NewItem,
  type Summary,
  transcript,
} from "@palimpsest/core"
import { counter, reply, said } from "../summary/Rows.ts"

export const options = (over: Partial<MergeOptions> = {}): MergeOptions => ({
  counter,
  maxTokens: 1000,
  maxConstraintTokens: 200,
  users: new Set(["m1", "m2"]),
  ...over,
})

export const add = (...items: ReadonlyArray<NewItem>): Delta => ({ ...emptyDelta, add: items })
export const fact = (text: string, source = "m3"): NewItem => ({ kind: "fact", text, sources: [source] })

export const rich: Summary = merge(
  emptySummary,
  add(
    { kind: "task", text: "Ship order ord_9f3", sources: ["m1"] },
    { kind: "constraint", text: "never touch the prod database", sources: ["m2"] },
    fact("The port is 8080."),
  ),
  options(),
).summary

export const times = (text: string, part: string): number => text.split(part).length - 1

export const request = (rows: ReadonlyArray<MessageRow>, previous: Summary = emptySummary) => ({
  previous,
  transcript: transcript(rows, { counter, maxTokens: 10_000, perPart: 4000 })
    .map((part) => part.text)
    .join("\n"),
  rows: rows.map((row) => row.id),
  counter,
})

export const span = [
  said(
    "m1",
    `Please ship order ord_9f3 to Oslo. ${"It was placed in March by the new customer. ".repeat(12)}`,
  ),
  reply("m2", "Shipped with DHL."),
]
export const reasons = (delta: Delta, rows = span): ReadonlyArray<string> =>
  checkDelta(delta, request(rows)).map(({ reason }) => reason)
