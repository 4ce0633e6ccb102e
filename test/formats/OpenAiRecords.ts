/** What recorded files hold of OpenAI's formats: lists of messages, and lists of items. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { itemsOfStream, openAiResponses } from "@palimpsest/core/formats/openai-responses"

export const FOLDER = join(import.meta.dirname, "../../../shared/transcripts")

/** A list, and where it was found. */
export interface Recorded {
  readonly name: string
  readonly list: ReadonlyArray<object>
}

const isObject = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Files of some folders, with their JSON: a whole one, or one a line. */
const filesIn = (
  ...folders: ReadonlyArray<string>
): ReadonlyArray<{ readonly name: string; readonly values: ReadonlyArray<unknown> }> =>
  folders
    .map((folder) => join(FOLDER, folder))
    .flatMap((path) => (existsSync(path) ? readdirSync(path).map((name) => ({ name, path })) : []))
    .map(({ name, path }) => {
      const text = readFileSync(join(path, name), "utf8")
      const whole = parse(text)
      const lines = () => text.split("\n").map((line) => parse(line.replace(/^data: /, "")))
      return { name, values: whole === undefined ? lines() : [whole] }
    })

/** Lists of objects, wherever they stand: in a field, or in a text that is JSON. */
const listsIn = (
  value: unknown,
  isWanted: (list: ReadonlyArray<object>) => boolean,
): ReadonlyArray<ReadonlyArray<object>> => {
  if (typeof value === "string") return /^[[{]/.test(value) ? listsIn(parse(value), isWanted) : []
  if (Array.isArray(value)) {
    const isList = value.length > 0 && value.every(isObject) && isWanted(value)
    return isList ? [value] : value.flatMap((each) => listsIn(each, isWanted))
  }
  return isObject(value) ? Object.values(value).flatMap((each) => listsIn(each, isWanted)) : []
}

const ROLES: ReadonlySet<unknown> = new Set(["system", "developer", "user", "assistant", "tool"])

const roleOf = (message: object): unknown => ("role" in message ? message.role : undefined)

/** Messages of Responses and of traces have roles too, but their own parts. */
const isOfChat = (list: ReadonlyArray<object>): boolean =>
  list.every((each) => ROLES.has(roleOf(each)) && !("parts" in each)) &&
  !JSON.stringify(list).includes('"output_text"')

/** The first lists of messages in each file: some hold more than a hundred chats. */
const MOST = 25

/** A message as it was on the wire: some files hold it inside one of their own, or name the call in their own way. */
const wireOf = (message: object): object => {
  if (!isObject(message)) return message
  const { raw_data: raw, role, id, tool_call_ids: ids, ...others } = message
  if (isObject(raw) && isObject(raw.message)) return raw.message
  if (role !== "tool" || "tool_call_id" in message) return message
  return { ...others, role, tool_call_id: Array.isArray(ids) ? ids[0] : id }
}

/** Lists of messages of Chat Completions. */
export const recordedChats: ReadonlyArray<Recorded> = filesIn(
  "swe-agent",
  "tau2",
  "beam",
  "langfuse-trace",
).flatMap(({ name, values }) =>
  values
    .flatMap((value) => listsIn(value, isOfChat))
    .slice(0, MOST)
    .map((list, i) => ({ name: `${name.slice(-40)} ${i}`, list: list.map(wireOf) })),
)

const ITEMS: ReadonlySet<unknown> = new Set([
  "function_call",
  "function_call_output",
  "reasoning",
  "compaction",
])

const typeOf = (item: object): unknown => ("type" in item ? item.type : undefined)

/** The items that the lines of a session of Codex hold; two of the fixture were shortened to what is no item. */
const rolloutIn = (lines: ReadonlyArray<unknown>): ReadonlyArray<object> =>
  lines.flatMap((line) => {
    const item = isObject(line) && line.type === "response_item" ? line.payload : undefined
    return isObject(item) && openAiResponses.decode([item]).ok ? [item] : []
  })

/** The items of each response that a stream holds. */
const streamsIn = (events: ReadonlyArray<unknown>): ReadonlyArray<ReadonlyArray<object>> => {
  const ends = events.flatMap((event, i) =>
    isObject(event) && event.type === "response.completed" ? [i + 1] : [],
  )
  return ends.map((end, i) => itemsOfStream(events.slice(ends[i - 1] ?? 0, end)))
}

const isOfResponses = (list: ReadonlyArray<object>): boolean => list.some((item) => ITEMS.has(typeOf(item)))

/** Lists of items of the Responses API. */
export const recordedItems: ReadonlyArray<Recorded> = [
  ...filesIn("codex-rollout", "format-fixture").flatMap(({ name, values }) => [
    { name, lists: [rolloutIn(values), ...values.flatMap((value) => listsIn(value, isOfResponses))] },
  ]),
  ...filesIn("provider-chunks")
    .filter(({ name }) => name.includes("openai"))
    .map(({ name, values }) => ({ name, lists: streamsIn(values) })),
  ...filesIn("langfuse-trace")
    .filter(({ name }) => name.includes("openai"))
    .map(({ name, values }) => ({ name, lists: values.flatMap((value) => listsIn(value, isOfResponses)) })),
].flatMap(({ name, lists }) =>
  lists.filter((list) => list.length > 0).map((list, i) => ({ name: `${name.slice(-40)} ${i}`, list })),
)
