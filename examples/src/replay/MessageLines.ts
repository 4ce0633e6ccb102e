/** A message as a person sees it: one line for what was said, one for each call and each result. */
import { type Message, type MessageRow, type Part, textOf } from "@palimpsest/core"
import { columns, fit, oneLine, padEnd, padStart, thousands } from "./Columns.ts"
import { paint, type Style } from "./Paint.ts"

export interface LineOptions {
  readonly width: number
  readonly color: boolean
}

interface Said {
  readonly who: string
  readonly style: Style
  readonly text: string
}

const WHO_COLUMNS = 10

const mediaText = (parts: ReadonlyArray<Part>): string =>
  parts.flatMap((part) => (part.type === "media" ? [`[${part.name ?? part.mediaType}]`] : [])).join(" ")

const content = (parts: ReadonlyArray<Part>): string =>
  [textOf(parts.filter((part) => part.type === "text")), mediaText(parts)]
    .filter((text) => text !== "")
    .join(" ")

const said = (message: Message): ReadonlyArray<Said> => {
  switch (message.role) {
    case "user": {
      const who = message.synthetic === true ? "(program)" : "user"
      return [{ who, style: message.synthetic === true ? "dim" : "green", text: content(message.parts) }]
    }
    case "assistant": {
      const text = content(message.parts)
      const calls = message.parts.filter((part) => part.type === "tool-call")
      return [
        ...(text === "" && calls.length > 0 ? [] : [{ who: "assistant", style: "cyan" as const, text }]),
        ...calls.map(({ name, arguments: input }) => ({
          who: "  calls",
          style: "yellow" as const,
          text: `${name} ${input}`,
        })),
      ]
    }
    case "tool":
      return message.parts.map((part): Said => {
        if (part.type === "approval")
          return { who: part.approved ? "  approved" : "  denied", style: "dim", text: part.reason ?? "" }
        const { status, name, content: items } = part
        return {
          who: status === "ok" ? "  result" : `  ${status}`,
          style: status === "ok" ? "dim" : "red",
          text: `${name === undefined ? "" : `${name}: `}${content(items)}`,
        }
      })
  }
}

const line = ({ who, style, text }: Said, end: string, { width, color }: LineOptions): string => {
  const start = fit(padEnd(who, WHO_COLUMNS), width)
  const room = width - columns(start) - (end === "" ? 0 : columns(end) + 1)
  const middle = fit(oneLine(text), Math.max(0, room))
  if (room < 1) return paint(start, style, color)
  const tail = end === "" ? "" : `${" ".repeat(room - columns(middle) + 1)}${paint(end, "dim", color)}`
  return `${paint(start, style, color)}${middle}${tail}`.trimEnd()
}

/** The lines of a message row; the first ends with its tokens, and with `note` before them. */
export const messageLines = (row: MessageRow, note: string, options: LineOptions): ReadonlyArray<string> =>
  said(row.message).map((words, i) => {
    const end = i === 0 ? `${note === "" ? "" : `${note} `}${padStart(thousands(row.tokens), 6)}` : ""
    return line(words, end, options)
  })
