/**
 * Cache breakpoints of a request: AN19.
 *
 * @since 0.1.0
 */
import { isFields } from "../format/Fields.ts"
import type { Repaired } from "../format/Format.ts"
import type { Rule } from "../format/Rule.ts"
import { innerBlocks, isBlankText } from "./Kinds.ts"
import type { Limits } from "./Limits.ts"
import { type Placed, placedInSystem, type View, viewOf } from "./Turns.ts"
import type { AnthropicBlock, AnthropicMessage, AnthropicRequest } from "./Wire.ts"

const isMarked = (value: unknown): boolean =>
  isFields(value) && value.cache_control !== undefined && value.cache_control !== null

const toolsOf = ({ tools }: AnthropicRequest): ReadonlyArray<unknown> => (Array.isArray(tools) ? tools : [])

/** Paths of the breakpoints in the order of a prompt: tools, system, messages. */
interface Marks {
  /** The request's own: the provider places it. */
  readonly request: ReadonlyArray<string>
  readonly tools: ReadonlyArray<string>
  readonly system: ReadonlyArray<string>
  readonly messages: ReadonlyArray<string>
}

const marksOf = ({ request, blocks }: View): Marks => ({
  request: isMarked(request) ? ["cache_control"] : [],
  tools: toolsOf(request).flatMap((tool, i) => (isMarked(tool) ? [`tools[${i}]`] : [])),
  system: placedInSystem(request).flatMap(({ path, block }) => (isMarked(block) ? [path] : [])),
  messages: blocks.flatMap(({ path, block }) => (isMarked(block) ? [path] : [])),
})

/**
 * The breakpoints that go. The request's own stays, with the last of the tools and of the system prompt: what they
 * cover is stable. Of the others the newest stay, since each covers what stands before it.
 */
const surplus = (view: View, { breakpoints }: Limits): ReadonlyArray<string> => {
  const marks = marksOf(view)
  const all = [...marks.request, ...marks.tools, ...marks.system, ...marks.messages]
  if (all.length <= breakpoints) return []
  const first = [...marks.request, ...marks.tools.slice(-1), ...marks.system.slice(-1)]
  const rest = marks.messages.slice(Math.max(0, marks.messages.length - breakpoints + first.length))
  const kept = new Set([...first, ...rest])
  return all.filter((path) => !kept.has(path))
}

const isEmpty = ({ block }: Placed): boolean => isMarked(block) && isBlankText(block)

/** AN19: few breakpoints, and none on an empty block. */
export const breakpoints = (limits: Limits): Rule<View> => ({
  id: "AN19",
  check: (view) => [
    ...surplus(view, limits).map((path) => ({
      path,
      detail: `more than ${limits.breakpoints} cache breakpoints`,
    })),
    ...view.blocks
      .filter(isEmpty)
      .map(({ path }) => ({ path, detail: "a cache breakpoint on an empty block" })),
  ],
})

const without = <A>(value: A): A => {
  if (!isFields(value)) return value
  const { cache_control: _, ...others } = value
  return others as A
}

type Paths = ReadonlySet<string>

const unmarkedBlock = (block: AnthropicBlock, path: string, paths: Paths): AnthropicBlock => {
  const inner = innerBlocks(block)
  const isInside = inner.some((_, i) => paths.has(`${path}.content[${i}]`))
  const own = paths.has(path) ? without(block) : block
  return isInside
    ? { ...own, content: inner.map((one, i) => unmarkedBlock(one, `${path}.content[${i}]`, paths)) }
    : own
}

const unmarkedMessage = (message: AnthropicMessage, path: string, paths: Paths): AnthropicMessage => {
  const { content } = message
  if (typeof content === "string") return message
  const blocks = content.map((block, i) => unmarkedBlock(block, `${path}.content[${i}]`, paths))
  return blocks.every((block, i) => block === content[i]) ? message : { ...message, content: blocks }
}

const unmarkedList = (value: unknown, name: string, paths: Paths): object =>
  Array.isArray(value)
    ? { [name]: value.map((one, i) => (paths.has(`${name}[${i}]`) ? without(one) : one)) }
    : {}

/** A request without the breakpoints that are too many. */
export const withFewBreakpoints = (request: AnthropicRequest, limits: Limits): Repaired<AnthropicRequest> => {
  const paths = new Set(surplus(viewOf(request), limits))
  if (paths.size === 0) return { request, repairs: [] }
  const repairs = [...paths].map((path) => ({ rule: "AN19", path, detail: "left out a cache breakpoint" }))
  const messages = request.messages.map((message, i) => unmarkedMessage(message, `messages[${i}]`, paths))
  const tools = unmarkedList(request.tools, "tools", paths)
  const system = unmarkedList(request.system, "system", paths)
  return { request: { ...request, ...tools, ...system, messages }, repairs }
}
