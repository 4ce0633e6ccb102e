/**
 * Laws 11 and 16 of the recall tool: pages are pieces of their rows, within their tokens, and every request is understood
 * or answered.
 *
 * @since 0.1.0
 */
import fc from "fast-check"
import { estimateCounter } from "../../count/Estimate.ts"
import { renderFound } from "../../recall/Answer.ts"
import type { MemoryDocument } from "../../recall/Document.ts"
import { LEAST_ANSWER } from "../../recall/Envelope.ts"
import { fullTextOf } from "../../recall/FullText.ts"
import { renderRows, type ShownRow } from "../../recall/Page.ts"
import { type RecallRequest, recallRequest, spellingsOf } from "../../recall/Request.ts"
import { parseFence } from "../../text/Fence.ts"
import { isWellFormed, wellFormed } from "../../text/Unicode.ts"
import { readAddress, rowAddress } from "../../thread/Address.ts"
import { arbitraryThread } from "../arbitraries/Messages.ts"
import { testCounter } from "../arbitraries/Rows.ts"
import { hostileText } from "../arbitraries/Texts.ts"
import { type Property, property } from "../Law.ts"

/** A stretch of a row, as an answer shows it. */
interface Shown {
  /** The address, as JSON text. */
  readonly name: string
  readonly from: number
  readonly to: number
  readonly total: number
  readonly text: string
}

const HEAD =
  /^row (.*?), (?:user|assistant|tool)(?:, \d{4}-\d\d-\d\d)?, characters (\d+) to (\d+) of (\d+):\n/

/**
 * Reads the stretches of rows in an answer of the recall tool: each says how long it is, so that no text is taken for more.
 *
 * @category testing
 * @since 0.1.0
 */
export const stretchesIn = (answer: string): ReadonlyArray<Shown> => {
  const shown: Array<Shown> = []
  let rest = parseFence("memory-context", answer)?.payload ?? ""
  for (let head = HEAD.exec(rest); head !== null; head = HEAD.exec(rest)) {
    const [line, name = "", from, to, total] = head
    const length = Number(to) - Number(from)
    const text = rest.slice(line.length, line.length + length)
    shown.push({ name, from: Number(from), to: Number(to), total: Number(total), text })
    rest = rest.slice(line.length + length + 1).replace(/^\(there is more.*\)\n?/, "")
  }
  return shown
}

const counter = fc.constantFrom(testCounter, estimateCounter)

/** Short, long and hostile texts, and those of messages. */
const rowText: fc.Arbitrary<string> = fc.oneof(
  hostileText.map(wellFormed),
  fc
    .tuple(hostileText, fc.integer({ min: 1, max: 12 }))
    .map(([text, times]) => wellFormed(text.repeat(times))),
  arbitraryThread().map((messages) => messages.map(fullTextOf).join("\n")),
)

/** All pages of a row, by the pages that the answers name; null when one does not go on. */
const pagesOf = (row: ShownRow, maxTokens: number, by: typeof testCounter): ReadonlyArray<string> | null => {
  const pages: Array<string> = []
  for (let from = 0; ; ) {
    const page = renderRows([row], { from, notes: [], maxTokens, counter: by })
    pages.push(page)
    const [shown] = stretchesIn(page)
    if (shown === undefined || shown.from !== from) return null
    if (shown.to === row.text.length) return pages
    if (shown.to <= from) return null
    from = shown.to
  }
}

const pages = property(
  "the pages of a row, put together, are its text; each is well formed and within its tokens",
  fc.property(
    rowText,
    hostileText,
    fc.integer({ min: LEAST_ANSWER, max: 600 }),
    counter,
    (text, id, tokens, by) => {
      const all = pagesOf({ address: id, origin: "user", text }, tokens, by)
      return (
        all?.every((page) => isWellFormed(page) && by.count(page) <= tokens) &&
        all.map((page) => stretchesIn(page)[0]?.text ?? "").join("") === text
      )
    },
  ),
)

