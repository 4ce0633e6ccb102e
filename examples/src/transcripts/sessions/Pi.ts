/**
 * Sessions of pi: a header, then JSON lines that are a tree by `id` and `parentId`; the first version has neither and
 * is a list.
 *
 * The chat is the branch that ends in the last entry of the file, where pi goes on too. A compaction is a summary that
 * the program wrote: the history before stays.
 */
import { Result, Schema } from "effect"
import { checkedBy } from "../Checked.ts"
import { fieldOf, textAt } from "../Fields.ts"
import { counted, cutNote, type Reader } from "../Reader.ts"
import type { Entry, Source } from "../Source.ts"
import { type Origin, type Said, transcriptOf } from "../Transcript.ts"
import { branchTo, byId, type Node } from "../Tree.ts"
import { piUsage } from "../Usage.ts"
import { programSays, readMessage } from "./PiMessage.ts"

const isHeader = (value: unknown): boolean =>
  textAt(value, "type") === "session" && textAt(value, "id") !== "" && fieldOf(value, "cwd") !== undefined

/** An entry of the tree, and where it stands in the file. */
interface Placed extends Node<unknown> {
  readonly at: string
}

/** Entries without ids follow each other. */
const nodesOf = (entries: ReadonlyArray<Entry>): ReadonlyArray<Placed> =>
  entries.map(({ at, value }, i) => {
    const id = textAt(value, "id")
    const parent = textAt(value, "parentId")
    const before = entries[i - 1]?.at ?? null
    return id === ""
      ? { at, id: at, parent: before, time: "", value }
      : { at, id, parent: parent === "" ? null : parent, time: "", value }
  })

const messagesOf = (value: unknown): ReturnType<typeof readMessage> => {
  switch (textAt(value, "type")) {
    case "message":
      return readMessage(fieldOf(value, "message"))
    case "custom_message":
      return readMessage({ role: "custom", content: fieldOf(value, "content") })
    case "compaction":
    case "branch_summary":
      return programSays(textAt(value, "summary"))
    default:
      return []
  }
}

const originOf = ({ id, value }: Node<unknown>): Origin => {
  const model = textAt(value, "message", "model")
  const usage = piUsage(value, "message", "usage")
  return {
    ids: [id],
    ...(usage === undefined ? {} : { usage }),
    ...(model === "" ? {} : { model }),
    ...(textAt(value, "type") === "compaction" ? { isBoundary: true } : {}),
  }
}

const Parts = Schema.Array(Schema.Struct({ type: Schema.String }))

const ofMessage = <Fields extends Schema.Struct.Fields>(fields: Fields) =>
  Schema.Struct({ message: Schema.Struct(fields) })

const checked = checkedBy(
  {
    user: ofMessage({ content: Schema.Union([Schema.String, Parts]) }),
    assistant: ofMessage({ content: Parts }),
    toolResult: ofMessage({ toolCallId: Schema.String, content: Schema.Union([Schema.String, Parts]) }),
  },
  (value) => (textAt(value, "type") === "message" ? textAt(value, "message", "role") : ""),
)

const isEmptyResponse = (value: unknown): boolean =>
  textAt(value, "message", "role") === "assistant" && messagesOf(value).length === 0

const read = (source: Source): Result.Result<ReadonlyArray<ReturnType<typeof transcriptOf>>> => {
  const [, ...entries] = source.entries
  const all = nodesOf(entries)
  const leaf = all.at(-1)
  const branch = leaf === undefined ? [] : branchTo(leaf, byId(all))
  const { entries: sound, faults } = checked(branch.map(({ at, value }) => ({ at, value })))
  const isSound = new Set(sound.map(({ at }) => at))
  const way = branch.filter(({ at }) => isSound.has(at))
  const said = way.flatMap(
    (node): ReadonlyArray<Said> =>
      messagesOf(node.value).map((message) => ({ message, origin: originOf(node) })),
  )
  const onWay = new Set(branch.map(({ id }) => id))
  const abandoned = all.filter((node) => !onWay.has(node.id) && messagesOf(node.value).length > 0).length
  const empty = way.filter(({ value }) => isEmptyResponse(value)).length
  const beside = way.flatMap(({ value }) => {
    const type = textAt(value, "type")
    return messagesOf(value).length === 0 && type !== "message" ? [type] : []
  })
  const notes = [
    ...faults,
    ...(abandoned === 0 ? [] : [`${abandoned} messages of abandoned branches are left out`]),
    ...(empty === 0 ? [] : [`${empty} responses that were cut off before they began are left out`]),
    ...(beside.length === 0 ? [] : [`beside the chat: ${counted(beside)}`]),
    ...cutNote(source),
  ]
  return Result.succeed([
    transcriptOf("pi", source.name, said, { skipped: abandoned + empty + faults.length, notes }),
  ])
}

export const pi: Reader = {
  format: "pi",
  fits: ({ entries }) => isHeader(entries[0]?.value),
  read,
}
