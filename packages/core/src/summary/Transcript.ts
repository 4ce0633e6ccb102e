/**
 * Rows as plain text for a summariser: data-marked, redacted, without media.
 *
 * @since 0.1.0
 */
import type { TokenCounter } from "../count/TokenCounter.ts"
import { fitTokens, shorten } from "../text/Unicode.ts"
import type { MessageRow } from "../thread/Row.ts"
import { redact } from "./Redact.ts"
import { rowName } from "./RowName.ts"
import { readRow } from "./RowText.ts"
import type { Redact } from "./SafeRedact.ts"

/**
 * How a transcript is cut.
 *
 * @category models
 * @since 0.1.0
 */
export interface TranscriptOptions {
  readonly counter: TokenCounter
  /** Upper bound of each part, tokens: what one request of the summariser may hold. */
  readonly maxTokens: number
  /** Upper bound of each text, call or result, UTF-16 units. */
  readonly perPart: number
  /** Takes secrets out of each text, before it is cut; `redact` by default. */
  readonly redact?: Redact
}

/**
 * One part of a transcript, with the ids of its rows.
 *
 * @category models
 * @since 0.1.0
 */
export interface TranscriptPart {
  /** Blank only when no row holds anything to read. */
  readonly text: string
  readonly rows: ReadonlyArray<string>
}

/** A piece of a row that is never parted further, with its header; blank when the row has nothing to read. */
interface Block {
  readonly row: string
  readonly text: string
}

const roleOf = ({ message }: MessageRow): string =>
  message.role === "user" && message.synthetic === true ? "program" : message.role

/** Text that looks like the header of a row gets a backslash before its bracket. */
const escapeHeader = (text: string): string => text.replace(/\[(?=\\*\s{0,8}row\b)/gi, "\\[")

const fitBlock = (header: string, body: string, options: TranscriptOptions): string => {
  const whole = `${header} ${body}`
  if (options.counter.count(whole) <= options.maxTokens) return whole
  for (let units = Math.min(body.length, options.maxTokens * 8); units >= 64; units = Math.floor(units / 2)) {
    const text = `${header} ${shorten(body, units)}`
    if (options.counter.count(text) <= options.maxTokens) return text
  }
  return fitTokens(whole, options.maxTokens, options.counter)
}

/** The texts of a row joined under one header, or one block for each where they are too many for one request. */
const blocksOf = (row: MessageRow, options: TranscriptOptions): ReadonlyArray<Block> => {
  const header = `[row ${rowName(row.id)} ${roleOf(row)}]`
  const texts = readRow(row, options.redact ?? redact).map(({ text }) =>
    escapeHeader(shorten(text, options.perPart)),
  )
  const whole = `${header} ${texts.join("\n")}`
  if (texts.length === 0) return [{ row: row.id, text: "" }]
  if (options.counter.count(whole) <= options.maxTokens) return [{ row: row.id, text: whole }]
  return texts.map((text) => ({ row: row.id, text: fitBlock(header, text, options) }))
}

const partOf = (blocks: ReadonlyArray<Block>): TranscriptPart => ({
  text: blocks.flatMap((block) => (block.text === "" ? [] : [block.text])).join("\n"),
  rows: [...new Set(blocks.map((block) => block.row))],
})

/** Blocks as one part, or as two halves where joining them counts more than their sum. */
const fitPart = (blocks: ReadonlyArray<Block>, options: TranscriptOptions): ReadonlyArray<TranscriptPart> => {
  const part = partOf(blocks)
  if (blocks.length < 2 || options.counter.count(part.text) <= options.maxTokens) return [part]
  const middle = Math.floor(blocks.length / 2)
  return [...fitPart(blocks.slice(0, middle), options), ...fitPart(blocks.slice(middle), options)]
}

const pack = (blocks: ReadonlyArray<Block>, options: TranscriptOptions): Array<Array<Block>> => {
  const packs: Array<Array<Block>> = []
  let room = -1
  for (const block of blocks) {
    const cost = block.text === "" ? 0 : options.counter.count(`${block.text}\n`)
    if (packs.length === 0 || cost > room) {
      packs.push([])
      room = options.maxTokens
    }
    packs.at(-1)?.push(block)
    room -= cost
  }
  return packs
}

/**
 * Writes rows as text in parts that fit a request of the summariser. Every row is in a part, or in several when it
 * is too long for one. Reasoning and blank texts are left out, media become placeholders, secrets are redacted, long
 * texts are shortened in their middle with a marker.
 *
 * **Gotchas**
 *
 * With `maxTokens` too small for a row's header and some text (less than about 64), a part holds only the start of
 * its row.
 *
 * **Example** (Two rows)
 *
 * ```ts
 * import { transcript, user } from "@palimpsest/core"
 *
 * const row = { kind: "message", id: "m1", position: 1, message: user("Hello"), tokens: 4, tokenizer: "x" } as const
 * const counter = { name: "units", count: (text: string) => text.length }
 * transcript([row], { counter, maxTokens: 1000, perPart: 500 })[0]?.text // => "[row m1 user] Hello"
 * ```
 *
 * @category encoding
 * @since 0.1.0
 */
export const transcript = (
  rows: ReadonlyArray<MessageRow>,
  options: TranscriptOptions,
): ReadonlyArray<TranscriptPart> => {
  const blocks = rows.flatMap((row) => blocksOf(row, options))
  return pack(blocks, options).flatMap((blocksOfPart) => fitPart(blocksOfPart, options))
}
