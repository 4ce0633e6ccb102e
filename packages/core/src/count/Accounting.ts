/**
 * What a message, a call, a tool and an image cost beyond their text: numbers as data, since providers change them.
 *
 * @since 0.1.0
 */
import { sizeOfData } from "../text/ValueReference.ts"

/**
 * How the tokens of an image follow from its size. Each rule has a price for an image whose size is not known.
 *
 * - `openai-tiles`: fitted into a square of 2,048 pixels and down to a short side of 768, then `base` and `perTile`
 *   for each tile of 512 pixels; `base` alone at low detail (85 and 170 for GPT-4o and its line).
 * - `anthropic-area`: fitted to a long side of 1,568 pixels, then a token for each 750 square pixels.
 * - `anthropic-patches`: a token for each started patch of 28 × 28 pixels, at most `most` (newer models).
 * - `flat`: the same for each image.
 * - `encoding`: `perThousand` tokens for a thousand characters of its encoding, for servers that bill it as text.
 *
 * @category models
 * @since 0.1.0
 */
export type ImageRule =
  | {
      readonly kind: "openai-tiles"
      readonly base: number
      readonly perTile: number
      readonly unknown: number
    }
  | { readonly kind: "anthropic-area"; readonly unknown: number }
  | { readonly kind: "anthropic-patches"; readonly most: number; readonly unknown: number }
  | { readonly kind: "flat"; readonly unknown: number }
  | { readonly kind: "encoding"; readonly perThousand: number; readonly unknown: number }

/**
 * The overheads of a provider's wire format, in tokens.
 *
 * @category models
 * @since 0.1.0
 */
export interface Accounting {
  /** For each message, and for each tool result: it travels as a message. */
  readonly perMessage: number
  /** For a message with a `name`, on top of the name's own tokens. */
  readonly perName: number
  /** Once for each request: the start of the reply. */
  readonly priming: number
  /** For each tool call, on top of its id, name and arguments. */
  readonly perCall: number
  /** For each offered tool, on top of its name, description and parameters. */
  readonly perTool: number
  /** For a media part that is no image. */
  readonly perFile: number
  readonly image: ImageRule
}

/**
 * The rule of OpenAI's tiles. An image of unknown size is priced at the most that the rule gives: 8 tiles.
 *
 * @category constants
 * @since 0.1.0
 */
export const openaiTiles: ImageRule = { kind: "openai-tiles", base: 85, perTile: 170, unknown: 1445 }

/**
 * Holds the overheads of OpenAI's chat format: 3 for each message, 1 for a name, 3 of priming, as in the counting recipe of
 * their public cookbook. A call and a tool are rendered in an undocumented way: 3 and 10 err on the high side, since
 * their JSON is counted in full.
 *
 * @category constants
 * @since 0.1.0
 */
export const defaultAccounting: Accounting = {
  perMessage: 3,
  perName: 1,
  priming: 3,
  perCall: 3,
  perTool: 10,
  perFile: 3000,
  image: openaiTiles,
}

/**
 * Lists the fields of an accounting that are no number of tokens: a count that is none would undo the budget.
 *
 * @category guards
 * @since 0.1.0
 */
export const checkAccounting = (
  accounting: Accounting,
): ReadonlyArray<{ readonly field: string; readonly reason: string }> => {
  const { image, ...overheads } = accounting
  const { kind: _, ...prices } = image
  const ofImages = Object.entries(prices).map(([field, value]) => [`image.${field}`, value] as const)
  return [...Object.entries(overheads), ...ofImages]
    .filter(([, value]) => !Number.isInteger(value) || value < 0)
    .map(([field, value]) => ({ field, reason: `must be a whole number from 0, and is ${value}` }))
}

interface Size {
  readonly width: number
  readonly height: number
}

/** The size scaled down, never up, by a factor. */
const scaled = ({ width, height }: Size, factor: number): Size =>
  factor < 1 ? { width: width * factor, height: height * factor } : { width, height }

const tiles = (size: Size): number => {
  const square = scaled(size, 2048 / Math.max(size.width, size.height))
  const { width, height } = scaled(square, 768 / Math.min(square.width, square.height))
  return Math.ceil(width / 512) * Math.ceil(height / 512)
}

const area = (size: Size): number => {
  const { width, height } = scaled(size, 1568 / Math.max(size.width, size.height))
  return Math.ceil((width * height) / 750)
}

/** An address is no encoding: it is as short as the image is large. */
const encodingTokens = (data: string | undefined, perThousand: number): number | null =>
  data === undefined || /^https?:/i.test(data)
    ? null
    : Math.ceil((sizeOfData(data).length * perThousand) / 1000)

/** A side in pixels that can be counted with. */
const isSide = (pixels: number | undefined): pixels is number =>
  pixels !== undefined && Number.isFinite(pixels) && pixels > 0

/**
 * Counts the tokens of an image by a rule, from its size in pixels. The length of its encoding does not matter, but
 * for the rule of that name.
 *
 * **Example** (A square of 1,024 pixels)
 *
 * ```ts
 * import { imageTokens, openaiTiles } from "@palimpsest/core"
 *
 * imageTokens({ width: 1024, height: 1024 }, openaiTiles) // => 765
 * imageTokens({ width: 1024, height: 1024, detail: "low" }, openaiTiles) // => 85
 * ```
 *
 * @category counting
 * @since 0.1.0
 */
export const imageTokens = (
  image: {
    readonly width?: number
    readonly height?: number
    readonly detail?: "low" | "high" | "auto"
    readonly data?: string
  },
  rule: ImageRule,
): number => {
  if (rule.kind === "openai-tiles" && image.detail === "low") return rule.base
  if (rule.kind === "encoding") return encodingTokens(image.data, rule.perThousand) ?? rule.unknown
  const { width, height } = image
  if (!isSide(width) || !isSide(height)) return rule.unknown
  switch (rule.kind) {
    case "openai-tiles":
      return rule.base + rule.perTile * tiles({ width, height })
    case "anthropic-area":
      return area({ width, height })
    case "anthropic-patches":
      return Math.min(rule.most, Math.ceil(width / 28) * Math.ceil(height / 28))
    case "flat":
      return rule.unknown
  }
}
