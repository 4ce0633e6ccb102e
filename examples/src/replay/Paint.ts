/** Colours of a terminal; without colour, texts stay as they are. */
const CODES = {
  dim: "2",
  bold: "1",
  red: "31",
  green: "32",
  yellow: "33",
  blue: "34",
  magenta: "35",
  cyan: "36",
  white: "37",
} as const

export type Style = keyof typeof CODES

export const paint = (text: string, style: Style, color: boolean): string =>
  color && text !== "" ? `\u001b[${CODES[style]}m${text}\u001b[0m` : text
