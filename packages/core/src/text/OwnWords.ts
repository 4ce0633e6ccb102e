/**
 * What of a user's message is the user's own words, and what it only shows: documents, logs, mails, recalled blocks.
 *
 * @since 0.1.0
 */

/** A block that goes on until a line says that it ends, or to the end of the text. */
type IsLast = (line: string) => boolean

const CODE = /^\s{0,8}(`{3,}|~{3,})/
const ELEMENT = /^\s{0,8}<\\*([\p{L}_][\p{L}\p{N}_.:-]{0,63})(?=[\s>])/u
const RECALLED = /<\\*(memory-context|context-summary)(?=[\s>])/i
const CLOSER = /<\\*\/([\p{L}_][\p{L}\p{N}_.:-]{0,63})\s{0,8}>/gu
const CITED = /^\s{0,8}[>|＞｜]/
const SPEAKER =
  /^[\s*_#]{0,8}(?:human|user|assistant|system|developer|tool|ai|bot|用户|助手|ユーザー|アシスタント|пользователь|ассистент|користувач|асистент)[*_]{0,4}\s{0,4}[:：]/iu
const FORWARDED = [
  /^[\s>*_-]{0,16}(?:original message|(?:begin )?forwarded message|ursprüngliche nachricht|weitergeleitete nachricht|message d['’]origine|message transféré|mensaje original|mensaje reenviado|mensagem original|mensagem encaminhada|messaggio originale|messaggio inoltrato|исходное сообщение|пересланное сообщение|переслане повідомлення|原始邮件|转发的邮件)/iu,
  /^(?:on|am|le|el|em|il) .{4,120}(?:wrote|schrieb|a écrit|escribió|escreveu|ha scritto).{0,80}[:：]\s*$/iu,
]

const isBlank: IsLast = (line) => line.trim() === ""
const isNever: IsLast = () => false

/** The line in which each element is closed last. */
const closersOf = (lines: ReadonlyArray<string>): ReadonlyMap<string, number> => {
  const last = new Map<string, number>()
  for (const [i, line] of lines.entries())
    for (const [, name = ""] of line.matchAll(CLOSER)) last.set(name.toLowerCase(), i)
  return last
}

const closes = (name: string): IsLast => {
  const lower = name.toLowerCase()
  return (line) => [...line.matchAll(CLOSER)].some(([, found = ""]) => found.toLowerCase() === lower)
}

/** How the element ends that a line opens, or undefined: a mention of a tag that nothing closes opens none. */
const element = (line: string, i: number, closers: ReadonlyMap<string, number>): IsLast | undefined => {
  const [first, recalled] = [ELEMENT.exec(line)?.[1], RECALLED.exec(line)?.[1]]
  const name = recalled ?? first
  if (name === undefined) return undefined
  if ((closers.get(name.toLowerCase()) ?? -1) >= i) return closes(name)
  return recalled !== undefined && first === recalled ? isNever : undefined
}

/** How the block ends that a line opens, the line itself included, or undefined where it opens none. */
const opens = (line: string, i: number, closers: ReadonlyMap<string, number>): IsLast | undefined => {
  if (FORWARDED.some((form) => form.test(line))) return isNever
  if (CITED.test(line)) return () => true
  if (SPEAKER.test(line)) return isBlank
  return element(line, i, closers)
}

const endOfCode = (mark: string): IsLast => {
  const [char = "`"] = mark
  return (line) => {
    const bare = line.trim()
    return bare.length >= mark.length && bare === char.repeat(bare.length)
  }
}

/** Lines with what ends them, so that joined they are the text. */
const linesOf = (text: string): ReadonlyArray<string> => text.split(/(?<=\n|\r(?!\n)|[\u0085\u2028\u2029])/u)

/**
 * Gives the stretches of a message that are its writer's own words, in order, each a piece of the text. Left out are
 * fenced code, cited lines, elements with tags of their own lines, blocks that were recalled, forwarded mail to its
 * end, and turns of another conversation.
 *
 * **Example** (A pasted document)
 *
 * ```ts
 * import { ownWords } from "@palimpsest/core"
 *
 * ownWords("I live in Lyon.\n> I live in Rome.\nBye.") // => ["I live in Lyon.\n", "Bye."]
 * ```
 *
 * @category getters
 * @since 0.1.0
 */
export const ownWords = (text: string): ReadonlyArray<string> => {
  const lines = linesOf(text)
  const closers = closersOf(lines)
  const own: Array<string> = []
  let isLast: IsLast | undefined
  let stretch = ""
  const end = () => {
    if (stretch !== "") own.push(stretch)
    stretch = ""
  }
  for (const [i, line] of lines.entries()) {
    if (isLast !== undefined) {
      if (isLast(line)) isLast = undefined
      continue
    }
    const code = CODE.exec(line)?.[1]
    const block = code === undefined ? opens(line, i, closers) : endOfCode(code)
    if (block === undefined) stretch += line
    else {
      end()
      // The line that opens code is never the one that ends it.
      isLast = code === undefined && block(line) ? undefined : block
    }
  }
  end()
  return own
}

/** Words between marks of quotation, within a line. */
const QUOTATION =
  /"[^"\r\n]{1,1000}"|“[^”\r\n]{1,1000}”|„[^“”\r\n]{1,1000}[“”]|«[^»\r\n]{1,1000}»|「[^」\r\n]{1,1000}」|『[^』\r\n]{1,1000}』|`[^`\r\n]{1,1000}`/gu

/** Whether the words stand in a stretch, at some place that is not wholly within marks of quotation. */
const stands = (stretch: string, words: string): boolean => {
  const quotations = [...stretch.matchAll(QUOTATION)]
  let next = 0
  for (let at = stretch.indexOf(words); at !== -1; at = stretch.indexOf(words, at + 1)) {
    const ends = (i: number): number => {
      const found = quotations[i]
      return found === undefined ? Number.POSITIVE_INFINITY : found.index + found[0].length
    }
    while (ends(next) <= at) next += 1
    const start = quotations[next]?.index ?? Number.POSITIVE_INFINITY
    if (at < start || at + words.length > ends(next)) return true
  }
  return false
}

/**
 * Tells whether somebody says something in their own words: verbatim in the message, and neither in what it shows nor as
 * a quotation.
 *
 * **Example** (Who says it)
 *
 * ```ts
 * import { saysInOwnWords } from "@palimpsest/core"
 *
 * saysInOwnWords("I live in Lyon.", "live in Lyon") // => true
 * saysInOwnWords('The letter says "I live in Lyon".', "I live in Lyon") // => false
 * ```
 *
 * @category guards
 * @since 0.1.0
 */
export const saysInOwnWords = (text: string, words: string): boolean =>
  words !== "" && ownWords(text).some((stretch) => stands(stretch, words))
