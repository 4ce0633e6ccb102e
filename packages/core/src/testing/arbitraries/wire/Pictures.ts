/**
 * The first bytes of pictures as base64: what tells their size, and no picture.
 *
 * @since 0.1.0
 */

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

/** Base64 of bytes whose number can be divided by three. */
const base64Of = (bytes: ReadonlyArray<number>): string => {
  const letters: Array<string> = []
  for (let i = 0; i + 2 < bytes.length; i += 3) {
    const bits = ((bytes[i] ?? 0) << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0)
    for (const shift of [18, 12, 6, 0]) letters.push(ALPHABET.charAt((bits >> shift) & 63))
  }
  return letters.join("")
}

/**
 * Makes the base64 of the first bytes of a PNG of a size: what tells it, and no picture.
 *
 * @category testing
 * @since 0.1.0
 */
export const pngHeader = (width: number, height: number): string => {
  const word = (n: number): ReadonlyArray<number> => [n >>> 24, (n >> 16) & 255, (n >> 8) & 255, n & 255]
  const signature = [0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]
  return base64Of([
    ...signature,
    ...word(13),
    ...[0x49, 0x48, 0x44, 0x52],
    ...word(width),
    ...word(height),
    ...[8, 6, 0],
  ])
}
