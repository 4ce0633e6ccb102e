/** A piece of source text: code, or what only looks like it. */
interface Piece {
  readonly kind: "code" | "comment" | "string" | "regex"
  readonly text: string
}

/** A slash after one of these begins a regular expression, not a division. */
const BEFORE_REGEX = /(?:^|[=([{,;:!&|?+\-*%~^<>}]|\b(?:return|typeof|case|in|of|do|else|yield|await))\s*$/

const PIECES: ReadonlyArray<{ readonly kind: Piece["kind"]; readonly pattern: RegExp }> = [
  { kind: "comment", pattern: /\/\/[^\n]*|\/\*[\s\S]*?\*\//y },
  { kind: "string", pattern: /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/y },
  { kind: "regex", pattern: /\/(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y },
]

const pieceAt = (text: string, at: number, before: string): Piece | null => {
  for (const { kind, pattern } of PIECES) {
    if (kind === "regex" && !BEFORE_REGEX.test(before)) continue
    pattern.lastIndex = at
    const found = pattern.exec(text)?.[0]
    if (found !== undefined) return { kind, text: found }
  }
  return null
}

const blank = (text: string): string => text.replace(/[^\n]/g, " ")

/**
 * Blanks comments, strings and regular expressions, so that words in them are not taken for code. Offsets and lines
 * stay. What a template literal inserts is code; its text is blanked.
 */
export const codeOf = (text: string): string => {
  let out = ""
  /** For each open template: how many braces are open in the expression that it inserts; -1 in its text. */
  const templates: Array<number> = []
  for (let i = 0; i < text.length; ) {
    const char = text[i] ?? ""
    const depth = templates.at(-1)
    if (depth === -1) {
      const isInsert = char === "$" && text[i + 1] === "{"
      if (isInsert) templates[templates.length - 1] = 0
      else if (char === "`") templates.pop()
      const length = isInsert || char === "\\" ? 2 : 1
      out += isInsert ? "  " : blank(text.slice(i, i + length))
      i += length
      continue
    }
    const piece = pieceAt(text, i, out.slice(-40))
    if (piece !== null) {
      out += piece.kind === "comment" ? blank(piece.text) : blankInside(piece.text)
      i += piece.text.length
      continue
    }
    if (char === "`") templates.push(-1)
    else if (depth !== undefined && char === "{") templates[templates.length - 1] = depth + 1
    else if (depth !== undefined && char === "}") templates[templates.length - 1] = depth - 1
    const isFrame = char === "`" || (depth === 0 && char === "}")
    out += isFrame ? " " : char
    i += 1
  }
  return out
}

/** Quotes stay, so that an empty place is not taken for the end of a statement. */
const blankInside = (text: string): string => (text.length < 2 ? text : `"${blank(text.slice(1, -1))}"`)
