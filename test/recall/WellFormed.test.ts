/** Whatever was stored, and whatever a host adds, an answer of the recall tool is well-formed text. */
import { estimateCounter, renderFound, renderRows, wellFormed } from "@palimpsest/core"
import fc from "fast-check"
import { describe, it } from "vitest"

const halves = fc
  .array(fc.constantFrom("\ud83d", "\udc4d", "👍", "word ", "]", "\n", "x".repeat(120)), { maxLength: 8 })
  .map((parts) => parts.join(""))

const room = { maxTokens: 4_000, counter: estimateCounter, notes: [] }

describe("an answer of the recall tool", () => {
  it("is well formed, whatever rows, names and notes hold", () =>
    fc.assert(
      fc.property(
        fc.array(halves, { minLength: 1, maxLength: 5 }),
        halves,
        fc.nat(20),
        (texts, name, from) => {
          const documents = texts.map((text, position) => ({
            ...{
              owner: "",
              chat: name,
              row: `${name}${position}`,
              position,
              piece: 0,
              role: "user" as const,
              text,
              at: 0,
            },
          }))
          const rows = texts.map((text) => ({ address: name, origin: `user ${name}`, text }))
          const answers = [
            renderFound(documents, { ...room, chat: "here", skip: 0, most: 9, notes: [name] }),
            renderRows(rows, { ...room, from, notes: [name] }),
          ]
          return answers.every((answer) => wellFormed(answer) === answer)
        },
      ),
      { numRuns: 500 },
    ))
})
