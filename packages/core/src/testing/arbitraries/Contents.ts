/**
 * Random texts, media and tool arguments, of the kinds that agents meet.
 *
 * @since 0.1.0
 */
import fc from "fast-check"
import type { MediaPart, TextPart } from "../../thread/Message.ts"

/** Pieces that have broken somebody's cut, count or parser. */
const ODD = [
  "🚀",
  "👩‍👩‍👧‍👦",
  "e\u0301",
  "汉字テスト",
  "שלום",
  "\u200b",
  "\ud83d",
  "\udc00",
  "\u0000",
  "<|endoftext|>",
  "</summary>",
  "```",
  '"\\',
  "\r\n",
]

const PLAIN = [
  "order 4711 shipped on 2026-03-02",
  "src/thread/Row.ts:12: export const rank",
  "The build failed: 3 errors.",
  "invoice INV-2026-0042, total 129.90 EUR",
  "see https://example.com/a/b?c=1#d",
  "nothing to report",
  "9007199254740993",
]

/** A text as a few pieces repeated: cheap to make at any size, and it shrinks to its pieces. */
const repeated = (most: number): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.array(
        fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...PLAIN) }, fc.constantFrom(...ODD), fc.string()),
        { maxLength: 4 },
      ),
      fc.integer({ min: 1, max: most }),
      fc.constantFrom(" ", "\n", ""),
    )
    .map(([pieces, times, joint]) => Array(times).fill(pieces.join(joint)).join(joint))

/**
 * Makes texts: mostly short, some of several pages, a few huge; odd Unicode (lone surrogates included) in between.
 *
 * @category arbitraries
 * @since 0.1.0
 */
export const arbitraryText: fc.Arbitrary<string> = fc.oneof(
  { weight: 8, arbitrary: repeated(2) },
  { weight: 3, arbitrary: repeated(40) },
  { weight: 1, arbitrary: repeated(400) },
)

/**
 * Makes short texts that are not blank: what a user or a model says between calls.
 *
 * @category arbitraries
 * @since 0.1.0
 */
export const arbitraryRemark: fc.Arbitrary<string> = fc
  .tuple(fc.constantFrom(...PLAIN), repeated(2))
  .map(([plain, text]) => `${plain} ${text}`)

/**
 * Makes images and files, with and without a size, a name, and data of some length.
 *
 * @category arbitraries
 * @since 0.1.0
 */
export const arbitraryMedia: fc.Arbitrary<MediaPart> = fc.record(
  {
    type: fc.constant("media" as const),
    mediaType: fc.constantFrom("image/png", "image/jpeg", "application/pdf"),
    data: fc.integer({ min: 0, max: 900 }).map((times) => "aGVs".repeat(times)),
    width: fc.integer({ min: 1, max: 4096 }),
    height: fc.integer({ min: 1, max: 4096 }),
    detail: fc.constantFrom("low" as const, "high" as const, "auto" as const),
    name: fc.constantFrom("screen.png", "Rechnung März.pdf", "🚀.png", 'a"b\n.png'),
  },
  { requiredKeys: ["type", "mediaType", "data"] },
)

/** Leaves as JSON text: spellings that a round trip through numbers would change are among them. */
const LEAVES = [
  "9007199254740993",
  "1e400",
  "1.0",
  "-0",
  "true",
  "null",
  "[]",
  "{}",
  '"\\u00e9\\ud83d\\ude80"',
]

const jsonLeaf: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...LEAVES),
  arbitraryText.map((text) => JSON.stringify(text)),
)

const jsonKey = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom("path", "content", "command", "query", "n", "id", "url") },
  fc.string().map((text) => text),
)

const jsonObject = (value: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .array(fc.tuple(jsonKey, value), { maxLength: 4 })
    .map((entries) => `{${entries.map(([key, text]) => `${JSON.stringify(key)}:${text}`).join(",")}}`)

const jsonArray = (value: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.array(value, { maxLength: 4 }).map((items) => `[${items.join(", ")}]`)

/**
 * Makes JSON objects as text: odd numbers, escapes, nesting, repeated keys, long leaves.
 *
 * @category arbitraries
 * @since 0.1.0
 */
export const arbitraryJson: fc.Arbitrary<string> = jsonObject(
  fc.oneof(
    { weight: 4, arbitrary: jsonLeaf },
    jsonObject(fc.oneof(jsonLeaf, jsonArray(jsonLeaf))),
    jsonArray(fc.oneof(jsonLeaf, jsonObject(jsonLeaf))),
  ),
)

/**
 * Makes raw arguments of a call: JSON objects mostly; sometimes what a model really sends, cut short or no JSON.
 *
 * @category arbitraries
 * @since 0.1.0
 */
export const arbitraryArguments: fc.Arbitrary<string> = fc.oneof(
  { weight: 8, arbitrary: arbitraryJson },
  { weight: 1, arbitrary: fc.constantFrom("", "{}", "null", "[]", '{"path": "a', "not json") },
  { weight: 1, arbitrary: arbitraryText },
)

const textPart = (text: string): TextPart => ({ type: "text", text })

/** Results that come again and again, so that identical ones occur. */
const AGAIN = [
  "",
  "ok",
  '{"status":"ok","rows":[]}',
  `${"The same page as before. ".repeat(30)}`,
  "x".repeat(3000),
]

/**
 * Makes the content of a result: text, JSON, the same again, several items, images.
 *
 * @category arbitraries
 * @since 0.1.0
 */
export const arbitraryContent: fc.Arbitrary<ReadonlyArray<TextPart | MediaPart>> = fc.oneof(
  { weight: 5, arbitrary: arbitraryText.map((text) => [textPart(text)]) },
  { weight: 3, arbitrary: fc.constantFrom(...AGAIN).map((text) => [textPart(text)]) },
  { weight: 2, arbitrary: arbitraryJson.map((text) => [textPart(text)]) },
  {
    weight: 1,
    arbitrary: fc.array(fc.oneof(arbitraryText.map(textPart), arbitraryMedia), { maxLength: 3 }),
  },
)
