/** Finds where a text stops being JSON. Engines word it differently, and do not always say it. */

/** Where it breaks, in UTF-16 units; `isCut` when the text ends before the value does. */
export interface JsonFault {
  readonly offset: number
  readonly isCut: boolean
}

const BLANK = /[ \t\r\n]*/y
const STRING = /"[^"\\\u0000-\u001f]*(?:\\.[^"\\\u0000-\u001f]*)*/y
const SCALAR = /-?\d[\d.eE+-]*|true|false|null/y

/** Where a pattern ends when it matches at `offset`; otherwise `offset`. */
const endOf = (pattern: RegExp, text: string, offset: number): number => {
  pattern.lastIndex = offset
  return pattern.test(text) ? pattern.lastIndex : offset
}

/** What may come next: a value (`first` in its list, or not), a key, the colon after it, or the end of a value. */
type Next = "value" | "value or ]" | "key" | "key or }" | ":" | "end"

/** The state after a mark such as `{` or `,`; undefined when the mark may not stand here. `open` is changed. */
const afterMark = (mark: string, next: Next, open: Array<string>): Next | undefined => {
  const wantsValue = next === "value" || next === "value or ]"
  if ((mark === "[" || mark === "{") && wantsValue) {
    open.push(mark)
    return mark === "[" ? "value or ]" : "key or }"
  }
  if (mark === ":" && next === ":") return "value"
  if (mark === "," && next === "end" && open.length > 0) return open.at(-1) === "[" ? "value" : "key"
  const closes = open.at(-1) === "[" ? "]" : "}"
  const mayClose = next === "end" || next === (closes === "]" ? "value or ]" : "key or }")
  if (mark !== closes || open.length === 0 || !mayClose) return undefined
  open.pop()
  return "end"
}

/** Where a string that starts at `offset` ends, its quote included; a fault when it does not. */
const endOfString = (text: string, offset: number): number | JsonFault => {
  const end = endOf(STRING, text, offset)
  if (text[end] === '"') return end + 1
  return { offset: end, isCut: end === text.length || (text[end] === "\\" && end + 1 === text.length) }
}

/** Where the token that starts at `offset` ends and what may follow it, or the fault there. */
const step = (
  text: string,
  offset: number,
  next: Next,
  open: Array<string>,
): readonly [end: number, next: Next] | JsonFault => {
  const mark = text[offset] ?? ""
  const wantsKey = next === "key" || next === "key or }"
  if (mark === '"' && next !== ":" && next !== "end") {
    const end = endOfString(text, offset)
    return typeof end === "number" ? [end, wantsKey ? ":" : "end"] : end
  }
  const end = next === "value" || next === "value or ]" ? endOf(SCALAR, text, offset) : offset
  if (end > offset) return [end, "end"]
  const after = afterMark(mark, next, open)
  if (after !== undefined) return [offset + 1, after]
  const rest = text.slice(offset, offset + 5)
  const isCut = mark === "" || ["true", "false", "null", "-"].some((word) => word.startsWith(rest))
  return { offset, isCut }
}

/** Finds the first fault of a text that is not JSON; undefined when none is found. */
export const jsonFault = (text: string): JsonFault | undefined => {
  const open: Array<string> = []
  let next: Next = "value"
  let offset = endOf(BLANK, text, 0)
  while (offset < text.length || next !== "end" || open.length > 0) {
    const stepped = step(text, offset, next, open)
    if ("offset" in stepped) return stepped
    next = stepped[1]
    offset = endOf(BLANK, text, stepped[0])
  }
  return undefined
}
