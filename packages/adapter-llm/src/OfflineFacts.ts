/**
 * A fact extractor that needs no model: plain statements of users, by pattern.
 *
 * @since 0.1.0
 */
import { isRealUser, type MessageRow, textOf, withoutFences } from "@palimpsest/core"
import { Effect, Layer } from "effect"
import { FactExtractor, type ProposedFact } from "./FactExtractor.ts"

/** One way to state something about oneself. The last group of the pattern is the value. */
interface Pattern {
  readonly attribute: string
  readonly pattern: RegExp
}

const of = (attribute: string, ...sources: ReadonlyArray<string>): ReadonlyArray<Pattern> =>
  sources.map((source) => ({ attribute, pattern: new RegExp(source, "iu") }))

const END = "[^.!?。！？\\n]"
/** A value in a running text: from here to the end of the sentence, at most 160 characters. */
const REST = `(${END}{1,160})`

/**
 * English, German, French, Spanish, Portuguese, Italian, Russian, Chinese and Japanese. Identity, place, language,
 * lasting preferences and aversions, rules for the assistant. What is asked, quoted or supposed is not stated.
 */
const PATTERNS: ReadonlyArray<Pattern> = [
  ...of(
    "name",
    "^(?:hi,? |hello,? )?my name is (?!not\\b)([\\p{L}][\\p{L}' -]{0,60})",
    "^(?:hallo,? )?(?:mein name ist|ich heiße) (?!nicht\\b)([\\p{L}][\\p{L}' -]{0,60})",
    "^(?:bonjour,? )?je m['’]appelle ([\\p{L}][\\p{L}' -]{0,60})",
    "^(?:hola,? )?(?:me llamo|mi nombre es) ([\\p{L}][\\p{L}' -]{0,60})",
    "^(?:ol[áa],? )?(?:meu nome é|eu me chamo|chamo-me) ([\\p{L}][\\p{L}' -]{0,60})",
    "^(?:ciao,? )?mi chiamo ([\\p{L}][\\p{L}' -]{0,60})",
    "^меня зовут ([\\p{L}][\\p{L}' -]{0,60})",
    "^(?:我叫|我的名字(?:叫|是))([\\p{L}]{1,20})",
    "^(?:私の名前は|わたしの名前は)([\\p{L}]{1,20}?)(?:です|だ|$)",
  ),
  ...of(
    "home",
    `^i (?:live in|am based in|'m based in|come from) ${REST}`,
    `^ich (?:wohne|lebe) in ${REST}`,
    `^(?:j['’]habite|je vis) (?:à|en|au|aux) ${REST}`,
    `^(?:yo )?vivo en ${REST}`,
    `^(?:eu )?moro em ${REST}`,
    `^(?:abito|vivo) a ${REST}`,
    `^я живу в ${REST}`,
    `^我住在${REST}`,
  ),
  ...of(
    "preference",
    `^i (?:always |usually |generally )?(?:prefer|would always rather) ${REST}`,
    `^my (?:favou?rite|preferred) ${REST}`,
    `^ich (?:bevorzuge|mag lieber|möchte immer) ${REST}`,
    `^je préfère ${REST}`,
    `^(?:yo )?prefiero ${REST}`,
    `^(?:eu )?prefiro ${REST}`,
    `^preferisco ${REST}`,
    `^я предпочитаю ${REST}`,
    `^我(?:更)?(?:喜欢|偏好)${REST}`,
  ),
  ...of(
    "aversion",
    `^i(?: am|'m) allergic to ${REST}`,
    `^i (?:never (?:eat|drink|use|want)|can't stand|hate) ${REST}`,
    `^ich (?:bin allergisch gegen|esse kein(?:e|en)?|hasse) ${REST}`,
    `^je (?:suis allergique (?:à|aux|au)|déteste) ${REST}`,
    `^soy alérgic[oa] a ${REST}`,
    `^(?:eu )?sou alérgic[oa] a ${REST}`,
    `^sono allergic[oa] a ${REST}`,
    `^у меня аллергия на ${REST}`,
    `^我对(${END}{1,60})过敏`,
  ),
  ...of(
    "rule",
    `^(?:please )?(?:from now on|in (?:the )?future),? ${REST}`,
    `^(?:please )?remember that ${REST}`,
    `^(?:bitte )?(?:ab jetzt|in zukunft|merk dir,? dass) ${REST}`,
    `^(?:désormais|à partir de maintenant),? ${REST}`,
    `^(?:a partir de ahora|de ahora en adelante),? ${REST}`,
    `^(?:a partir de agora|de agora em diante),? ${REST}`,
    `^d'ora in poi,? ${REST}`,
    `^(?:отныне|с этого момента),? ${REST}`,
    `^(?:从现在开始|以后请)，?${REST}`,
  ),
  ...of(
    "email",
    "(?<![\\p{L}\\d._%+-])([\\p{L}\\d._%+-]{1,64}@[\\p{L}\\d-]{1,63}(?:\\.[\\p{L}\\d-]{1,63}){1,4})",
  ),
  ...of("phone", "(?<![\\p{L}\\d])(\\+\\d(?:[ ()/-]{0,2}\\d){7,14})(?!\\d)"),
]

/** Words that make an address or number in the sentence the user's own. */
const OWN =
  /(?<!\p{L})(?:my|i|me|mein|meine|ich|mich|mon|ma|je|moi|mi|me|meu|minha|mio|mia|мой|моя|мне|меня)(?!\p{L})|我|私/iu
const CONTACTS: ReadonlySet<string> = new Set(["email", "phone"])

/** Longest sentence that is looked at, in characters: what is longer is a paste. */
const LONGEST = 300

/** Sentences as they stand. A full stop within an address or a number ends none. */
const sentences = (text: string): ReadonlyArray<string> =>
  text
    .split(/(?<=[!?。！？])|(?<=[.])(?=\s|$)|[\n\r\u2028\u2029]+/u)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== "" && sentence.length <= LONGEST)

const isStatement = (sentence: string): boolean => !/[?？]$|^[>|`"“„«「]/u.test(sentence)

const stated = (row: MessageRow, sentence: string): ReadonlyArray<ProposedFact> =>
  PATTERNS.flatMap(({ attribute, pattern }) => {
    const value = pattern.exec(sentence)?.[1]?.trim()
    return value === undefined || value === "" || (CONTACTS.has(attribute) && !OWN.test(sentence))
      ? []
      : [{ subject: "user", attribute, value, quote: sentence, row: row.id }]
  })

/**
 * Reads facts that a user states in so many words. It misses most of what a model finds, and invents nothing:
 * each fact is a sentence of the user.
 *
 * @category getters
 * @since 0.1.0
 */
export const statedFacts = (rows: ReadonlyArray<MessageRow>): ReadonlyArray<ProposedFact> =>
  rows
    .filter((row) => isRealUser(row.message))
    .flatMap((row) =>
      sentences(withoutFences(textOf(row.message.parts)))
        .filter(isStatement)
        .flatMap((sentence) => stated(row, sentence)),
    )

/**
 * Extracts facts offline and deterministically, by the patterns of nine languages.
 *
 * @category layers
 * @since 0.1.0
 */
export const offlineFacts: Layer.Layer<FactExtractor> = Layer.succeed(
  FactExtractor,
  FactExtractor.of({
    name: "stated",
    extract: (request) => Effect.sync(() => statedFacts(request.rows)),
  }),
)
