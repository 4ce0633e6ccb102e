/**
 * Numbers of payment cards, told from other numbers by their issuer, their length and their last digit.
 *
 * @since 0.1.0
 */

/** In one piece, in fours, or in the 4-6-5 of American Express. */
const CARD =
  /(?<![0-9A-Za-z_.-])(?:[0-9]{15,16}|[0-9]{4}(?:[ -][0-9]{4}){3}|[0-9]{4}[ -][0-9]{6}[ -][0-9]{5})(?![0-9A-Za-z_]|[.-][0-9A-Za-z])/g

/**
 * Ranges of issuers that are in use for cards of 15 and 16 digits (ISO/IEC 7812; the networks' own pages, 2026-12):
 * Visa 4, Mastercard 51–55 and 2221–2720, American Express 34 and 37, Discover 6011, 644–649 and 65, JCB 3528–3589.
 */
const ISSUER =
  /^(?:4[0-9]{15}|5[1-5][0-9]{14}|2(?:22[1-9]|2[3-9][0-9]|[3-6][0-9]{2}|7[01][0-9]|720)[0-9]{12}|3[47][0-9]{13}|6(?:011|4[4-9][0-9]|5[0-9]{2})[0-9]{12}|35(?:2[89]|[3-8][0-9])[0-9]{12})$/

/** The check of ISO/IEC 7812-1, annex B: every second digit from the right counts twice. */
const isChecked = (digits: string): boolean => {
  let sum = 0
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i])
    sum += i % 2 === 0 ? digit : digit < 5 ? 2 * digit : 2 * digit - 9
  }
  return sum % 10 === 0
}

/** Replaces the numbers of cards. */
export const redactCards = (text: string): string =>
  text.replace(CARD, (found) => {
    const digits = found.replace(/[ -]/g, "")
    return ISSUER.test(digits) && isChecked(digits) ? "[redacted card]" : found
  })
