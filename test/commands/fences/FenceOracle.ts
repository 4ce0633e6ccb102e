/** What fences must do, said again without the code that does it, and without regard to cost. */

const NAMES = ["memory-context", "context-summary"]

/** Letters as a reader takes them: what compatibility forms leave, by the letter that they are drawn as. */
const READ_AS: Readonly<Record<string, string>> = {
  а: "a",
  α: "a",
  с: "c",
  ϲ: "c",
  е: "e",
  м: "m",
  ᴍ: "m",
  ո: "n",
  о: "o",
  ο: "o",
  г: "r",
  ѕ: "s",
  ꜱ: "s",
  т: "t",
  τ: "t",
  υ: "u",
  ᴜ: "u",
  х: "x",
  χ: "x",
  у: "y",
  γ: "y",
  "‹": "<",
  "〈": "<",
  "⟨": "<",
  "❮": "<",
  "˂": "<",
  ᐸ: "<",
  "∕": "/",
  "⁄": "/",
  "‐": "-",
  "‑": "-",
  "–": "-",
  "−": "-",
  _: "-",
}

/** A text as a model may read it: entities and escapes decoded, alike letters read, and nothing that is not seen. */
export const readAs = (text: string, softHyphen: "" | "-"): string =>
  [
    ...text
      .replace(/&lt;?|&#60;?|&#x3c;?|\\u003c/gi, "<")
      .replaceAll("\u00ad", softHyphen)
      .normalize("NFKD")
      .replace(/[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, "")
      .replace(/[\0-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f]/g, "")
      .toLowerCase(),
  ]
    .map((letter) => READ_AS[letter] ?? letter)
    .join("")

/** The tags that a text reads as, over no line break. */
export const tagsRead = (text: string): ReadonlyArray<string> => {
  const found = (["", "-"] as const).map((softHyphen) =>
    [...readAs(text, softHyphen).matchAll(/<[ \t\v\f]*(\/?)[ \t\v\f]*(memory-context|context-summary)/g)].map(
      ([, slash, name]) => `<${slash}${name}`,
    ),
  )
  return found.toSorted((a, b) => b.length - a.length)[0] ?? []
}

const withoutHyphens = (text: string): string => text.replaceAll("-", "")

/** Whether a name can be read anywhere in a text: of soft hyphens, some may be drawn and others not. */
export const namesRead = (text: string): boolean =>
  NAMES.some((name) => withoutHyphens(readAs(text, "")).includes(withoutHyphens(name)))

/** Whether a text is another one with some backslashes more, and nothing else. */
export const isWithBackslashes = (longer: string, text: string): boolean => {
  let at = 0
  for (const unit of longer.split("")) {
    if (unit === text[at]) at += 1
    else if (unit !== "\\") return false
  }
  return at === text.length
}

const isTagLine = (line: string, tag: string): boolean => {
  const bare = line.replace(/\r?\n?$/, "").replace(/^[ \t]{0,8}/, "")
  return bare.startsWith(tag) && /^[ \t]{0,8}$/.test(bare.slice(tag.length))
}

/** A model's output without its fences: a line that is an opener goes with all up to the line that is its closer. */
export const plainScrub = (text: string): string => {
  const lines = text.split(/(?<=\n)/)
  let out = ""
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] ?? ""
    const name = NAMES.find((each) => isTagLine(line, `<${each}>`))
    const closer = lines.findIndex(
      (other, j) => j > i && name !== undefined && isTagLine(other, `</${name}>`),
    )
    if (closer < 0) out += line
    else i = closer
  }
  return out
}

/** Places at which a stream is cut in two: all of a short text; else those within tags and pairs, and some more. */
export const cutsOf = (text: string, most: number): ReadonlyArray<number> => {
  if (text.length <= most) return Array.from({ length: text.length + 1 }, (_, i) => i)
  const hard = [
    ...text.matchAll(/<\/?(?:mem|con)|[\ud800-\udbff][\udc00-\udfff]|\r\n|>[ \t]*\r?\n/g),
  ].flatMap((found) => [1, found[0].length, found[0].length + 5].map((more) => found.index + more))
  const step = Math.max(1, Math.floor(text.length / (most / 4)))
  const even = Array.from({ length: Math.floor(text.length / step) }, (_, i) => i * step)
  return [...hard.slice(0, most / 2), ...even]
}
