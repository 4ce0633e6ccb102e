/**
 * How rules and decisions are worded, in the languages most chats are in.
 *
 * Heuristics: they read form, not meaning. A rule worded otherwise is still in its row, which can be recalled.
 *
 * @since 0.1.0
 */

/** Words, as alternatives, that stand alone: not inside a longer word, in any script with spaces. */
const words = (alternatives: string): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}_])(?:${alternatives})(?![\\p{L}\\p{N}_])`, "iu")

const RULES: ReadonlyArray<RegExp> = [
  // English; "I don't know" and "I never got it" are no rules.
  words(
    "(?<!\\b(?:i|i've|i have|we|you|they|it)\\s)(?:never|don['’]t|do not)|must|mustn['’]t|always|under no circumstances|not allowed|forbidden|prohibited|make sure|at all costs|off[- ]limits|only ever",
  ),
  // Spanish, Portuguese
  words(
    "nunca|jamás|jamais|siempre|sempre|debes|debe|deberás|tienes que|hay que|prohibido|proibido|deve|no (?:debes|toques|uses|borres|hagas|cambies|modifiques|envíes|compartas|elimines)|não (?:faça|use|toque|apague|mude|altere|envie)",
  ),
  // French, Italian
  words("toujours|il faut|interdit|obligatoire|mai|devi|vietato|non \\p{L}+(?:are|ere|ire)"),
  words(
    "(?<!\\b(?:je|tu|il|elle|on|nous|vous|ils|elles|ça|cela|qui|que)\\s)(?:ne |n['’])\\p{L}+ (?:pas|plus|rien)",
  ),
  // German, Dutch
  words(
    "nie|niemals|immer|muss|musst|müssen|darf nicht|darfst nicht|dürfen nicht|verboten|auf keinen fall|keinesfalls|nicht (?:ändern|löschen|anfassen|verwenden|benutzen)|nooit|altijd|moet",
  ),
  // Russian, Ukrainian, Polish
  words(
    "никогда|всегда|нельзя|обязательно|запрещено|должен|должна|должны|не \\p{L}+(?:[аеуяю]й(?:те)?|(?<!л)и(?:те)?|ь(?:те)?|ть)|ніколи|завжди|не можна|повинен|повинна|заборонено|обов['’]язково|nigdy|zawsze|musisz|nie wolno",
  ),
  // Turkish, Indonesian, Vietnamese
  words("asla|her zaman|zorunlu|jangan|harus|selalu|không được|luôn|phải"),
  /不要|不得|不可以|不可|不准|必须|必須|绝不|絕不|禁止|千万别|千萬別|务必|務必|永远不|永遠不|一定要|切勿/u,
  /決して|必ず|絶対に|してはいけ|しないで|ないでください|なければなら|使わないで/u,
  /절대|반드시|항상|하지 ?마|금지|해야 (?:합|한|해)/u,
  /أبدا|أبداً|دائما|دائماً|يجب|ممنوع|لا ت|कभी नहीं|हमेशा|अनिवार्य|ห้าม|ต้อง/u,
]

const DECISIONS: ReadonlyArray<RegExp> = [
  words(
    "i['’]ll|i will|we['’]ll|we will|let['’]s|decided|decision|going to|chose|chosen|we use|using|instead of|switched to|settled on",
  ),
  words(
    "voy a|vamos a|decid[ií]\\p{L}*|usar(?:é|emos)|vou|vamos|je vais|nous allons|décid\\p{L}*|j['’]utilise|ho deciso|userò",
  ),
  words(
    "ich werde|wir werden|entschieden|entscheidung|besloten|решил\\p{L}*|решено|буду|будем|вирішив|вирішили|zdecydowa\\p{L}*",
  ),
  /决定|決定|我会|我將|我将|我們將|改用|采用|採用|決めました|することにし|ことにします|결정|하겠습니다|قررت|سأ/u,
]

const QUESTION = /[?？؟]["')\]”’»]{0,2}$/

/** True for a sentence that sets a rule: forbids or demands something, and does not ask. */
export const isRule = (sentence: string): boolean =>
  !QUESTION.test(sentence) && RULES.some((form) => form.test(sentence))

/** True for a sentence that says what was or will be done. */
export const isDecision = (sentence: string): boolean =>
  !QUESTION.test(sentence) && DECISIONS.some((form) => form.test(sentence))