const several = property(
  "rows share an answer, and it says of each what it shows",
  fc.property(
    fc.array(rowText, { minLength: 1, maxLength: 8 }),
    fc.integer({ min: 0, max: 2_000 }),
    fc.nat({ max: 3_000 }),
    counter,
    (texts, tokens, from, by) => {
      const rows = texts.map((text, i) => ({ address: `m${i}`, origin: "tool, 2026-10-05", text }))
      const answer = renderRows(rows, { from, notes: ["(there is no row)"], maxTokens: tokens, counter: by })
      const again = renderRows(rows, { from, notes: ["(there is no row)"], maxTokens: tokens, counter: by })
      const shown = stretchesIn(answer)
      return (
        answer === again &&
        isWellFormed(answer) &&
        by.count(answer) <= tokens &&
        (tokens < 2 * LEAST_ANSWER || shown.length > 0) &&
        shown.every(
          ({ name, from: start, to, total, text }, i) =>
            name === JSON.stringify(`m${i}`) &&
            text === texts[i]?.slice(start, to) &&
            total === texts[i]?.length,
        )
      )
    },
  ),
)

const addresses = property(
  "an address leads to the row that it was written of, in its chat alone",
  fc.property(
    hostileText,
    fc.option(hostileText),
    fc.constantFrom("", "chat:", "row:", "chat:7/"),
    (id, chat, before) => {
      const row = before + id
      const address = readAddress(rowAddress(row, chat))
      return address.row === row && address.chat === chat
    },
  ),
)

const isRequest = (request: RecallRequest): boolean => {
  switch (request._tag) {
    case "Rows":
      return (
        request.ids.length > 0 &&
        request.ids.every((id) => spellingsOf(id)[0]?.[0] === id) &&
        request.from >= 0
      )
    case "Search":
      return request.query.trim() !== "" && request.skip >= 0
    case "Unclear":
      return request.say.includes("ids") || request.say.includes("page")
  }
}

const argument = fc.oneof(fc.jsonValue(), fc.anything(), hostileText)

const odd: fc.Arbitrary<unknown> = fc.oneof(
  argument,
  fc.record({ ids: argument, query: argument, page: argument }, { requiredKeys: [] }),
  fc.json(),
  fc.record({ ids: fc.array(hostileText), page: fc.nat() }).map((value) => JSON.stringify(value)),
)

const total = property(
  "any arguments are understood, or answered by what to give",
  fc.property(odd, (given) => isRequest(recallRequest(given))),
)

const quotes = property(
  "an id that is given, bare or in its hint, is the id that is asked for",
  fc.property(hostileText, (id) => {
    if (id.trim() === "") return true
    const hint = JSON.stringify(id)
    const forms = [{ ids: [id] }, { ids: id }, JSON.stringify({ ids: [id] }), hint]
    return (
      forms.every((form) => {
        const request = recallRequest(form)
        return request._tag === "Rows" && request.ids[0] === id
      }) && spellingsOf(`recall(${hint})`).some(([text]) => text === id)
    )
  }),
)

const document: fc.Arbitrary<MemoryDocument> = fc.record({
  owner: fc.constant("o"),
  chat: fc.constantFrom("7", "a/b", "%2F", ""),
  row: hostileText,
  position: fc.nat({ max: 9 }),
  piece: fc.nat({ max: 2 }),
  role: fc.constantFrom("user", "assistant", "tool"),
  text: fc.oneof(hostileText, fc.lorem({ maxCount: 120 })),
  at: fc.oneof(fc.constant(0), fc.nat({ max: 2 ** 31 })),
})

const found = property(
  "an answer to a search fits, and its pages show each memory that has a text",
  fc.property(
    fc.array(document, { maxLength: 20 }),
    fc.integer({ min: 0, max: 2_000 }),
    fc.integer({ min: 1, max: 12 }),
    counter,
    (documents, maxTokens, most, by) => {
      const shown = new Set<string>()
      for (let skip = 0; ; ) {
        const answer = renderFound(documents, { chat: "7", skip, most, notes: [], maxTokens, counter: by })
        if (!isWellFormed(answer) || by.count(answer) > maxTokens) return false
        const payload = parseFence("memory-context", answer)?.payload
        if (payload === undefined)
          return maxTokens < 2 * LEAST_ANSWER || answer.startsWith("There is no room")
        for (const line of payload.split("\n")) if (line.startsWith("- ")) shown.add(line)
        const next = /page "(\d+)"\)$/.exec(payload)?.[1]
        if (next === undefined) break
        if (Number(next) <= skip) return false
        skip = Number(next)
      }
      const texts = new Set(documents.map(({ text }) => text.trim()).filter((text) => /[a-z]/.test(text)))
      return texts.size === 0 || shown.size > 0
    },
  ),
)

/**
 * The properties of what the recall tool reads and writes.
 *
 * @category laws
 * @since 0.1.0
 */
export const recallPages: ReadonlyArray<Property> = [pages, several, addresses, total, quotes, found]
