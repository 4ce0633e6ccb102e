/**
 * Sizes of images, read from the first bytes of their base64: PNG, JPEG, GIF and WebP.
 *
 * Nothing is decoded but the bytes that are looked at. Data that is cut off or of another kind has no size.
 *
 * @since 0.1.0
 */
import { base64Of, isAddress } from "./Media.ts"

/** The sides of an image in pixels. */
export interface ImageSize {
  readonly width: number
  readonly height: number
}

/** A byte of the data; NaN behind its end, and where the text is no base64. */
type Bytes = (at: number) => number

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

const SEXTETS: ReadonlyMap<string, number> = new Map([...ALPHABET].map((letter, i) => [letter, i]))

const bytesOf =
  (base64: string): Bytes =>
  (at) => {
    const letter = Math.floor(at / 3) * 4 + (at % 3)
    const high = SEXTETS.get(base64.charAt(letter))
    const low = SEXTETS.get(base64.charAt(letter + 1))
    const shift = 2 * (at % 3)
    return high === undefined || low === undefined || Number.isNaN(at)
      ? Number.NaN
      : ((high << (2 + shift)) | (low >> (4 - shift))) & 255
  }

const big = (bytes: Bytes, at: number, length: number): number =>
  Array.from({ length }, (_, i) => bytes(at + i)).reduce((sum, byte) => sum * 256 + byte, 0)

const little = (bytes: Bytes, at: number, length: number): number =>
  Array.from({ length }, (_, i) => bytes(at + length - 1 - i)).reduce((sum, byte) => sum * 256 + byte, 0)

const spells = (bytes: Bytes, at: number, text: string): boolean =>
  [...text].every((letter, i) => bytes(at + i) === letter.charCodeAt(0))

const png = (bytes: Bytes): ImageSize => ({ width: big(bytes, 16, 4), height: big(bytes, 20, 4) })

const gif = (bytes: Bytes): ImageSize => ({ width: little(bytes, 6, 2), height: little(bytes, 8, 2) })

/** The three kinds of WebP: lossy, lossless, extended. */
const webp = (bytes: Bytes): ImageSize | null => {
  if (spells(bytes, 12, "VP8X")) return { width: 1 + little(bytes, 24, 3), height: 1 + little(bytes, 27, 3) }
  if (spells(bytes, 12, "VP8L")) {
    const bits = little(bytes, 21, 4)
    return { width: 1 + (bits % 2 ** 14), height: 1 + (Math.floor(bits / 2 ** 14) % 2 ** 14) }
  }
  return spells(bytes, 12, "VP8 ")
    ? { width: little(bytes, 26, 2) % 2 ** 14, height: little(bytes, 28, 2) % 2 ** 14 }
    : null
}

/** Segments looked at before the frame of a JPEG: far more than any camera writes. */
const SEGMENTS = 2_000

/** Markers of a frame: C0 to CF without tables (C4), reserved (C8) and arithmetic conditioning (CC). */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc

const jpeg = (bytes: Bytes): ImageSize | null => {
  let at = 2
  for (let segment = 0; segment < SEGMENTS && bytes(at) === 0xff; segment++) {
    const marker = bytes(at + 1)
    if (isFrame(marker)) return { height: big(bytes, at + 5, 2), width: big(bytes, at + 7, 2) }
    // A marker may be filled up with bytes of FF.
    at += marker === 0xff ? 1 : 2 + big(bytes, at + 2, 2)
  }
  return null
}

const readSize = (bytes: Bytes): ImageSize | null => {
  if (spells(bytes, 0, "\x89PNG\r\n\x1a\n")) return png(bytes)
  if (spells(bytes, 0, "GIF8")) return gif(bytes)
  if (spells(bytes, 0, "RIFF") && spells(bytes, 8, "WEBP")) return webp(bytes)
  return spells(bytes, 0, "\xff\xd8") ? jpeg(bytes) : null
}

const isSide = (pixels: number): boolean => Number.isInteger(pixels) && pixels > 0

/** The size of an image by its base64 or data URL; null where the data does not tell. */
export const imageSize = (data: string): ImageSize | null => {
  if (isAddress(data)) return null
  const size = readSize(bytesOf(base64Of(data)))
  return size !== null && isSide(size.width) && isSide(size.height) ? size : null
}

/** The fields of a medium that tell its size; none where its data does not tell. */
export const sidesOf = (data: string): Partial<ImageSize> => imageSize(data) ?? {}
