/**
 * Sessions of Claude Code: JSON lines that are a tree by `uuid` and `parentUuid`.
 *
 * The chat is the branch that ends in the newest message. One response is spread over several lines with one message
 * id, which may hang side by side, and so may their results: all of them belong to it. Work of sub-agents in the same
 * file makes chats of its own. After a compaction the program sent its summary and what follows; the history before
 * stays here, and the summary is a program's text.
 */
import { Result } from "effect"
import { textAt } from "../Fields.ts"
import { counted, cutNote, malformed, type Reader } from "../Reader.ts"
import type { Source } from "../Source.ts"
import { type Said, type Transcript, transcriptOf } from "../Transcript.ts"
import { branchTo, byId, newest } from "../Tree.ts"
import { anthropicUsage } from "../Usage.ts"
import {
  answersOf,
  callsOf,
  isCompaction,
  isLine,
  isModelLess,
  isSpoken,
  type LineNode,
  nodeOf,
  readResponse,
  readUser,
  responseOf,
} from "./ClaudeCodeLine.ts"

/** The lines of a branch, with what belongs to its responses and hangs beside it. */
interface Branch {
  readonly way: ReadonlyArray<LineNode>
  /** All lines of each response, by its id. */
  readonly responses: ReadonlyMap<string, ReadonlyArray<LineNode>>
  /** The line that answers each call. */
  readonly answers: ReadonlyMap<string, LineNode>
}

const branchOf = (spoken: ReadonlyArray<LineNode>, way: ReadonlyArray<LineNode>): Branch => {
  const onWay = new Set(way.map(({ id }) => id))
  const ids = new Set(way.flatMap((node) => (node.value.type === "assistant" ? [responseOf(node)] : [])))
  const responses = new Map<string, ReadonlyArray<LineNode>>()
  for (const node of spoken) {
    const id = responseOf(node)
    if (node.value.type === "assistant" && ids.has(id))
      responses.set(id, [...(responses.get(id) ?? []), node])
  }
  const answers = new Map<string, LineNode>()
  for (const node of spoken.toSorted((a, b) => Number(onWay.has(b.id)) - Number(onWay.has(a.id)))) {
    if (node.value.type !== "user") continue
    for (const call of answersOf(node)) if (!answers.has(call)) answers.set(call, node)
  }
  return { way, responses, answers }
}

/** What has been made of a branch so far. */
interface Draft {
  readonly said: Array<Said>
  readonly done: Set<string>
  readonly faults: Array<string>
  boundary: boolean
}

const sayUser = (node: LineNode, draft: Draft): void => {
  if (draft.done.has(node.id)) return
  draft.done.add(node.id)
  const read = readUser(node)
  if (typeof read === "string") draft.faults.push(`${node.value.at} is left out: ${read}`)
  else
    for (const message of read) {
      const isBoundary = draft.boundary ? { isBoundary: true as const } : {}
      draft.said.push({ message, origin: { ids: [node.id], ...isBoundary } })
      draft.boundary = false
    }
}

/** A response, and all results of its calls right after it. */
const sayResponse = (id: string, branch: Branch, draft: Draft): void => {
  if (draft.done.has(id)) return
  draft.done.add(id)
  const lines = branch.responses.get(id) ?? []
  const message = readResponse(lines)
  if (typeof message === "string") {
    draft.faults.push(`${lines[0]?.value.at} is left out: ${message}`)
    return
  }
  const last = lines.at(-1)?.value.json
  const usage = anthropicUsage(last, "message", "usage")
  const model = textAt(last, "message", "model")
  draft.said.push({
    message,
    origin: {
      ids: [id, ...lines.map((line) => line.id)],
      ...(usage === undefined ? {} : { usage }),
      ...(model === "" ? {} : { model }),
      ...(draft.boundary ? { isBoundary: true } : {}),
    },
  })
  draft.boundary = false
  const answering = new Set(lines.flatMap(callsOf).flatMap((call) => branch.answers.get(call) ?? []))
  for (const node of answering) sayUser(node, draft)
}

const readBranch = (branch: Branch): Draft & { readonly modelLess: number } => {
  const draft: Draft = { said: [], done: new Set(), faults: [], boundary: false }
  let modelLess = 0
  for (const node of branch.way) {
    if (isCompaction(node)) draft.boundary = true
    if (!isSpoken(node)) continue
    if (node.value.type === "user") sayUser(node, draft)
    else if (isModelLess(node.value)) modelLess += 1
    else sayResponse(responseOf(node), branch, draft)
  }
  return { ...draft, modelLess }
}

/** Counts of what is not in a chat, in words. */
const remarks = (chat: ReturnType<typeof readBranch>, abandoned: number): ReadonlyArray<string> => [
  ...chat.faults,
  ...(chat.modelLess === 0 ? [] : [`${chat.modelLess} errors of the connection are left out`]),
  ...(abandoned === 0 ? [] : [`${abandoned} lines of abandoned branches are left out`]),
]

/** The chat that ends in the newest of some lines. */
const readChat = (
  spoken: ReadonlyArray<LineNode>,
  nodes: ReadonlyMap<string, LineNode>,
  name: string,
  notes: ReadonlyArray<string>,
): Transcript => {
  const leaf = newest(spoken)
  const branch = branchOf(spoken, leaf === undefined ? [] : branchTo(leaf, nodes))
  const chat = readBranch(branch)
  const used = new Set(chat.said.flatMap(({ origin }) => origin.ids))
  const dropped = spoken.filter(({ id, value }) => !used.has(id) && !isModelLess(value)).length
  const abandoned = dropped - chat.faults.length
  const skipped = dropped + chat.modelLess
  return transcriptOf("claude-code", name, chat.said, {
    skipped,
    notes: [...remarks(chat, abandoned), ...notes],
  })
}

/** The first line of the work of each sub-agent, by the lines of that work. */
const sideOf = (node: LineNode, nodes: ReadonlyMap<string, LineNode>): string =>
  branchTo(node, nodes).find(({ value }) => value.isSide)?.id ?? node.id

const read = (source: Source): Result.Result<ReadonlyArray<Transcript>, ReturnType<typeof malformed>> => {
  const parsed = source.entries.map(nodeOf)
  const nodes = byId(parsed.filter((node) => node !== null))
  const spoken = [...nodes.values()].filter(isSpoken)
  const beside = source.entries.flatMap(({ value }, i) => (parsed[i] === null ? [textAt(value, "type")] : []))
  if (spoken.length === 0) {
    const why = "none of its lines is of a user or a model"
    return Result.fail(malformed(source.name, "a Claude Code session", why, "Name another session."))
  }
  const sides = new Map<string, Array<LineNode>>()
  for (const node of spoken.filter(({ value }) => value.isSide)) {
    const side = sideOf(node, nodes)
    sides.set(side, [...(sides.get(side) ?? []), node])
  }
  const main = spoken.filter(({ value }) => !value.isSide)
  const notes = [...(beside.length === 0 ? [] : [`beside the chat: ${counted(beside)}`]), ...cutNote(source)]
  return Result.succeed([
    ...(main.length === 0 ? [] : [readChat(main, nodes, source.name, notes)]),
    ...[...sides.values()].map((side, i) =>
      readChat(
        side,
        nodes,
        main.length + sides.size === 1 ? source.name : `${source.name}#side-${i + 1}`,
        [],
      ),
    ),
  ])
}

export const claudeCode: Reader = {
  format: "claude-code",
  fits: ({ entries }) => entries.some(({ value }) => isLine(value)),
  read,
}
