/**
 * What of a message is put into the index of long-term memory.
 *
 * @since 0.1.0
 */
import { takeStart } from "../text/Unicode.ts"
import { withoutFences } from "../text/WithoutFences.ts"
import { memoryTools as giveMemories, memoryResultsIn } from "../thread/MemoryTool.ts"
import { isRealUser, type Part, textOf } from "../thread/Message.ts"
import type { MessageRow } from "../thread/Row.ts"
import { piecesOf } from "./Pieces.ts"

/**
 * Who said it: what a tool was asked and gave is found on purpose only.
 *
 * @category models
 * @since 0.1.0
 */
export type MemoryRole = "user" | "assistant" | "tool"

/**
 * A piece of a message, as it is searched for and recalled: without secrets, and without what this library injected.
 *
 * @category models
 * @since 0.1.0
 */
export interface MemoryDocument {
  readonly owner: string
  readonly chat: string
  /** Id of the message row. */
  readonly row: string
  readonly position: number
  /** Counts the pieces of a row from 0. */
  readonly piece: number
  readonly role: MemoryRole
  readonly text: string
  /** When it was said, in milliseconds since 1970. */
  readonly at: number
}

/**
 * Whose rows are put into the index, and what their texts pass before.
 *
 * @category models
 * @since 0.1.0
 */
export interface DocumentSource {
  readonly owner: string
  readonly chat: string
  /** Takes secrets out; see `Redactor` of the engine. What this library injected is taken out before. */
  readonly clean: (text: string) => string
  /** Tools whose results are memories already: those are never a source of others. `recall` by default. */
  readonly memoryTools?: ReadonlySet<string>
}

/** Longest arguments of a call that are searched for, in UTF-16 units. */
const ARGUMENTS = 600

interface Said {
  readonly role: MemoryRole
  readonly text: string
}

const named = (name: string | undefined, text: string): string =>
  name === undefined || text.trim() === "" ? text : `${name}: ${text}`

/** What a row says, by whom. Reasoning is nobody's word. */
const saidIn = (
  { message }: MessageRow,
  recalled: ReadonlySet<Part>,
  memoryTools: ReadonlySet<string>,
): ReadonlyArray<Said> => {
  switch (message.role) {
    case "user": {
      const text = named(message.name, textOf(message.parts))
      return [{ role: isRealUser(message) ? "user" : "tool", text }]
    }
    case "assistant": {
      const texts = textOf(message.parts.filter((part) => part.type === "text"))
      const asked = message.parts.flatMap((part) =>
        part.type === "tool-call" && !memoryTools.has(part.name)
          ? [`${part.name} ${takeStart(part.arguments, ARGUMENTS)}`]
          : [],
      )
      return [
        { role: "assistant", text: named(message.name, texts) },
        { role: "tool", text: asked.join("\n") },
      ]
    }
    case "tool":
      return message.parts.flatMap(
        (part): ReadonlyArray<Said> =>
          part.type === "tool-result" && !recalled.has(part)
            ? [{ role: "tool", text: textOf(part.content) }]
            : [],
      )
  }
}

/**
 * Makes the documents of consecutive rows of a chat, in order. Give the rows before a result as well: its tool is known
 * by its call.
 *
 * **Example** (A statement of a user)
 *
 * ```ts
 * import { documentsOf, redact, user } from "@palimpsest/core"
 *
 * const row = { kind: "message", id: "m1", position: 1, message: user("I live in Kyiv."), tokens: 6, tokenizer: "x" } as const
 * documentsOf([row], { owner: "", chat: "7", clean: redact }).map(({ text }) => text) // => ["I live in Kyiv."]
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const documentsOf = (
  rows: ReadonlyArray<MessageRow>,
  { owner, chat, clean, memoryTools = giveMemories }: DocumentSource,
): ReadonlyArray<MemoryDocument> => {
  const recalled = memoryResultsIn(rows, memoryTools)
  return rows.flatMap((row) => {
    const pieces = saidIn(row, recalled, memoryTools).flatMap(({ role, text }) =>
      piecesOf(clean(withoutFences(text))).map((piece) => ({ role, text: piece })),
    )
    const { id, position, at = 0 } = row
    return pieces.map(({ role, text }, piece) => ({ owner, chat, row: id, position, piece, role, text, at }))
  })
}
