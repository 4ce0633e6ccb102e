import { codeOf } from "../architecture/Code.ts"

/** A line that says what an expression is worth. */
interface Claim {
  /** Lines of the statement, from 0. */
  readonly from: number
  readonly to: number
  readonly statement: string
  readonly expected: string
}

const CLAIM = /^(.*?)\s*\/\/ =>\s*(.+)$/

const depthOf = (text: string): number => {
  const code = codeOf(text)
  return (code.match(/[([{]/g)?.length ?? 0) - (code.match(/[)\]}]/g)?.length ?? 0)
}

/** The statement that ends on a line: as many lines before it as its brackets and dots ask for. */
const statementAt = (lines: ReadonlyArray<string>, last: number, end: string): Claim["from"] => {
  let from = last
  let text = end
  while (from > 0 && (depthOf(text) < 0 || /^\s*[.?:)\]}]/.test(text) || text.trim() === "")) {
    from -= 1
    text = `${lines[from]}\n${text}`
  }
  return from
}

const claimsIn = (lines: ReadonlyArray<string>): ReadonlyArray<Claim> =>
  lines.flatMap((line, to) => {
    const [, end = "", expected = ""] = CLAIM.exec(line) ?? []
    if (expected === "") return []
    const from = statementAt(lines, to, end)
    return [{ from, to, statement: [...lines.slice(from, to), end].join("\n"), expected }]
  })

/** Whether a block says what something is worth. */
export const hasClaims = (code: string): boolean => claimsIn(code.split("\n")).length > 0

const checked = ({ statement, expected, to }: Claim): string => {
  const [, name] = /^\s*(?:export )?const (\w+)\b[^=]*=/.exec(statement) ?? []
  return name === undefined
    ? `;__claim(${to}, (${statement.trim().replace(/;$/, "")}), (${expected}))`
    : `${statement}\n;__claim(${to}, ${name}, (${expected}))`
}

/**
 * Turns the claims of a block into calls of `__claim(line, actual, expected)`, and exports what they saw.
 */
export const instrument = (code: string): string => {
  const lines = code.split("\n")
  const claims = claimsIn(lines)
  const starts = new Map(claims.map((claim) => [claim.from, claim]))
  const inside = new Set(
    claims.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, i) => from + i + 1)),
  )
  const body = lines.flatMap((line, i) => {
    const claim = starts.get(i)
    return claim !== undefined ? [checked(claim)] : inside.has(i) ? [] : [line]
  })
  return [
    "export const __claims: Array<readonly [number, unknown, unknown]> = []",
    "const __claim = (line: number, actual: unknown, expected: unknown) => __claims.push([line, actual, expected])",
    ...body,
  ].join("\n")
}
