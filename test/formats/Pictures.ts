/** The first bytes of pictures, as base64: what tells their size, and no picture. */

const base64 = (bytes: ReadonlyArray<number>): string => Buffer.from(bytes).toString("base64")

const ascii = (text: string): ReadonlyArray<number> => [...Buffer.from(text, "latin1")]

const big = (value: number, length: number): ReadonlyArray<number> =>
  Array.from({ length }, (_, i) => Math.floor(value / 256 ** (length - 1 - i)) % 256)

const little = (value: number, length: number): ReadonlyArray<number> => big(value, length).toReversed()

export const png = (width: number, height: number): string =>
  base64([
    ...ascii("\x89PNG\r\n\x1a\n"),
    ...big(13, 4),
    ...ascii("IHDR"),
    ...big(width, 4),
    ...big(height, 4),
    8,
    6,
  ])

export const gif = (width: number, height: number): string =>
  base64([...ascii("GIF89a"), ...little(width, 2), ...little(height, 2), 0, 0, 0])

/** With a segment of so many bytes before the frame, as cameras write one. */
export const jpeg = (width: number, height: number, before = 0): string =>
  base64([
    ...[0xff, 0xd8],
    ...[0xff, 0xe1, ...big(before + 2, 2), ...Array.from({ length: before }, () => 0xab)],
    ...[0xff, 0xff, 0xc4, ...big(2, 2)],
    ...[0xff, 0xc2, ...big(17, 2), 8, ...big(height, 2), ...big(width, 2), 3],
  ])

const riff = (kind: string, data: ReadonlyArray<number>): string =>
  base64([
    ...ascii("RIFF"),
    ...little(data.length + 12, 4),
    ...ascii("WEBP"),
    ...ascii(kind),
    ...little(data.length, 4),
    ...data,
  ])

export const webpLossy = (width: number, height: number): string =>
  riff("VP8 ", [0, 0, 0, 0x9d, 0x01, 0x2a, ...little(width + 0x4000, 2), ...little(height, 2)])

export const webpLossless = (width: number, height: number): string =>
  riff("VP8L", [0x2f, ...little((height - 1) * 2 ** 14 + width - 1 + 2 ** 28, 4)])

export const webpExtended = (width: number, height: number): string =>
  riff("VP8X", [0x10, 0, 0, 0, ...little(width - 1, 3), ...little(height - 1, 3)])
